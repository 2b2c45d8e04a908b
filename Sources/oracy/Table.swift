/// The width of a terminal window whose size was never changed.
let terminalColumns = 80

extension [[String]] {
    /// Returns rows as lines of equally wide columns, two spaces apart.
    ///
    /// - Parameters:
    ///   - right: The right-aligned columns; 0 is the first.
    ///   - shrinking: The column whose cells are cut if a line would be wider than a terminal; nil if every cell must
    ///     stay complete for copying.
    func columns(right: ClosedRange<Int>? = nil, shrinking: Int? = nil) -> [String] {
        guard let header = first else { return [] }
        var rows = self
        var widths = header.indices.map { column in map { $0[column].count }.max()! }
        if let shrinking {
            let excess = widths.reduce(2 * (widths.count - 1), +) - terminalColumns
            widths[shrinking] -= Swift.max(0, Swift.min(excess, widths[shrinking] - 3))
            for row in rows.indices { rows[row][shrinking] = rows[row][shrinking].cut(to: widths[shrinking]) }
        }
        return rows.map { row in
            row.indices.map { column in
                let gap = String(repeating: " ", count: widths[column] - row[column].count)
                return right?.contains(column) == true ? gap + row[column] : row[column] + gap
            }.joined(separator: "  ").trimmingSuffix { $0 == " " }
        }
    }
}

extension Int {
    /// The number with a noun: "1 answer", "2 answers".
    func of(_ thing: String) -> String { "\(self) \(thing)\(self == 1 ? "" : "s")" }

    /// The size as people read it: `640 bytes`, `52.3 KB`, `1.2 MB`.
    var bytes: String {
        if self < 1_000 { return of("byte") }
        let (unit, name) =
            self < 999_950 ? (1_000, "KB") : self < 999_950_000 ? (1_000_000, "MB") : (1_000_000_000, "GB")
        let tenths = (self * 10 + unit / 2) / unit
        return "\(tenths / 10).\(tenths % 10) \(name)"
    }
}

extension String {
    /// Returns at most `most` characters; `...` replaces the rest.
    fileprivate func cut(to most: Int) -> String {
        count > most ? String(prefix(Swift.max(most - 3, 0)) + "...".prefix(most)) : self
    }

    fileprivate func trimmingSuffix(while drop: (Character) -> Bool) -> String {
        var text = self[...]
        while let last = text.last, drop(last) { text.removeLast() }
        return String(text)
    }
}
