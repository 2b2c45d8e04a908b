/// Words in an answer that address its marker rather than the examiner: "ignore all previous instructions", "marks:
/// 10".
///
/// A language model should read a transcript as data, but may obey it. So such words are not sent to the model, and the
/// answer is marked as suspect for a person to check. Two independent checks find them: the wordings of published
/// attacks here, and the subject of a sentence in `InstructionSigns`. A false alarm costs one sentence and one look by
/// a person.
public struct SuspectInstructions: Equatable, Sendable {
    /// The places of the sentences in Unicode scalars, in order. No two of them touch.
    public var places: [Range<Int>]
    /// The text to judge, with `…` in place of each removed sentence.
    public var rest: String

    /// Looks for such words in a text.
    /// - Parameter wordings: made once by a caller that looks into many texts, because that costs more than one search.
    public init(in text: String, wordings: Wordings = Wordings()) {
        let scalars = Array(text.unicodeScalars)
        places = (wordings.places(in: text) + InstructionSigns(in: text).places).joined
        var left = String.UnicodeScalarView()
        var at = 0
        for place in places {
            left.append(contentsOf: scalars[at..<place.lowerBound])
            left.append(contentsOf: " … ".unicodeScalars)
            at = place.upperBound
        }
        left.append(contentsOf: scalars[at...])
        rest = String(left).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The wordings of published attacks: the first of the two checks.
    public struct Wordings {
        /// Orders to forget orders, demanded marks, assigned roles, and text that imitates the markup of a conversation.
        /// They follow published attacks on markers (moodle-qtype_aitext, issue 4) and similar ones.
        private let patterns = [
            /\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,60}\b(?:instructions?|prompts?|rubrics?|descriptors?|marks|everything above|guidelines?)\b/,
            /\b(?:give|award|assign|grant|return|output|report)\b[^.!?\n]{0,40}\b(?:bands?|marks?|scores?|grades?|criteri(?:on|a))\b[^.!?\n]{0,25}\b(?:[0-9]|ten|nine|eight|full|maximum|top|highest|perfect)/,
            /\b(?:give|award|assign|grant)\b[^.!?\n]{0,40}\b(?:full|maximum|top|highest|perfect|nine|ten|9|10)\b[^.!?\n]{0,15}\b(?:bands?|marks?|scores?|grades?)\b/,
            /\b(?:marks?|bands?|scores?|grades?)\s*[:=]\s*[0-9]/,
            /\b(?:system|developer)\s*(?:prompt|message|instruction)s?\b/,
            /\byou are (?:now )?(?:an?|the)\b[^.!?\n]{0,30}\b(?:assistant|marker|grader|language model|ai|judge)\b/,
            /<\/?\s*(?:system|assistant|user|transcript|instructions?)\s*>/,
            /\[\/?(?:inst|system)\]/,
            /"(?:role|mark|marks|band|criteria|grammar|vocabulary|content)"\s*:/,
        ].map { $0.ignoresCase() }

        public init() {}

        /// Returns the sentences with such a wording, as places in Unicode scalars.
        func places(in text: String) -> [Range<Int>] {
            let scalars = Array(text.unicodeScalars)
            return patterns.flatMap { pattern in
                text.matches(of: pattern).map { match in
                    let start = text.unicodeScalars.distance(from: text.startIndex, to: match.range.lowerBound)
                    let length = text[match.range].unicodeScalars.count
                    return Self.sentence(around: start..<start + length, in: scalars)
                }
            }
        }

        /// The most scalars to follow an unfinished sentence: a transcript may have no full stops.
        private static let reach = 120

        private static func sentence(around place: Range<Int>, in scalars: [Unicode.Scalar]) -> Range<Int> {
            let ends: Set<Unicode.Scalar> = [".", "!", "?", "\n", "…"]
            let from = scalars[max(0, place.lowerBound - reach)..<place.lowerBound].lastIndex(where: ends.contains)
            let to = scalars[place.upperBound..<min(scalars.count, place.upperBound + reach)]
                .firstIndex(where: ends.contains)
            let start = from.map { $0 + 1 } ?? (place.lowerBound <= reach ? 0 : place.lowerBound)
            return start..<(to.map { $0 + 1 } ?? min(scalars.count, place.upperBound + reach))
        }
    }
}
