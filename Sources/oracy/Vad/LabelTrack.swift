import ExamKit

extension HeardFile {
    /// A label track as Audacity imports it (File, Import, Labels): start, end and a word, with tabs between them.
    var labelTrack: String {
        segments.map { "\($0.start.text)\t\($0.end.text)\tspeech\n" }.joined()
    }
}
