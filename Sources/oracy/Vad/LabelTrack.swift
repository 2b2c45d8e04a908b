import SessionFolders

extension HeardFile {
    /// A label track for Audacity's import (File, Import, Labels): start, end and words, separated by tabs. The end of
    /// an answer is a point: its start and end are equal.
    var labelTrack: String {
        let labels =
            segments.map { (start: $0.start, end: $0.end, words: "speech") }
            + (ends ?? []).map { (start: $0.at, end: $0.at, words: "end of answer: \($0.words)") }
        return labels.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
            .map { "\($0.start.text)\t\($0.end.text)\t\($0.words)\n" }.joined()
    }
}
