import ExamCore

/// What the words of an answer tell, or of several together: counted in a transcript, without any model, and only as right as the transcript.
///
/// ```swift
/// let profile = TextProfile(of: [.init(text: "I live in a small town", span: 3.2)], source: .own)
/// print(profile.wordsPerMinute ?? 0)
/// ```
public struct TextProfile: Codable, Equatable, Sendable {
    /// The rules that counted; it rises with them.
    public static let version = "text/1"

    public var version: String
    /// Whose transcript it was.
    public var source: AnswerTranscript.Source
    /// As people count them: `don't` is one.
    public var words: Int
    /// Over the time from the first to the last sound of speech, pauses included; nil where that time is not known.
    public var wordsPerMinute: Double?
    /// nil below `LexicalDiversity.fewest` tokens.
    public var diversity: LexicalDiversity?
    /// Tokens as the measures of diversity count them: `don't` is two.
    public var tokens: Int
    /// Rows of one word in each text; places are those in their own text.
    public var repetitions: [Repetition]
    /// The words that carry meaning and come most often, at most three; none in a short text.
    public var favourites: [Favourite]
    /// nil where there are no words.
    public var levels: VocabularyProfile?
    /// How much of a given sentence it was; nil where the words were the candidate's own.
    public var sequence: WordSequence?

    /// A word that comes often.
    public struct Favourite: Codable, Equatable, Sendable {
        public var word: String
        public var times: Int
    }

    /// The words of one answer.
    public struct Spoken: Sendable {
        public var text: String
        /// Seconds from the first to the last sound of speech; nil where it was not measured.
        public var span: Double?

        public init(text: String, span: Double?) {
            self.text = text
            self.span = span
        }
    }

    /// - Parameter texts: of one source, in the order of the exam.
    public init(of texts: [Spoken], source: AnswerTranscript.Source) {
        version = Self.version
        self.source = source
        let lists = texts.map(\.text.spokenWords)
        let all = lists.flatMap(\.self).map(\.text)
        let counted = texts.flatMap(\.text.diversityTokens)
        words = all.count
        tokens = counted.count
        diversity = LexicalDiversity(counted)
        repetitions = lists.flatMap(Repetition.all)
        favourites = Self.favourites(all)
        levels = VocabularyProfile(of: all)
        let spans = texts.compactMap(\.span)
        let time = spans.reduce(0, +)
        wordsPerMinute = spans.count == texts.count && time > 0 ? Double(all.count) * 60 / time : nil
    }

    /// From 50 words on; a word has to come four times, and oftener than once in 25 words.
    private static func favourites(_ words: [String]) -> [Favourite] {
        guard words.count >= 50 else { return [] }
        let counts = Dictionary(grouping: words.filter { !Lemmas.functionWords.contains($0) && $0.count > 2 }) {
            Lemmas.base(of: $0)
        }
        return counts.filter { $0.value.count >= max(4, words.count / 25) }
            .map { Favourite(word: $0.key, times: $0.value.count) }
            .sorted { ($1.times, $0.word) < ($0.times, $1.word) }.prefix(3).map(\.self)
    }
}
