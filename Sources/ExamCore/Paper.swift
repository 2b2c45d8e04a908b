/// The questions of one exam, as a file states them. Each session keeps an unchanging copy of its paper.
public struct Paper: Codable, Equatable, Sendable {
    /// The version of the file's layout. A reader refuses any other version.
    public static let layoutVersion = 1

    public var version: Int
    /// Letters, digits, `-`, `.` and `_` only, because logs and file names contain it.
    public var id: String
    public var title: String
    /// One or two sentences that help a person choose a paper.
    public var description: String?
    /// The author's estimate of how hard the paper is. Absent if the author gave none.
    public var difficulty: Difficulty?
    /// Frames of questions, by the section name that a format asks for (`topics`, `card`, `discussion` …).
    public var sections: [String: [Frame]]
    /// The origin of a paper that was drawn from a bank.
    public var origin: Origin?

    /// Creates a paper from a backend's rows.
    package init(version: Int = Paper.layoutVersion, id: String, title: String, sections: [String: [Frame]]) {
        self.version = version
        self.id = id
        self.title = title
        self.sections = sections
    }

    /// The source of a drawn paper. The same bank and the same wishes draw the same paper again.
    public struct Origin: Codable, Equatable, Sendable {
        /// SHA-256 of the bank's items.
        public var bank: String
        public var seed: UInt64
        /// The ids of its items, in the order of the exam.
        public var items: [String]
        /// The language models that wrote any of its items. Empty if people wrote them all.
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
        /// The examiner's words before the first question: "Now let's talk about bridges."
        public var lead: Prompt?
        /// The id of the card whose topic this frame continues, as Part 3 follows Part 2's card.
        public var about: String?
        /// Text that the candidate hears before the first question and never sees, for example a talk to retell.
        public var passage: Prompt?
        /// Shown with each of the questions.
        public var picture: Picture?
        /// Words that describe the topic, for searching. If absent, the words of the id are used.
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

    /// Words of the examiner and, optionally, a recording: a path relative to the paper's folder.
    public struct Prompt: Codable, Equatable, Sendable {
        public var text: String
        public var audio: String?

        package init(text: String, audio: String? = nil) {
            self.text = text
            self.audio = audio
        }
    }

    public struct Question: Codable, Equatable, Sendable {
        /// Unique in the paper. Letters, digits, `-`, `.` and `_` only.
        public var id: String
        public var text: String
        public var audio: String?
        /// The same question in easier words, in the order to try them.
        public var rephrased: [Prompt]?
        /// Asked once after too short an answer: "Why?" or "Why not?"
        public var followUp: Prompt?
        public var card: Card?
        /// The two alternatives: the candidate chooses one while preparing, and then argues for it.
        public var alternatives: [Alternative]?
        /// The right answers, if the question has any, for the person who reviews the candidate's answer.
        public var answers: [String]?
        /// `introduction` if the answer says who the candidate is; assessed if absent.
        public var purpose: QuestionPurpose?

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

    /// A picture to speak about, with a description for candidates who cannot see it. The paper contains the picture
    /// itself, so that what was asked is kept.
    public struct Picture: Codable, Hashable, Sendable {
        /// The description for terminals and screen readers.
        public var description: String
        /// A drawing as text: `<svg …>`. A picture has either this or `png`.
        public var svg: String?
        /// A PNG file in Base64.
        public var png: String?

        public init(description: String, svg: String? = nil, png: String? = nil) {
            self.description = description
            self.svg = svg
            self.png = png
        }
    }

    /// One of two alternatives to choose between.
    public struct Alternative: Codable, Hashable, Sendable {
        public var title: String
        /// Arguments for the alternative, or facts about it.
        public var points: [String]

        public init(title: String, points: [String] = []) {
            self.title = title
            self.points = points
        }
    }

    /// A cue card: a topic line, three or four points, and one aspect to explain.
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
