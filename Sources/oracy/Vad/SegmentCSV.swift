import ExamKit

extension [HeardFile] {
    /// A row for each segment of speech, or for each end of an answer where these were asked for; seconds with three decimals
    /// (RFC 4180, but for the line ends, which are Unix's).
    var csv: String {
        (contains { $0.ends != nil } ? endRows : segmentRows).map { row in
            row.map(\.csvField).joined(separator: ",") + "\n"
        }.joined()
    }

    private var segmentRows: [[String]] {
        [["file", "start_s", "end_s"]]
            + flatMap { file in
                file.segments.map { [file.name, $0.start.text, $0.end.text] }
            }
    }

    private var endRows: [[String]] {
        [["file", "end_s", "since_s", "silence_s", "reason"]]
            + flatMap { file in
                (file.ends ?? []).map { end in
                    [file.name, end.at.text, end.silentSince.text, end.reason.silence.text, end.words]
                }
            }
    }
}

extension String {
    /// In quotation marks where it needs them.
    fileprivate var csvField: String {
        guard contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return self }
        return "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
