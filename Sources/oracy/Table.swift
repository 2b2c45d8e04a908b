/// What a terminal shows in a line, where nobody made its window wider or narrower.
let terminalColumns = 80

extension [[String]] {
    /// Rows as lines of equally wide columns, two spaces apart.
    ///
    /// - Parameters:
    ///   - right: the columns that are aligned to the right; 0 is the first.
    ///   - shrinking: the column whose cells are cut short where a line would be wider than a terminal; nil: none is, since each is
    ///     to be copied whole.
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
    /// "1 answer", "2 answers".
    func of(_ thing: String) -> String { "\(self) \(thing)\(self == 1 ? "" : "s")" }

    /// Bytes as people read them: `640 bytes`, `52.3 KB`, `1.2 MB`.
    var bytes: String {
        if self < 1_000 { return of("byte") }
        let (unit, name) =
            self < 999_950 ? (1_000, "KB") : self < 999_950_000 ? (1_000_000, "MB") : (1_000_000_000, "GB")
        let tenths = (self * 10 + unit / 2) / unit
        return "\(tenths / 10).\(tenths % 10) \(name)"
    }
}

extension String {
    /// At most so many characters; `...` stands for the rest.
    fileprivate func cut(to most: Int) -> String {
        count > most ? String(prefix(Swift.max(most - 3, 0)) + "...".prefix(most)) : self
    }

    fileprivate func trimmingSuffix(while drop: (Character) -> Bool) -> String {
        var text = self[...]
        while let last = text.last, drop(last) { text.removeLast() }
        return String(text)
    }
}
