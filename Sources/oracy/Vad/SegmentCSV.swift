import ExamCore
import Reports
import SessionFolders

extension [HeardFile] {
    /// A row for each segment of speech, or for each end of an answer if these were requested, in seconds with three
    /// decimals.
    var csv: String {
        CSVText.text(contains { $0.ends != nil } ? endRows : segmentRows)
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
