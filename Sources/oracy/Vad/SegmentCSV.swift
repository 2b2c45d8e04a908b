import ExamKit

extension [HeardFile] {
    /// A row for each segment of speech, seconds with three decimals (RFC 4180, but for the line ends, which are Unix's).
    var csv: String {
        let rows = flatMap { file in
            file.segments.map { [file.name, $0.start.text, $0.end.text] }
        }
        return ([["file", "start_s", "end_s"]] + rows).map { row in
            row.map(\.csvField).joined(separator: ",") + "\n"
        }.joined()
    }
}

extension String {
    /// In quotation marks where it needs them.
    fileprivate var csvField: String {
        guard contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return self }
        return "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
