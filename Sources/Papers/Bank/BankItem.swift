public import ExamCore

/// A piece of a bank that stands in a paper as a whole: a frame of questions, or a card with what belongs to it. A file holds one.
///
/// Items are words only: who asks, how long one may speak and what ends an answer is a format's.
public enum BankItem: Equatable, Sendable {
    case frame(BankFrame)
    case card(BankCard)

    /// The version of the layout of an item's file; a reader refuses any other.
    public static let layoutVersion = 1

    /// Letters, digits and `-`; unique in a bank, and the file's name.
    public var id: String { about.id }

    /// What all items have.
    public var about: BankLabel {
        switch self {
        case .frame(let frame): frame.about
        case .card(let card): card.about
        }
    }
}

/// How an item is called and found.
public struct BankLabel: Equatable, Sendable {
    public var id: String
    public var title: String
    public var difficulty: Paper.Difficulty
    /// 3 to 8 words, or the beginnings of words, in small letters: the item is found by them, and two that share one do not stand in the same
    /// paper.
    public var keywords: [String]
    /// Who wrote it, where that was no person: a model's name. A person looked at it before it came into a bank.
    public var writtenBy: String?
    /// What it is in, as a language tag: `zh`; nil: English.
    public var language: String?

    public init(
        id: String, title: String, difficulty: Paper.Difficulty, keywords: [String], writtenBy: String? = nil,
        language: String? = nil
    ) {
        self.id = id
        self.title = title
        self.difficulty = difficulty
        self.keywords = keywords
        self.writtenBy = writtenBy
        self.language = language
    }
}

/// Questions on one topic, for a section that takes frames: `topics`, `home-or-work`, `interview`, `listen-and-repeat` …
public struct BankFrame: Equatable, Sendable {
    public var about: BankLabel
    /// The section of papers that it is for.
    public var section: String
    /// Said before the first question.
    public var lead: String?
    /// Heard before the first question, and never shown.
    public var passage: String?
    /// Shown with each of the questions.
    public var picture: Paper.Picture?
    public var questions: [BankQuestion]

    public init(
        about: BankLabel, section: String, lead: String? = nil, passage: String? = nil, picture: Paper.Picture? = nil,
        questions: [BankQuestion]
    ) {
        self.about = about
        self.section = section
        self.lead = lead
        self.passage = passage
        self.picture = picture
        self.questions = questions
    }
}

/// A card for a long turn, with the questions that round it off and the frames that look at its subject more widely.
public struct BankCard: Equatable, Sendable {
    public var about: BankLabel
    public var card: Paper.Card
    /// Two.
    public var roundingOff: [String]
    /// Two: a paper has both.
    public var discussions: [Discussion]

    public struct Discussion: Codable, Equatable, Sendable {
        /// Unique in a bank.
        public var id: String
        public var lead: String
        public var questions: [BankQuestion]

        public init(id: String, lead: String, questions: [BankQuestion]) {
            self.id = id
            self.lead = lead
            self.questions = questions
        }
    }

    public init(about: BankLabel, card: Paper.Card, roundingOff: [String], discussions: [Discussion]) {
        self.about = about
        self.card = card
        self.roundingOff = roundingOff
        self.discussions = discussions
    }
}

/// One question of a bank.
public struct BankQuestion: Codable, Equatable, Sendable {
    public var text: String
    public var bloom: Bloom
    /// The same in easier words.
    public var rephrased: String?
    /// Asked once after too short an answer.
    public var followUp: String?
    /// What is chosen between and then spoken for: two.
    public var alternatives: [Paper.Alternative]?
    /// What a right answer says, in small letters, where there is a right one.
    public var answers: [String]?

    public init(
        text: String, bloom: Bloom, rephrased: String? = nil, followUp: String? = nil,
        alternatives: [Paper.Alternative]? = nil, answers: [String]? = nil
    ) {
        self.text = text
        self.bloom = bloom
        self.rephrased = rephrased
        self.followUp = followUp
        self.alternatives = alternatives
        self.answers = answers
    }
}

/// What a question asks of a mind: Bloom's levels as Anderson and Krathwohl revised them (2001), the lowest first (P5).
public enum Bloom: String, Choice, Comparable {
    case remember, understand, apply, analyze, evaluate, create

    public static func < (one: Bloom, other: Bloom) -> Bool {
        allCases.firstIndex(of: one)! < allCases.firstIndex(of: other)!
    }
}

/// The files of items: `{"version": 1, "kind": "frame" | "card", …}`.
extension BankItem: Codable {
    private enum Kind: String, Choice { case frame, card }

    private enum Field: CodingKey {
        case version, kind, id, title, difficulty, keywords, writtenBy, language, section, lead, passage, picture
        case questions, card, roundingOff, discussions
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        let about = BankLabel(
            id: try fields.decode(String.self, forKey: .id), title: try fields.decode(String.self, forKey: .title),
            difficulty: try fields.decode(Paper.Difficulty.self, forKey: .difficulty),
            keywords: try fields.decode([String].self, forKey: .keywords),
            writtenBy: try fields.decodeIfPresent(String.self, forKey: .writtenBy),
            language: try fields.decodeIfPresent(String.self, forKey: .language))
        switch try fields.decode(Kind.self, forKey: .kind) {
        case .frame:
            self = .frame(
                BankFrame(
                    about: about, section: try fields.decode(String.self, forKey: .section),
                    lead: try fields.decodeIfPresent(String.self, forKey: .lead),
                    passage: try fields.decodeIfPresent(String.self, forKey: .passage),
                    picture: try fields.decodeIfPresent(Paper.Picture.self, forKey: .picture),
                    questions: try fields.decode([BankQuestion].self, forKey: .questions)))
        case .card:
            self = .card(
                BankCard(
                    about: about, card: try fields.decode(Paper.Card.self, forKey: .card),
                    roundingOff: try fields.decode([String].self, forKey: .roundingOff),
                    discussions: try fields.decode([BankCard.Discussion].self, forKey: .discussions)))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode(Self.layoutVersion, forKey: .version)
        try fields.encode(about.id, forKey: .id)
        try fields.encode(about.title, forKey: .title)
        try fields.encode(about.difficulty, forKey: .difficulty)
        try fields.encode(about.keywords, forKey: .keywords)
        try fields.encodeIfPresent(about.writtenBy, forKey: .writtenBy)
        try fields.encodeIfPresent(about.language, forKey: .language)
        switch self {
        case .frame(let frame):
            try fields.encode(Kind.frame, forKey: .kind)
            try fields.encode(frame.section, forKey: .section)
            try fields.encodeIfPresent(frame.lead, forKey: .lead)
            try fields.encodeIfPresent(frame.passage, forKey: .passage)
            try fields.encodeIfPresent(frame.picture, forKey: .picture)
            try fields.encode(frame.questions, forKey: .questions)
        case .card(let card):
            try fields.encode(Kind.card, forKey: .kind)
            try fields.encode(card.card, forKey: .card)
            try fields.encode(card.roundingOff, forKey: .roundingOff)
            try fields.encode(card.discussions, forKey: .discussions)
        }
    }
}
