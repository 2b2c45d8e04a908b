import Glibc

/// The width for tables and prose in columns.
var terminalColumns: Int { TerminalWidth.layout }

extension [[String]] {
    /// Returns rows as lines of equally wide columns, two spaces apart. If they would be too wide for a terminal, cells
    /// are wrapped between words, the widest columns first. For a program, each row stays a line.
    ///
    /// - Parameters:
    ///   - right: The right-aligned columns; 0 is the first.
    ///   - shrinking: The column whose cells are shortened first; nil if every cell must stay complete for copying.
    ///   - indent: The spaces before each line.
    ///   - width: The width of the terminal; nil for that of standard output.
    func columns(
        right: ClosedRange<Int>? = nil, shrinking: Int? = nil, indent: Int = 0, width: Int? = nil
    ) -> [String] {
        rowLines(right: right, shrinking: shrinking, indent: indent, width: width).flatMap(\.self)
    }

    /// Returns the lines of each row, drawn as by `columns`.
    func rowLines(
        right: ClosedRange<Int>? = nil, shrinking: Int? = nil, indent: Int = 0, width: Int? = nil
    ) -> [[String]] {
        guard let header = first else { return [] }
        var rows = self
        var widths = header.indices.map { column in map { $0[column].columns }.max()! }
        var excess: Int { widths.reduce(2 * (widths.count - 1), +) + indent - (width ?? terminalColumns) }
        if let shrinking, excess > 0 {
            // Shorter cells say nothing any more. Then all columns are wrapped instead.
            let shortened = Swift.max(widths[shrinking] - excess, Swift.min(widths[shrinking], 12))
            widths[shrinking] = shortened
            for row in rows.indices { rows[row][shrinking] = rows[row][shrinking].cut(to: shortened) }
            widths[shrinking] = rows.map { $0[shrinking].columns }.max()!
        }
        let isWrapped = width != nil || TerminalWidth.lines(to: STDOUT_FILENO) != nil
        // A narrow cell, such as "110.2 KB", stays on its line.
        let least = header.indices.map { column in
            Swift.max(rows.map { $0[column].longestWord }.max()!, Swift.min(widths[column], 10))
        }
        while isWrapped, excess > 0,
            let widest = widths.indices.filter({ widths[$0] > least[$0] }).max(by: { widths[$0] < widths[$1] })
        {
            widths[widest] -= 1
        }
        // Ids that are too long for the rest of their row stand above it.
        if isWrapped, excess > 0 { widths[0] = Swift.max(4, widths[0] - excess) }
        let margin = String(repeating: " ", count: indent)
        return rows.map { row in
            var row = row
            var head: [String] = []
            if row[0].longestWord > widths[0] {
                head = [margin + row[0]]
                row[0] = ""
                if row.allSatisfy(\.isEmpty) { return head }
            }
            let cells = row.indices.map {
                row[$0].columns > widths[$0] ? row[$0].wrappedCell(to: widths[$0]) : [row[$0]]
            }
            return head
                + (0..<cells.map(\.count).max()!).map { line in
                    let texts = row.indices.map { column in
                        let text = line < cells[column].count ? cells[column][line] : ""
                        let gap = String(repeating: " ", count: Swift.max(0, widths[column] - text.columns))
                        return right?.contains(column) == true ? gap + text : text + gap
                    }
                    return (margin + texts.joined(separator: "  ")).trimmingSuffix { $0 == " " }
                }
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
    /// Returns at most `most` columns; `...` replaces the rest, after a whole word if there is one.
    fileprivate func cut(to most: Int) -> String {
        guard columns > most else { return self }
        let begin = clipped(to: most, ellipsis: "...").dropLast(3)
        let rest = dropFirst(begin.count)
        guard rest.first != " ", let space = begin.lastIndex(of: " ") else {
            return begin.trimmingSuffix { $0 == " " } + "..."
        }
        let words = begin[..<space].trimmingSuffix { $0 == " " }
        return (words.isEmpty ? String(begin) : words) + "..."
    }

    /// The width of the widest word, with the spaces before the first one.
    fileprivate var longestWord: Int {
        let indent = prefix { $0 == " " }.count
        return split(separator: " ").enumerated().map { $1.columns + ($0 == 0 ? indent : 0) }.max() ?? 0
    }

    /// Returns the lines of a cell, below each other.
    fileprivate func wrappedCell(to width: Int) -> [String] {
        let indent = String(prefix { $0 == " " })
        return dropFirst(indent.count).wrapped(to: Swift.max(1, width - indent.count)).map { indent + $0 }
    }
}

extension StringProtocol {
    fileprivate func trimmingSuffix(while drop: (Character) -> Bool) -> String {
        var text = self[...]
        while let last = text.last, drop(last) { text.removeLast() }
        return String(text)
    }
}
