public import ExamCore

/// A task that the learner can start at once. It is written like `sit:part2` and leads to the command that runs it.
///
/// | written | meaning |
/// |---|---|
/// | `sit:full`, `sit:part2`, `sit:part2/food` | an exam, one part of it, or one part on a topic |
/// | `sit:interview`, `sit:interview/part2` | a job interview, or one part of it |
/// | `drill:PACK`, `drill:PACK/TOPIC` | questions of a pack or a lesson |
/// | `review:SESSION` | the results of an exam, or of the newest one with `review:last` |
/// | `shadow:LESSON` | a lesson's sentences, spoken along with the voice |
/// | `lesson:LESSON` | a lesson to read |
/// | `speak:KIND` | `shadowing`, `repeat`, `4-3-2`, `one-more-sentence`, `pause-less` |
/// | `test:ID`, `test:new` | an existing test, or a new one |
///
/// Ids are letters, digits, `.`, `-` and `_`. Topics may also have single spaces. Neither begins with `-`, so that no
/// text from a model can act as an option of the command or as shell syntax.
public enum PlanLink: Hashable, Sendable {
    case sit(Sitting)
    case drill(pack: String, topic: String?)
    case review(session: String)
    case shadow(lesson: String)
    case lesson(String)
    case speak(Spoken)
    /// A test with this id, or a new one if nil.
    case test(String?)

    public struct Sitting: Hashable, Sendable {
        public var format: PlanFormat
        /// The part's number from 1. Nil for the whole exam.
        public var part: Int?
        /// The topic of the part.
        public var topic: String?

        public init(_ format: PlanFormat, part: Int? = nil, topic: String? = nil) {
            self.format = format
            self.part = part
            self.topic = topic
        }

        public var isWhole: Bool { part == nil }
    }

    /// A kind of spoken drill, with the name that the command uses (`SpokenDrill` in Study).
    public enum Spoken: String, CaseIterable, Sendable {
        case shadowing
        case repeatAfterMe = "repeat"
        case fourThreeTwo = "4-3-2"
        case oneMoreSentence = "one-more-sentence"
        case pauseLess = "pause-less"
    }

    /// A kind of task that a constraint can exclude.
    public enum Kind: String, CaseIterable, Sendable {
        case exam, speaking, drill, lesson, review, test
    }

    public var kind: Kind {
        switch self {
        case .sit: .exam
        case .drill: .drill
        case .review: .review
        case .shadow, .speak: .speaking
        case .lesson: .lesson
        case .test: .test
        }
    }

    /// Whether the learner has to speak.
    public var isAloud: Bool { kind == .exam || kind == .speaking }

    /// Reads a link as `text` writes it, and also `review:session/12`. Nil if it is invalid.
    public init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let rest = String(text[text.index(after: colon)...])
        let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let second = parts.count == 2 ? parts[1] : nil
        switch text[..<colon] {
        case "sit":
            guard let sitting = Sitting(parts[0], second) else { return nil }
            self = .sit(sitting)
        case "drill":
            guard parts[0].isPlanID, second?.isPlanTopic ?? true else { return nil }
            self = .drill(pack: parts[0], topic: second)
        case "review":
            guard let id = parts[0] == "session" ? second ?? parts[0] : second == nil ? parts[0] : nil, id.isPlanID
            else { return nil }
            self = .review(session: id)
        case "shadow" where rest.isPlanID: self = .shadow(lesson: rest)
        case "lesson" where rest.isPlanID: self = .lesson(rest)
        case "speak":
            guard let kind = Spoken(rawValue: rest) else { return nil }
            self = .speak(kind)
        case "test" where rest == Self.newTest: self = .test(nil)
        case "test" where rest.isPlanID: self = .test(rest)
        default: return nil
        }
    }

    public var text: String {
        switch self {
        case .sit(let sitting): "sit:\(sitting.text)"
        case .drill(let pack, let topic): "drill:\(pack)" + (topic.map { "/\($0)" } ?? "")
        case .review(let session): "review:\(session)"
        case .shadow(let lesson): "shadow:\(lesson)"
        case .lesson(let lesson): "lesson:\(lesson)"
        case .speak(let kind): "speak:\(kind.rawValue)"
        case .test(let id): "test:\(id ?? Self.newTest)"
        }
    }

    private static let newTest = "new"

    /// The runs of `oracy` that do the task, one after the other, each with its arguments.
    public var arguments: [[String]] {
        switch self {
        case .sit(let sitting):
            [
                ["run"] + (sitting.format == .interview ? ["--format", "interview"] : [])
                    + (sitting.part.map { ["--part", "\($0)"] } ?? [])
                    + (sitting.topic.map { ["--topic", $0] } ?? [])
            ]
        case .drill(let pack, let topic):
            [["practice", "--pack", pack] + (topic.map { ["--topic", $0] } ?? [])]
        case .review(let session): [["results", session]]
        case .shadow(let lesson): [["practice", "speak", "shadowing", "--lesson", lesson]]
        case .lesson(let lesson): [["practice", "lesson", lesson]]
        case .speak(let kind): [["practice", "speak", kind.rawValue]]
        case .test(nil): [["practice", "new"], ["practice", "take"]]
        case .test(let id?): [["practice", "take", id]]
        }
    }

    /// The command to type into a shell: `oracy run --part 2`.
    public var command: String {
        arguments.map { words in
            (["oracy"] + words).map { $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " ")
        }.joined(separator: " && ")
    }

    /// The usual minutes, including the microphone check if the learner speaks. By their own rules, an exam takes 11 to
    /// 14 minutes and an interview up to 40. A unit of practice takes ten minutes (`PracticeHistory.defaultMinutes`).
    public var usualMinutes: Int {
        switch self {
        case .sit(let sitting):
            switch (sitting.format, sitting.part) {
            case (.exam, nil): 20
            case (.interview, nil): 40
            case (_, _?): 10
            }
        default: 10
        }
    }

    /// The least minutes for days with less time. Questions, lessons and sentences can be fewer, but an exam cannot be
    /// shorter.
    public var leastMinutes: Int {
        switch self {
        case .sit(let sitting): sitting.isWhole ? usualMinutes : 8
        case .test: 10
        default: 5
        }
    }
}

/// The kind of occasion that a learner prepares for.
public enum PlanFormat: String, Choice {
    case exam, interview
}

extension PlanLink.Sitting {
    /// Returns the number of parts of a format (`ielts-style.json`, `interview.json`).
    static func partCount(of format: PlanFormat) -> Int { format == .exam ? 3 : 4 }

    fileprivate init?(_ what: String, _ rest: String?) {
        func part(_ word: String, _ format: PlanFormat) -> Int? {
            guard word.hasPrefix("part"), word.utf8.count == 5, let part = Int(word.dropFirst(4)),
                (1...Self.partCount(of: format)).contains(part)
            else { return nil }
            return part
        }
        switch (what, rest) {
        case ("full", nil): self.init(.exam)
        case ("interview", nil): self.init(.interview)
        case ("interview", let rest?):
            guard let part = part(rest, .interview) else { return nil }
            self.init(.interview, part: part)
        default:
            guard let part = part(what, .exam), rest?.isPlanTopic ?? true else { return nil }
            self.init(.exam, part: part, topic: rest)
        }
    }

    fileprivate var text: String {
        switch (format, part) {
        case (.exam, nil): "full"
        case (.interview, nil): "interview"
        case (.exam, let part?): "part\(part)" + (topic.map { "/\($0)" } ?? "")
        case (.interview, let part?): "interview/part\(part)"
        }
    }
}

extension String {
    /// Whether the text has 1 to 100 letters, digits, `.`, `-` and `_`, and begins with a letter or digit.
    var isPlanID: Bool {
        guard (1...100).contains(utf8.count), let first = utf8.first, first.isPlanLetter else { return false }
        return utf8.allSatisfy {
            $0.isPlanLetter || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains($0)
        }
    }

    /// Whether the text has at most 60 bytes and consists of such ids with single spaces between them.
    var isPlanTopic: Bool {
        utf8.count <= 60 && split(separator: " ", omittingEmptySubsequences: false).allSatisfy { String($0).isPlanID }
    }
}

extension UInt8 {
    fileprivate var isPlanLetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}

extension PlanLink: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let link = PlanLink(text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription:
                        "should be a link like sit:part2, drill:PACK, review:SESSION, lesson:LESSON, shadow:LESSON, speak:KIND or test:ID, not \"\(text)\""
                ))
        }
        self = link
    }

    public func encode(to encoder: any Encoder) throws {
        var field = encoder.singleValueContainer()
        try field.encode(text)
    }
}
