public import Assessment
public import SystemSupport

/// Finds grammar mistakes in spoken words: `HarperChecker`, `LanguageToolChecker`.
public protocol LanguageChecking: Sendable {
    /// Checks a transcript.
    ///
    /// Capitals, commas and spelling cannot be heard, so a speaker cannot get them wrong. They are left out.
    ///
    /// - Parameter text: up to `LanguageCheckLimits.characters`.
    /// - Throws: `Problem.unavailable` if the checker is missing, does not answer in time or gives an invalid answer,
    ///   `malformed` if the text is too long.
    func check(_ text: String) async throws(Problem) -> LanguageCheck
}

/// The limits of a check.
public enum LanguageCheckLimits {
    /// The maximum number of characters in a text: twenty minutes of fast speech, and the limit of LanguageTool's
    /// public server.
    public static let characters = 20_000
    /// The maximum number of mistakes kept for one text.
    public static let mistakes = 200
    /// The time for one check.
    public static let time = Duration.seconds(20)
    /// The maximum size of an answer in bytes.
    static let answer = 1 << 20

    static func check(_ text: String) throws(Problem) {
        guard text.count <= characters else {
            throw Problem(
                .malformed, "the transcript has \(text.count) characters; a grammar check takes \(characters)")
        }
    }
}

/// A checker's finding, before it is known to be a speaker's mistake.
struct FoundMistake {
    /// The range in Unicode scalars of the text.
    var start, end: Int
    var correction: String
    /// Whether the text is right as it is but has a better wording.
    var isStyle: Bool
    /// The category in the checker's own words: `agreement`.
    var category: String
}

extension LanguageCheck {
    /// Keeps the findings that can be heard, in order. Findings outside the text or overlapping an earlier one are left
    /// out.
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
    /// The letters and digits in lower case: `home town` and `hometown` sound the same.
    fileprivate var asHeard: String { String(lowercased().filter { $0.isLetter || $0.isNumber }) }
}
