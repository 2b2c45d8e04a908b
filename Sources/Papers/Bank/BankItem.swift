public import ExamCore

/// A piece of a bank that a paper uses as a whole: a frame of questions, or a card with its questions. Each file holds
/// one item.
///
/// Items contain only text. The format decides who asks, how long a candidate may speak and what ends an answer.
public enum BankItem: Equatable, Sendable {
    case frame(BankFrame)
    case card(BankCard)

    /// The version of the layout of an item's file. A reader refuses any other version.
    public static let layoutVersion = 1

    /// Letters, digits and `-`. Unique in a bank. It is also the file's name.
    public var id: String { about.id }

    /// The facts that every item has.
    public var about: BankLabel {
        switch self {
        case .frame(let frame): frame.about
        case .card(let card): card.about
        }
    }
}

/// The name of an item and the facts by which it is found.
public struct BankLabel: Equatable, Sendable {
    public var id: String
    public var title: String
    public var difficulty: Paper.Difficulty
    /// 3 to 8 words, or beginnings of words, in lower case. They are used to find the item, and two items that share
    /// one do not appear in the same paper.
    public var keywords: [String]
    /// The name of the model that wrote the item. A person reviewed it before it came into the bank. Nil if a person
    /// wrote it.
    public var writtenBy: String?
    /// The item's language as a language tag such as `zh`. Nil for English.
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

/// Questions on one topic for a section that takes frames: `topics`, `home-or-work`, `interview`, `listen-and-repeat` …
public struct BankFrame: Equatable, Sendable {
    public var about: BankLabel
    /// The section of papers that the frame is for.
    public var section: String
    /// The examiner's words before the first question.
    public var lead: String?
    /// Text that the candidate hears before the first question and never sees.
    public var passage: String?
    /// A picture, shown with each of the questions.
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

/// A card for a long turn, with the questions that end the turn and two frames that discuss its subject in general.
public struct BankCard: Equatable, Sendable {
    public var about: BankLabel
    public var card: Paper.Card
    /// Two questions.
    public var roundingOff: [String]
    /// Two discussions. A paper uses both.
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
    /// The same question in easier words.
    public var rephrased: String?
    /// Asked once after too short an answer.
    public var followUp: String?
    /// The two alternatives. The candidate chooses one and argues for it.
    public var alternatives: [Paper.Alternative]?
    /// The right answers in lower case, if the question has any.
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

/// The cognitive level of a question: Bloom's levels as revised by Anderson and Krathwohl (2001), the lowest first.
public enum Bloom: String, Choice, Comparable {
    case remember, understand, apply, analyze, evaluate, create

    public static func < (one: Bloom, other: Bloom) -> Bool {
        allCases.firstIndex(of: one)! < allCases.firstIndex(of: other)!
    }
}

/// The layout of an item's file: `{"version": 1, "kind": "frame" | "card", …}`.
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
