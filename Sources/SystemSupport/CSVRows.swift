/// Rows of comma-separated values (RFC 4180), with their line numbers in the file.
package struct CSVRows: Sendable {
    package struct Row: Sendable {
        /// The line of the row's first character, from 1.
        package var line: Int
        package var fields: [String]
    }

    /// The names of the columns, from the first row.
    package let names: [String]
    package let rows: [Row]
    private let file: String

    /// Reads a file whose first row names the columns. A byte order mark and empty lines are skipped.
    ///
    /// - Parameter file: The file's name in messages: its path.
    /// - Throws: `Problem.malformed` if a quotation mark isn't closed, a row has another number of fields than the
    ///   first, or there are no rows.
    package init(_ bytes: [UInt8], file: String) throws(Problem) {
        var text = String(decoding: bytes, as: UTF8.self)
        if text.hasPrefix("\u{FEFF}") { text.removeFirst() }
        var all: [Row] = []
        var (line, fields, field, isQuoted, begun) = (1, [String](), "", false, 1)
        var wasQuote = false
        func endOfRow() {
            fields.append(field)
            if fields != [""] { all.append(Row(line: begun, fields: fields)) }
            (fields, field) = ([], "")
        }
        for letter in text {
            if isQuoted {
                if letter == "\"" { (isQuoted, wasQuote) = (false, true) } else { field.append(letter) }
            } else if letter == "\"" {
                // Two quotation marks inside a quoted field stand for one.
                if wasQuote { field.append(letter) }
                isQuoted = true
                wasQuote = false
                if letter.isNewline { line += 1 }
                continue
            } else if letter == "," {
                fields.append(field)
                field = ""
            } else if letter.isNewline {
                endOfRow()
                begun = line + 1
            } else {
                field.append(letter)
            }
            if letter != "\"" { wasQuote = false }
            if letter.isNewline { line += 1 }
        }
        guard !isQuoted else { throw Problem(.malformed, "\(file):\(begun): a quotation mark is not closed") }
        endOfRow()
        guard let first = all.first else {
            throw Problem(.malformed, "\(file): is empty; its first line should name the columns")
        }
        for row in all where row.fields.count != first.fields.count {
            throw Problem(
                .malformed,
                "\(file):\(row.line): has \(row.fields.count) fields; the first line has \(first.fields.count)")
        }
        (names, rows, self.file) = (first.fields, Array(all.dropFirst()), file)
    }

    /// Returns the index of a column.
    ///
    /// - Throws: `Problem.malformed` if the name is unknown.
    package func column(_ name: String) throws(Problem) -> Int {
        guard let place = names.firstIndex(of: name) else {
            throw Problem(.malformed, "\(file):1: has no column \"\(name)\"; it has \(names.joined(separator: ", "))")
        }
        return place
    }

    /// Returns a field as a number.
    ///
    /// - Throws: `Problem.malformed` if it isn't a number, or outside of the range.
    package func number(_ row: Row, _ column: Int, in range: ClosedRange<Double>) throws(Problem) -> Double {
        guard let value = Double(row.fields[column]), range.contains(value) else {
            throw Problem(
                .malformed,
                "\(file):\(row.line): \(names[column]): \"\(row.fields[column])\" is not a number from \(short(range.lowerBound)) to \(short(range.upperBound))"
            )
        }
        return value
    }

    private func short(_ value: Double) -> String { value == value.rounded() ? "\(Int(value))" : "\(value)" }
}
