public import ExamCore

/// Something of a plan that can be done at once: it is written `sit:part2`, and names the command that runs it.
///
/// | written | what it is |
/// |---|---|
/// | `sit:full`, `sit:part2`, `sit:part2/food` | an exam, one part of it, one part about something |
/// | `sit:interview`, `sit:interview/part2` | a job interview, or one part of it |
/// | `drill:PACK`, `drill:PACK/TOPIC` | questions of a pack or a lesson |
/// | `review:SESSION` | what an exam showed; `review:last` of the newest one |
/// | `shadow:LESSON` | a lesson's sentences, said along with the voice |
/// | `lesson:LESSON` | a lesson to read |
/// | `speak:KIND` | `shadowing`, `repeat`, `4-3-2`, `one-more-sentence`, `pause-less` |
/// | `test:ID`, `test:new` | a test that is there, or one that is made |
///
/// Ids are letters, digits, `.`, `-` and `_`, topics also have single spaces; neither begins with `-`, so that whatever a model writes can be no option
/// of the command, and nothing of a shell's.
public enum PlanLink: Hashable, Sendable {
    case sit(Sitting)
    case drill(pack: String, topic: String?)
    case review(session: String)
    case shadow(lesson: String)
    case lesson(String)
    case speak(Spoken)
    /// nil: one that is made for it.
    case test(String?)

    public struct Sitting: Hashable, Sendable {
        public var format: PlanFormat
        /// From 1; nil for all of it.
        public var part: Int?
        /// Of a part.
        public var topic: String?

        public init(_ format: PlanFormat, part: Int? = nil, topic: String? = nil) {
            self.format = format
            self.part = part
            self.topic = topic
        }

        public var isWhole: Bool { part == nil }
    }

    /// Kinds of spoken drills, by the names that the command knows (`SpokenDrill` in ExamKit).
    public enum Spoken: String, CaseIterable, Sendable {
        case shadowing
        case repeatAfterMe = "repeat"
        case fourThreeTwo = "4-3-2"
        case oneMoreSentence = "one-more-sentence"
        case pauseLess = "pause-less"
    }

    /// What a constraint can rule out.
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

    /// Whether somebody has to speak.
    public var isAloud: Bool { kind == .exam || kind == .speaking }

    /// Reads what `text` writes, and `review:session/12`; nil where it is anything else.
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

    /// The programs that run it, one after the other: the words behind `oracy` each.
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

    /// To be typed into a shell: `oracy run --part 2`.
    public var command: String {
        arguments.map { words in
            (["oracy"] + words).map { $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " ")
        }.joined(separator: " && ")
    }

    /// What it takes, with the check of the microphone where one speaks: an exam has 11 to 14 minutes by its own rules, an interview up to 40, and what is
    /// practised in ten is done whole (`PracticeHistory.defaultMinutes`).
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

    /// Where a day has less: questions, lessons and sentences can be fewer, an exam cannot.
    public var leastMinutes: Int {
        switch self {
        case .sit(let sitting): sitting.isWhole ? usualMinutes : 8
        case .test: 10
        default: 5
        }
    }
}

/// What somebody prepares for.
public enum PlanFormat: String, Choice {
    case exam, interview
}

extension PlanLink.Sitting {
    /// The parts of each format (`ielts-style.json`, `interview.json`).
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
    /// Up to 100 letters, digits, `.`, `-` and `_`, the first one a letter or a digit.
    var isPlanID: Bool {
        guard (1...100).contains(utf8.count), let first = utf8.first, first.isPlanLetter else { return false }
        return utf8.allSatisfy {
            $0.isPlanLetter || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains($0)
        }
    }

    /// The same, with single spaces between words.
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
                        "should be a link as sit:part2, drill:PACK, review:SESSION, lesson:LESSON, shadow:LESSON, speak:KIND or test:ID, not \"\(text)\""
                ))
        }
        self = link
    }

    public func encode(to encoder: any Encoder) throws {
        var field = encoder.singleValueContainer()
        try field.encode(text)
    }
}
