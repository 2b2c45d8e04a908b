public import Assessment
public import SystemSupport

/// Something that finds mistakes of grammar in what was said: `HarperChecker`, `LanguageToolChecker`.
public protocol LanguageChecking: Sendable {
    /// Checks a transcript.
    ///
    /// What is written and not heard (capitals, commas, spelling) is no mistake of a speaker's, and is left out.
    ///
    /// - Parameter text: up to `LanguageCheckLimits.characters`.
    /// - Throws: `Problem.unavailable` where the checker is not there, does not answer in time or answers nonsense; `malformed` where the
    ///   text is too long.
    func check(_ text: String) async throws(Problem) -> LanguageCheck
}

/// What a checker may take and give.
public enum LanguageCheckLimits {
    /// Characters of a text: twenty minutes of quick speech, and what LanguageTool's public server takes at most.
    public static let characters = 20_000
    /// Mistakes that are kept of one text.
    public static let mistakes = 200
    /// Of one check.
    public static let time = Duration.seconds(20)
    /// Bytes of an answer.
    static let answer = 1 << 20

    static func check(_ text: String) throws(Problem) {
        guard text.count <= characters else {
            throw Problem(
                .malformed, "the transcript has \(text.count) characters; a grammar check takes \(characters)")
        }
    }
}

/// Something a checker found, before it is known to be a mistake of a speaker's.
struct FoundMistake {
    /// In Unicode scalars of the text.
    var start, end: Int
    var correction: String
    /// Whether it is right as it stands, and could be put better.
    var isStyle: Bool
    /// In the checker's own words: `agreement`.
    var category: String
}

extension LanguageCheck {
    /// What is heard of what was found, in order; places outside the text and what stands over something before it are left out.
    init(source: String, _ found: [FoundMistake], in text: String) {
        let scalars = Array(text.unicodeScalars)
        var mistakes: [Mistake] = []
        var end = 0
        for one in found.sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) })
        where one.start >= end && one.start < one.end && one.end <= scalars.count {
            var original = String.UnicodeScalarView()
            original.append(contentsOf: scalars[one.start..<one.end])
            guard String(original).asHeard != one.correction.asHeard else { continue }
            mistakes.append(
                Mistake(
                    original: String(original), correction: one.correction, type: one.isStyle ? "style" : "grammar",
                    category: one.category, start: one.start, end: one.end))
            end = one.end
        }
        self.init(source: source, mistakes: Array(mistakes.prefix(LanguageCheckLimits.mistakes)))
    }
}

extension String {
    /// Letters and digits in lower case: `home town` and `hometown` sound the same.
    fileprivate var asHeard: String { String(lowercased().filter { $0.isLetter || $0.isNumber }) }
}
