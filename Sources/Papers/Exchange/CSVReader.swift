import SystemSupport

/// Reads tables in the format of RFC 4180, and in the variants that spreadsheets write.
///
/// The separator is the one that a first line `sep=;` names, as Excel writes it. Otherwise it is `,`, `;` or tab,
/// whichever is most frequent in the first line. Lines may end as on Unix, Windows or old Macs. A cell in quotation
/// marks may contain separators and line ends. A byte order mark and the apostrophe that keeps spreadsheets from
/// computing a cell are skipped.
struct CSVReader {
    struct Record: Equatable {
        /// The number of its first line, from 1.
        var line: Int
        var cells: [String]
    }

    private let text: [Unicode.Scalar]
    private let separator: Unicode.Scalar
    private var place = 0
    private var line = 1

    /// Reads all records.
    ///
    /// - Throws: `quotes` if quotation marks are not in pairs.
    static func records(of text: String) throws(ImportMistake) -> [Record] { try table(of: text).records }

    /// Reads all records, and says which mark separates their cells.
    static func table(of text: String) throws(ImportMistake) -> (records: [Record], separator: Unicode.Scalar) {
        var reader = CSVReader(text)
        var records: [Record] = []
        while let record = try reader.next() { records.append(record) }
        return (records, reader.separator)
    }

    private init(_ text: String) {
        let scalars = text.unicodeScalars
        self.text = Array(scalars.first == "\u{FEFF}" ? scalars.dropFirst() : scalars[...])
        if let named = Self.namedSeparator(self.text) {
            separator = named.separator
            (place, line) = (named.end, 2)
            return
        }
        let header = self.text.prefix { !Self.endsLine($0) }
        let counts: [(separator: Unicode.Scalar, count: Int)] = [",", ";", "\t"].map { mark in
            (mark, header.count { $0 == mark })
        }
        separator = counts.max { $0.count < $1.count && $1.count > 0 }?.separator ?? ","
    }

    /// Returns the separator that the first line names, and the place of the next line. Nil if it names none.
    private static func namedSeparator(_ text: [Unicode.Scalar]) -> (separator: Unicode.Scalar, end: Int)? {
        let word = Array("sep=".unicodeScalars)
        var begin = 0
        let isQuoted = text.first == "\""
        if isQuoted { begin = 1 }
        guard text.count > begin + word.count,
            zip(text[begin...], word).allSatisfy({ $0.properties.lowercaseMapping == String($1) })
        else { return nil }
        let separator = text[begin + word.count]
        var end = begin + word.count + (isQuoted ? 2 : 1)
        guard !endsLine(separator), end >= text.count || endsLine(text[end]) else { return nil }
        if end < text.count, text[end] == "\r", end + 1 < text.count, text[end + 1] == "\n" { end += 1 }
        return (separator, min(end + 1, text.count))
    }

    private mutating func next() throws(ImportMistake) -> Record? {
        guard place < text.count else { return nil }
        var record = Record(line: line, cells: [])
        while true {
            record.cells.append(try cell(of: record))
            guard place < text.count else { return record }
            if text[place] == separator {
                place += 1
            } else {
                if text[place] == "\r", place + 1 < text.count, text[place + 1] == "\n" { place += 1 }
                place += 1
                line += 1
                return record
            }
        }
    }

    private mutating func cell(of record: Record) throws(ImportMistake) -> String {
        guard place < text.count, text[place] == "\"" else {
            let cell = text[place...].prefix { $0 != separator && !Self.endsLine($0) }
            place = cell.endIndex
            return Self.string(cell).unguardedCell
        }
        let column = "column \(record.cells.count + 1)"
        let begin = place + 1
        var cell: [Unicode.Scalar] = []
        place += 1
        while place < text.count {
            let scalar = text[place]
            place += 1
            if scalar != "\"" {
                cell.append(scalar)
                if scalar == "\n" || scalar == "\r" && !(place < text.count && text[place] == "\n") { line += 1 }
            } else if place < text.count, text[place] == "\"" {
                cell.append(scalar)
                place += 1
            } else {
                if place == text.count || text[place] == separator || Self.endsLine(text[place]) {
                    return Self.string(cell[...]).unguardedCell
                }
                throw ImportMistake(
                    line: record.line, column: column, value: Self.string(text[begin..<place]), .quotes,
                    "double each quotation mark inside a quoted cell")
            }
        }
        throw ImportMistake(
            line: record.line, column: column, value: Self.string(cell[...]), .quotes,
            "close the quotation mark that begins this cell")
    }

    private static func endsLine(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\r" }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}
