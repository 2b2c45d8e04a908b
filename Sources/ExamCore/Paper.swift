/// The questions of one exam, as a file states them. Frozen: a session keeps the copy it was held with.
public struct Paper: Codable, Equatable, Sendable {
    /// The version of this file's own layout; a reader refuses any other.
    public static let layoutVersion = 1

    public var version: Int
    /// Letters, digits, `-`, `.` and `_` only: it stands in logs and file names.
    public var id: String
    public var title: String
    /// What it is about, for whoever chooses; one or two sentences.
    public var description: String?
    /// How hard it is, by whoever wrote it; absent where nobody said.
    public var difficulty: Difficulty?
    /// Frames of questions by the name a format asks for (`topics`, `card`, `discussion` …).
    public var sections: [String: [Frame]]
    /// Where it came from, where it was drawn from a bank.
    public var origin: Origin?

    /// For papers that are made of a backend's rows, not read from a file.
    package init(version: Int = Paper.layoutVersion, id: String, title: String, sections: [String: [Frame]]) {
        self.version = version
        self.id = id
        self.title = title
        self.sections = sections
    }

    /// What a paper was drawn from: the same bank and wishes draw the same paper again.
    public struct Origin: Codable, Equatable, Sendable {
        /// SHA-256 of the bank's items.
        public var bank: String
        public var seed: UInt64
        /// The ids of its items, in the order of the exam.
        public var items: [String]
        /// The models that wrote items of it; empty where people wrote all.
        public var writtenBy: [String]

        public init(bank: String, seed: UInt64, items: [String], writtenBy: [String]) {
            self.bank = bank
            self.seed = seed
            self.items = items
            self.writtenBy = writtenBy
        }
    }

    public enum Difficulty: String, Choice {
        case easy = "Easy"
        case medium = "Medium"
        case hard = "Hard"
    }

    /// Questions on one topic, asked in order.
    public struct Frame: Codable, Equatable, Sendable {
        public var id: String
        /// Said before the first question: "Now let's talk about bridges."
        public var lead: Prompt?
        /// The id of the card that this frame carries on from (exam fact 4: Part 3 is tied to the card's topic).
        public var about: String?
        /// Heard before the first question, and never shown: a talk to be told again.
        public var passage: Prompt?
        /// Shown with each of the questions.
        public var picture: Picture?
        /// Words that tell the topic, for whoever looks for questions; where absent, those of the id.
        public var keywords: [String]?
        public var questions: [Question]

        package init(
            id: String, lead: Prompt? = nil, about: String? = nil, passage: Prompt? = nil, picture: Picture? = nil,
            questions: [Question]
        ) {
            self.id = id
            self.lead = lead
            self.about = about
            self.passage = passage
            self.picture = picture
            self.questions = questions
        }
    }

    /// What the examiner says, with a recording where there is one: a path from the paper's folder.
    public struct Prompt: Codable, Equatable, Sendable {
        public var text: String
        public var audio: String?

        package init(text: String, audio: String? = nil) {
            self.text = text
            self.audio = audio
        }
    }

    public struct Question: Codable, Equatable, Sendable {
        /// Unique in the paper; letters, digits, `-`, `.` and `_`.
        public var id: String
        public var text: String
        public var audio: String?
        /// The same question in easier words, in the order they are tried.
        public var rephrased: [Prompt]?
        /// Asked once after too short an answer: "Why?" or "Why not?" (exam fact 11).
        public var followUp: Prompt?
        public var card: Card?
        /// What the candidate chooses between while preparing, and then speaks for: two.
        public var alternatives: [Alternative]?
        /// What a right answer says, where there is a right one: for whoever looks at the answer afterwards.
        public var answers: [String]?

        package init(
            id: String, text: String, audio: String? = nil, rephrased: [Prompt]? = nil, followUp: Prompt? = nil,
            card: Card? = nil, alternatives: [Alternative]? = nil, answers: [String]? = nil
        ) {
            self.id = id
            self.text = text
            self.audio = audio
            self.rephrased = rephrased
            self.followUp = followUp
            self.card = card
            self.alternatives = alternatives
            self.answers = answers
        }
    }

    /// A picture to speak about, with the words for whoever cannot see it. It stands in the paper itself, so that what was asked is kept.
    public struct Picture: Codable, Hashable, Sendable {
        /// What is seen: what terminals and screen readers say.
        public var description: String
        /// A drawing as text: `<svg …>`. Either this or `png`.
        public var svg: String?
        /// A PNG file in Base64.
        public var png: String?

        public init(description: String, svg: String? = nil, png: String? = nil) {
            self.description = description
            self.svg = svg
            self.png = png
        }
    }

    /// One of two things to choose.
    public struct Alternative: Codable, Hashable, Sendable {
        public var title: String
        /// What speaks for it, or is to be known of it.
        public var points: [String]

        public init(title: String, points: [String] = []) {
            self.title = title
            self.points = points
        }
    }

    /// A cue card: a topic line, three or four points, and one aspect to explain (exam fact 6).
    public struct Card: Codable, Equatable, Sendable {
        public var topic: String
        public var points: [String]
        public var explain: String

        package init(topic: String, points: [String], explain: String) {
            self.topic = topic
            self.points = points
            self.explain = explain
        }
    }
}
