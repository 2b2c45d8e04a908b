import Assessment

/// A transcript with its source and with at most one correction and one improvement, because a learner cannot keep more
/// in mind from one answer.
struct MarkedTranscript {
    private let transcript: AnswerTranscript

    init(_ transcript: AnswerTranscript) {
        self.transcript = transcript
    }

    var html: String {
        """
        <h4>\(title)</h4>
        <p>\(words)</p>
        \(shown.isEmpty ? "" : "<ul>\(notes.joined(separator: "\n"))</ul>")
        """
    }

    private var title: String {
        switch transcript.source {
        case .own: "What was said, as the candidate typed it"
        case .recogniser:
            "What was said, as \(transcript.recogniser?.id.html ?? "a program") heard it; it may be wrong"
                + (transcript.isVerbatim == false ? ", and it leaves out fillers" : "")
                + (transcript.isPartial == true ? "; parts are missing" : "")
        }
    }

    /// The first mistake, and the first correct passage that could be better.
    private var shown: [PlacedMistake] {
        let all = transcript.placedMistakes
        let (correction, polish) = (all.first { !$0.mistake.isPolish }, all.first { $0.mistake.isPolish })
        return [correction, polish].compactMap(\.self).sorted { $0.place.lowerBound < $1.place.lowerBound }
    }

    private var words: String {
        transcript.cut(at: shown).map { words, one in one == nil ? words.html : "<mark>\(words.html)</mark>" }.joined()
    }

    private var notes: [String] {
        shown.map { one in
            let kind = one.mistake.isPolish ? "Better" : "Correct"
            return """
                <li>\(kind): <del>\(one.mistake.original.html)</del> → <ins>\(one.mistake.correction.html)</ins> \
                <span class="faint">(\(one.source.html))</span></li>
                """
        }
    }
}
