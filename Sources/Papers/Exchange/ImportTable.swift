import ExamCore

/// A table with named columns from a file that a person made.
///
/// Column names may be in capitals and contain spaces. Empty rows are skipped.
package struct ImportTable {
    package struct Row {
        /// The number of its first line, from 1.
        package var line: Int
        /// The cells that are not empty, by their columns.
        package var cells: [String: String]
        /// Cells that have no column.
        package var mistakes: [ImportMistake] = []

        /// Returns a cell, or an empty text if it has no value.
        package subscript(column: String) -> String { cells[column] ?? "" }
    }

    package private(set) var rows: [Row] = []
    /// The mistakes that concern no single row. If there are any, `rows` must not be used.
    package private(set) var mistakes: [ImportMistake] = []
    /// The mark between cells.
    package private(set) var separator: Unicode.Scalar = ","

    /// Reads a table.
    ///
    /// - Parameter names: returns the column's name, or an empty text to skip the column. `heading` is its heading in
    ///   the file, in lower case with `_` for spaces. `header` has all headings.
    /// - Parameter keepsLines: whether to keep line breaks in cells. Otherwise they become spaces.
    package init(
        _ bytes: [UInt8], required: [String], optional: [String], keepsLines: Bool = false,
        names: (_ heading: String, _ header: [String]) -> String = { heading, _ in heading }
    ) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            mistakes = [ImportMistake(line: 1, column: "file", .encoding, "save it as \"CSV UTF-8\"")]
            return
        }
        do throws(ImportMistake) {
            let table = try CSVReader.table(of: text)
            separator = table.separator
            var records = table.records.map { record in
                CSVReader.Record(
                    line: record.line, cells: record.cells.map { keepsLines ? String($0[...].trimmed) : $0.onOneLine })
            }
            records.removeAll { $0.cells.allSatisfy(\.isEmpty) }
            guard records.count > 1, let header = records.first else {
                let columns = required.joined(separator: ", ")
                throw ImportMistake(
                    line: 1, column: "file", .noRows, "write a line of columns (\(columns)) and a row for each question"
                )
            }
            let columns = columns(of: header, required, optional, names)
            let skipped = Set(columns.indices.filter { columns[$0].isEmpty && !(header.cells[$0].isEmpty) })
            for record in records.dropFirst() { rows.append(row(record, columns, skipped)) }
        } catch {
            mistakes.append(error)
        }
    }

    private mutating func columns(
        of header: CSVReader.Record, _ required: [String], _ optional: [String],
        _ names: (String, [String]) -> String
    ) -> [String] {
        let headings = header.cells.map { $0.lowercased().replacing(" ", with: "_") }
        let columns = headings.map { $0.isEmpty ? "" : names($0, headings) }
        let known = required + optional
        var seen: Set<String> = []
        for (column, written) in zip(columns, header.cells) where !column.isEmpty {
            if !known.contains(column) {
                mistakes.append(
                    ImportMistake(
                        line: header.line, column: written, value: written, .unknownColumn,
                        "remove it, or name it \(known.spoken)"))
            } else if !seen.insert(column).inserted {
                mistakes.append(
                    ImportMistake(
                        line: header.line, column: column, value: written, .doubleColumn,
                        "keep only one column with this name"
                    ))
            }
        }
        for column in required where !seen.contains(column) {
            mistakes.append(ImportMistake(line: header.line, column: column, .missingColumn, "add this column"))
        }
        return columns
    }

    private func row(_ record: CSVReader.Record, _ columns: [String], _ skipped: Set<Int>) -> Row {
        var row = Row(line: record.line, cells: [:])
        for (number, cell) in record.cells.enumerated() where !cell.isEmpty {
            if number < columns.count, !columns[number].isEmpty {
                row.cells[columns[number]] = cell
            } else if number >= columns.count || !skipped.contains(number) {
                row.mistakes.append(
                    ImportMistake(
                        line: record.line, column: "column \(number + 1)", value: cell, .extraCell,
                        "empty this cell, which has no column; put a cell with a comma in quotation marks"
                    ))
            }
        }
        return row
    }
}

extension String {
    /// The text without line breaks and without spaces around it.
    package var onOneLine: String {
        split(whereSeparator: \.isNewline).map(\.trimmed).filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension Substring {
    /// The text without white space around it.
    package var trimmed: Substring {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
