public import ExamCore

/// Lessons of one kind, in the order in which they are learned.
public struct LessonCategory: Codable, Equatable, Sendable, Identifiable {
    /// The version of the file's layout. A reader refuses any other version.
    public static let layoutVersion = 1

    public var version = Self.layoutVersion
    /// Letters, digits and `-`: `phrasal-verbs`.
    public var id: String
    public var title: String
    public var lessons: [Lesson]
}

public struct Lesson: Codable, Equatable, Sendable, Identifiable {
    /// Unique within its category.
    public var id: String
    public var title: String
    /// The topic of its items in a word or two. Questions made from the lesson have this topic.
    public var topic: String
    public var items: [LessonItem]
}

/// An item that a lesson teaches. In a file, its first field tells its type: `word`, `idiom`, `phrasalVerb`, `marker`,
/// `question`, or `kind` for pronunciation.
public enum LessonItem: Equatable, Sendable, Identifiable {
    case word(Word)
    case idiom(Idiom)
    case phrasalVerb(PhrasalVerb)
    case marker(Marker)
    case answer(SampleAnswer)
    case minimalPair(MinimalPair)
    case stress(WordStress)

    /// A level of the Common European Framework of Reference.
    public enum Level: String, Choice {
        case a1 = "A1"
        case a2 = "A2"
        case b1 = "B1"
        case b2 = "B2"
        case c1 = "C1"
        case c2 = "C2"
    }

    public enum PartOfSpeech: String, Choice { case noun, verb, adjective, adverb }

    public struct Word: Codable, Equatable, Sendable {
        public var id: String
        public var word: String
        public var partOfSpeech: PartOfSpeech
        public var subtopic: String
        public var level: Level
        /// The British pronunciation in the International Phonetic Alphabet, between slashes.
        public var ipa: String
        public var definition: String
        public var examples: [ExampleSentence]
    }

    public struct Idiom: Codable, Equatable, Sendable {
        public var id: String
        public var idiom: String
        public var level: Level
        public var meaning: String
        public var examples: [ExampleSentence]
    }

    public struct PhrasalVerb: Codable, Equatable, Sendable {
        public var id: String
        public var phrasalVerb: String
        public var level: Level
        public var definition: String
        public var examples: [ExampleSentence]
    }

    /// A word or two that connect one thought with another.
    public struct Marker: Codable, Equatable, Sendable {
        public var id: String
        public var marker: String
        public var level: Level
        /// The situation in which people say it.
        public var use: String
        public var examples: [ExampleSentence]
    }

    public struct SampleAnswer: Codable, Equatable, Sendable {
        public var id: String
        public var question: String
        /// The points of the card, if the question has one.
        public var points: [String]?
        public var level: Level
        public var topic: String
        public var answer: String
        /// Another complete answer, with a different opinion.
        public var alternative: String
        /// The strengths of the answer.
        public var note: String
    }

    /// Two words that differ in one sound.
    public struct MinimalPair: Codable, Equatable, Sendable {
        public var id: String
        public var word: String
        public var ipa: String
        public var other: Other
        public var level: Level
        /// The typical mistake of learners and how to avoid it.
        public var mistake: String
        public var example: ExampleSentence

        public struct Other: Codable, Equatable, Sendable {
            public var word: String
            public var ipa: String
        }
    }

    public struct WordStress: Codable, Equatable, Sendable {
        public var id: String
        public var word: String
        public var ipa: String
        public var syllables: [String]
        /// The index of the strongest syllable, from 0.
        public var stressed: Int
        public var level: Level
        public var mistake: String
        public var example: ExampleSentence
    }

    public var id: String {
        switch self {
        case .word(let item): item.id
        case .idiom(let item): item.id
        case .phrasalVerb(let item): item.id
        case .marker(let item): item.id
        case .answer(let item): item.id
        case .minimalPair(let item): item.id
        case .stress(let item): item.id
        }
    }

    public var level: Level {
        switch self {
        case .word(let item): item.level
        case .idiom(let item): item.level
        case .phrasalVerb(let item): item.level
        case .marker(let item): item.level
        case .answer(let item): item.level
        case .minimalPair(let item): item.level
        case .stress(let item): item.level
        }
    }

    /// The word or phrase to learn.
    public var title: String {
        switch self {
        case .word(let item): item.word
        case .idiom(let item): item.idiom
        case .phrasalVerb(let item): item.phrasalVerb
        case .marker(let item): item.marker
        case .answer(let item): item.question
        case .minimalPair(let item): "\(item.word), \(item.other.word)"
        case .stress(let item): item.word
        }
    }
}

extension LessonItem.Level {
    /// The difficulty of questions that are made from the item.
    public var difficulty: Paper.Difficulty {
        switch self {
        case .a1, .a2, .b1: .easy
        case .b2: .medium
        case .c1, .c2: .hard
        }
    }
}

/// A sentence and the words that it illustrates. In a file asterisks surround them: `Repairs *cost an arm and a leg*
/// here.`
public struct ExampleSentence: Codable, Equatable, Sendable {
    public let before: String
    /// The words as they appear in the sentence.
    public let words: String
    public let after: String

    /// Reads a marked sentence. Nil unless exactly one place is marked.
    public init?(_ marked: String) {
        let parts = marked.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, !parts[1].isEmpty else { return nil }
        (before, words, after) = (parts[0], parts[1], parts[2])
    }

    public init(from decoder: any Decoder) throws {
        let marked = try decoder.singleValueContainer().decode(String.self)
        guard let sentence = ExampleSentence(marked) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "should mark its words between asterisks, once: \"\(marked)\""))
        }
        self = sentence
    }

    public func encode(to encoder: any Encoder) throws {
        var field = encoder.singleValueContainer()
        try field.encode("\(before)*\(words)*\(after)")
    }

    public var text: String { before + words + after }
    /// The sentence with a gap for the words.
    public var gapped: String { before + "___" + after }
}

extension LessonItem: Codable {
    private enum Field: String, CodingKey { case word, idiom, phrasalVerb, marker, question, kind }
    private enum Kind: String, Choice { case minimalPair, stress }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        if fields.contains(.kind) {
            switch try fields.decode(Kind.self, forKey: .kind) {
            case .minimalPair: self = .minimalPair(try MinimalPair(from: decoder))
            case .stress: self = .stress(try WordStress(from: decoder))
            }
        } else if fields.contains(.word) {
            self = .word(try Word(from: decoder))
        } else if fields.contains(.idiom) {
            self = .idiom(try Idiom(from: decoder))
        } else if fields.contains(.phrasalVerb) {
            self = .phrasalVerb(try PhrasalVerb(from: decoder))
        } else if fields.contains(.marker) {
            self = .marker(try Marker(from: decoder))
        } else if fields.contains(.question) {
            self = .answer(try SampleAnswer(from: decoder))
        } else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "should have word, idiom, phrasalVerb, marker, question or kind"))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        func kind(_ kind: Kind) throws {
            var fields = encoder.container(keyedBy: Field.self)
            try fields.encode(kind, forKey: .kind)
        }
        switch self {
        case .word(let item): try item.encode(to: encoder)
        case .idiom(let item): try item.encode(to: encoder)
        case .phrasalVerb(let item): try item.encode(to: encoder)
        case .marker(let item): try item.encode(to: encoder)
        case .answer(let item): try item.encode(to: encoder)
        case .minimalPair(let item):
            try kind(.minimalPair)
            try item.encode(to: encoder)
        case .stress(let item):
            try kind(.stress)
            try item.encode(to: encoder)
        }
    }
}
