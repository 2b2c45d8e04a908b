/// An event in a learner's practice: one line of the practice log, which is in chronological order. It holds ids,
/// verdicts and times, but no words of questions or answers.
public enum PracticeEvent: Equatable, Sendable {
    /// These weights schedule from here on: see `FSRS.weightsVersion`.
    case weights(String)
    /// A drill began. Lists its exercises in order.
    case began(drill: Int, [Exercise])
    case answered(Answered)
    case finished(drill: Int)
    /// A spoken drill was done, whether or not it reached its target.
    case spoke(Spoke)
    /// A test was handed in.
    case tested(test: String, right: Int, of: Int, seconds: Double)
    /// The learner read a lesson.
    case read(lesson: String)
    /// The learner opened a lesson before its turn.
    case opened(lesson: String)
    /// The learner looked at the results of an exam, given by its session's id.
    case reviewed(session: String)
    /// The learner gave an answer of an exam again. Its question comes back after some days.
    case retold(RetoldAnswer)
    /// The daily load in minutes.
    case minutes(Int)
    /// The weekly rest days: 1 is Monday.
    case restDays([Int])
    /// A pause from practice. It includes both days.
    case rest(from: StudyDay, until: StudyDay)
    /// The pause ended. Today is no longer part of it.
    case resumed
    case task(id: String, TaskMark)
    /// A memory has another id from here on and keeps what was learned.
    case renamed(memory: String, to: String)
    /// A question of the memory was corrected, and another answer is right now. The learner's progress with the memory
    /// is reset.
    case forgot(memory: String)
    /// The built-in lessons had this version from here on: see `LessonMigration`.
    case data(version: Int)

    /// One question of a drill.
    public struct Exercise: Hashable, Sendable {
        /// The memory to practise, as `PACK/ITEM`.
        public var memory: String
        /// The id within that pack of the question that asks for it.
        public var question: String
        public var role: Role

        public init(memory: String, question: String, role: Role) {
            self.memory = memory
            self.question = question
            self.role = role
        }
    }

    /// The reason why something is asked.
    public enum Role: String, CaseIterable, Sendable {
        case new, due
        /// Extra practice, which does not change a due date.
        case extra
    }

    public struct Answered: Equatable, Sendable {
        /// The drill's number, or 0 if the answer belongs to no drill.
        public var drill: Int
        public var exercise: Exercise
        public var verdict: Verdict
        /// The time from the question to the answer.
        public var seconds: Double

        public init(drill: Int, exercise: Exercise, verdict: Verdict, seconds: Double) {
            self.drill = drill
            self.exercise = exercise
            self.verdict = verdict
            // Rounded as in the log, so that an event equals the one that is read back.
            self.seconds = (seconds * 10).rounded() / 10
        }
    }

    public struct Spoke: Equatable, Sendable {
        /// The kind of the spoken drill: `shadowing`.
        public var kind: String
        /// The id of the lesson item or card that was spoken.
        public var item: String
        /// The seconds of speech that were heard.
        public var speech: Double
        public var isReached: Bool

        public init(kind: String, item: String, speech: Double, isReached: Bool) {
            self.kind = kind
            self.item = item
            self.speech = (speech * 10).rounded() / 10
            self.isReached = isReached
        }
    }

    public enum TaskMark: String, CaseIterable, Sendable {
        case complete, incomplete
        /// Hidden from the list until it is done again.
        case deleted
    }
}

/// An event with its time: one line of the log.
public struct PracticeLine: Equatable, Sendable {
    public var moment: StudyMoment
    public var event: PracticeEvent

    public init(_ moment: StudyMoment, _ event: PracticeEvent) {
        self.moment = moment
        self.event = event
    }

    /// The line without a line end: `2026-11-25T13:15:24+01:00 answered 12 due food/savoury savoury-gap right 5.3`.
    public var text: String { "\(moment.text) \(event.words.joined(separator: " "))" }

    /// Reads a line as `text` writes it. Nil if it is malformed.
    public init?(_ text: String) {
        var text = text
        guard let line = text.withUTF8({ PracticeLine(UnsafeRawBufferPointer($0)) }) else { return nil }
        self = line
    }

    /// Reads a line from bytes, which is faster: a log may have a hundred thousand lines.
    init?(_ line: UnsafeRawBufferPointer) {
        guard line.count > 26, line[25] == Self.space, let moment = StudyMoment(line) else { return nil }
        var words: [String] = []
        words.reserveCapacity(8)
        var begin = 26
        for place in 26...line.count where place == line.count || line[place] == Self.space {
            words.append(String(decoding: UnsafeRawBufferPointer(rebasing: line[begin..<place]), as: UTF8.self))
            begin = place + 1
        }
        guard let event = PracticeEvent(words) else { return nil }
        self.init(moment, event)
    }

    private static let space = UInt8(ascii: " ")
}

extension PracticeEvent {
    fileprivate var words: [String] {
        switch self {
        case .weights(let version): ["weights", version]
        case .began(let drill, let exercises): ["began", "\(drill)"] + exercises.flatMap(\.words)
        case .answered(let answered):
            ["answered", "\(answered.drill)"] + answered.exercise.words
                + [answered.verdict.rawValue, answered.seconds.tenths]
        case .finished(let drill): ["finished", "\(drill)"]
        case .spoke(let spoke):
            ["spoke", spoke.kind, spoke.item, spoke.speech.tenths, spoke.isReached ? "reached" : "short"]
        case .tested(let test, let right, let count, let seconds):
            ["tested", test, "\(right)", "\(count)", seconds.tenths]
        case .read(let lesson): ["read", lesson]
        case .opened(let lesson): ["opened", lesson]
        case .reviewed(let session): ["reviewed", session]
        case .retold(let answer): ["retold", answer.session, answer.answer]
        case .minutes(let minutes): ["minutes", "\(minutes)"]
        case .restDays(let days): ["rest-days"] + days.map { "\($0)" }
        case .rest(let from, let until): ["rest", from.text, until.text]
        case .resumed: ["resumed"]
        case .task(let id, let mark): ["task", id, mark.rawValue]
        case .renamed(let memory, let name): ["renamed", memory, name]
        case .forgot(let memory): ["forgot", memory]
        case .data(let version): ["data", "\(version)"]
        }
    }

    fileprivate init?(_ words: [String]) {
        guard words.allSatisfy({ !$0.isEmpty }) else { return nil }
        switch (words[0], words.count) {
        case ("answered", 7):
            guard let drill = Int(words[1]), let exercise = Exercise(words[2...4]),
                let verdict = Verdict(rawValue: words[5]), let seconds = Self.seconds(words[6])
            else { return nil }
            self = .answered(Answered(drill: drill, exercise: exercise, verdict: verdict, seconds: seconds))
        case ("began", 2...) where words.count % 3 == 2:
            let exercises = stride(from: 2, to: words.count, by: 3).map { Exercise(words[$0..<$0 + 3]) }
            guard let drill = Int(words[1]), !exercises.contains(nil) else { return nil }
            self = .began(drill: drill, exercises.compactMap(\.self))
        case ("finished", 2):
            guard let drill = Int(words[1]) else { return nil }
            self = .finished(drill: drill)
        case ("spoke", 5):
            guard let speech = Self.seconds(words[3]), ["reached", "short"].contains(words[4]) else { return nil }
            self = .spoke(Spoke(kind: words[1], item: words[2], speech: speech, isReached: words[4] == "reached"))
        case ("tested", 5):
            guard let right = Int(words[2]), let count = Int(words[3]), let seconds = Self.seconds(words[4]) else {
                return nil
            }
            self = .tested(test: words[1], right: right, of: count, seconds: seconds)
        case ("weights", 2): self = .weights(words[1])
        case ("read", 2): self = .read(lesson: words[1])
        case ("opened", 2): self = .opened(lesson: words[1])
        case ("reviewed", 2): self = .reviewed(session: words[1])
        case ("retold", 3): self = .retold(RetoldAnswer(session: words[1], answer: words[2]))
        case ("minutes", 2):
            guard let minutes = Int(words[1]), minutes > 0 else { return nil }
            self = .minutes(minutes)
        case ("rest-days", 1...8):
            let days = words.dropFirst().compactMap { Int($0) }.filter((1...7).contains)
            guard days.count == words.count - 1 else { return nil }
            self = .restDays(days)
        case ("rest", 3):
            guard let from = StudyDay(words[1]), let until = StudyDay(words[2]), from <= until else { return nil }
            self = .rest(from: from, until: until)
        case ("resumed", 1): self = .resumed
        case ("task", 3):
            guard let mark = TaskMark(rawValue: words[2]) else { return nil }
            self = .task(id: words[1], mark)
        case ("renamed", 3): self = .renamed(memory: words[1], to: words[2])
        case ("forgot", 2): self = .forgot(memory: words[1])
        case ("data", 2):
            guard let version = Int(words[1]) else { return nil }
            self = .data(version: version)
        default: return nil
        }
    }

    private static func seconds(_ word: String) -> Double? {
        Double(word).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }
}

extension PracticeEvent.Exercise {
    fileprivate var words: [String] { [role.rawValue, memory, question] }

    fileprivate init?(_ words: ArraySlice<String>) {
        guard let role = PracticeEvent.Role(rawValue: words[words.startIndex]) else { return nil }
        self.init(memory: words[words.startIndex + 1], question: words[words.startIndex + 2], role: role)
    }
}

extension Double {
    fileprivate var tenths: String { "\((self * 10).rounded() / 10)" }
}
