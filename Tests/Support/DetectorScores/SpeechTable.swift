/// An error in a table, with the line.
public struct SpeechTableError: Error, Equatable, CustomStringConvertible, Sendable {
    public let line: Int
    public let reason: String

    public var description: String { "line \(line) \(reason)" }
}

extension Speech {
    /// Reads CSV with the header `file,start_s,end_s`: a row for each stretch, in any order.
    ///
    /// - Returns: The speech by file. A file without speech has no row and is missing.
    public static func byFile(csv: String) throws(SpeechTableError) -> [String: Speech] {
        var stretches: [String: [Range<Double>]] = [:]
        for row in try rows(of: csv, under: "file,start_s,end_s") {
            guard row.numbers[0] <= row.numbers[1] else {
                throw SpeechTableError(line: row.line, reason: "ends before it begins")
            }
            stretches[row.file, default: []].append(row.numbers[0]..<row.numbers[1])
        }
        return stretches.mapValues { Speech($0) }
    }

    /// Reads CSV with the header `file,end_s`. Returns the moments at which an answer was declared over, by file.
    public static func declaredEnds(csv: String) throws(SpeechTableError) -> [String: [Double]] {
        try rows(of: csv, under: "file,end_s").reduce(into: [:]) { $0[$1.file, default: []].append($1.numbers[0]) }
    }

    private static func rows(of csv: String, under header: String) throws(SpeechTableError) -> [(
        line: Int, file: String, numbers: [Double]
    )] {
        let lines = csv.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard lines[0] == header else { throw SpeechTableError(line: 1, reason: "is not \(header)") }
        let columns = header.count { $0 == "," }
        var rows: [(line: Int, file: String, numbers: [Double])] = []
        for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty {
            // A name may contain commas, the other fields don't.
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            let numbers = fields.suffix(columns).compactMap { Double($0) }.filter(\.isFinite)
            guard fields.count > columns, numbers.count == columns else {
                throw SpeechTableError(line: index + 1, reason: "has no file and \(columns) seconds")
            }
            rows.append((index + 1, fields.dropLast(columns).joined(separator: ","), numbers))
        }
        return rows
    }
}
