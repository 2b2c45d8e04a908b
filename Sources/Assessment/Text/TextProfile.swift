/// Measures of the words of one or more answers. They are counted in a transcript without any model, and are only as
/// correct as the transcript.
///
/// ```swift
/// let profile = TextProfile(of: [.init(text: "I live in a small town", span: 3.2)], source: .own)
/// print(profile.wordsPerMinute ?? 0)
/// ```
public struct TextProfile: Codable, Equatable, Sendable {
    /// The version of the counting rules. It rises when they change.
    public static let version = "text/1"

    public var version: String
    /// The source of the transcript.
    public var source: AnswerTranscript.Source
    /// Words as people count them: `don't` is one.
    public var words: Int
    /// Words divided by the time from the first to the last sound of speech, including pauses. Nil if that time is
    /// unknown.
    public var wordsPerMinute: Double?
    /// Nil below `LexicalDiversity.fewest` tokens.
    public var diversity: LexicalDiversity?
    /// Tokens as the measures of diversity count them: `don't` is two.
    public var tokens: Int
    /// Repeated words in each text, with places in that text.
    public var repetitions: [Repetition]
    /// At most three words with a meaning of their own that occur most often. Empty for a short text.
    public var favourites: [Favourite]
    /// Nil without words.
    public var levels: VocabularyProfile?
    /// The comparison with a given sentence. Nil if the candidate used words of their own.
    public var sequence: WordSequence?
    /// The mark for reading or repeating a given text, by its phones. Nil if no phones were heard, or if the candidate
    /// used words of their own.
    public var reading: TextReading?

    /// A frequent word.
    public struct Favourite: Codable, Equatable, Sendable {
        public var word: String
        public var times: Int
    }

    /// The words of one answer.
    public struct Spoken: Sendable {
        public var text: String
        /// Seconds from the first to the last sound of speech. Nil if they were not measured.
        public var span: Double?

        public init(text: String, span: Double?) {
            self.text = text
            self.span = span
        }
    }

    /// Measures texts.
    ///
    /// - Parameter texts: texts from one source, in the order of the exam.
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

    /// Returns the frequent words of a text with at least 50 words. A word has to occur at least four times, and at
    /// least once in 25 words.
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
