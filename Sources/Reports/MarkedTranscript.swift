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

    private struct Shown {
        var mistake: Mistake
        var source: String
        var isPolish: Bool
        var place: Range<Int>
    }

    /// The first mistake, and the first correct passage that could be better.
    private var shown: [Shown] {
        let count = transcript.text.unicodeScalars.count
        let all = transcript.checks.flatMap { check in
            check.mistakes.compactMap { mistake -> Shown? in
                guard let start = mistake.start, let end = mistake.end, start >= 0, start < end, end <= count else {
                    return nil
                }
                let kind = (mistake.type ?? "").lowercased()
                let isPolish = ["style", "polish", "enhancement", "redundancy", "wordchoice"].contains(kind)
                return Shown(mistake: mistake, source: check.source, isPolish: isPolish, place: start..<end)
            }
        }
        let correction = all.first { !$0.isPolish }
        let polish = all.first { one in one.isPolish && !(correction?.place.overlaps(one.place) ?? false) }
        return [correction, polish].compactMap(\.self).sorted { $0.place.lowerBound < $1.place.lowerBound }
    }

    private var words: String {
        let scalars = Array(transcript.text.unicodeScalars)
        func piece(_ range: Range<Int>) -> String {
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars[range])
            return String(text).html
        }
        var (html, next) = ("", 0)
        for one in shown {
            html += piece(next..<one.place.lowerBound) + "<mark>\(piece(one.place))</mark>"
            next = one.place.upperBound
        }
        return html + piece(next..<scalars.count)
    }

    private var notes: [String] {
        shown.map { one in
            let kind = one.isPolish ? "Better" : "Correct"
            return """
                <li>\(kind): <del>\(one.mistake.original.html)</del> → <ins>\(one.mistake.correction.html)</ins> \
                <span class="faint">(\(one.source.html))</span></li>
                """
        }
    }
}
