public import SystemSupport

/// A learner's history, as derived from the practice log. Mastery, streak, tasks and statistics are computed from it
/// and stored nowhere.
public struct PracticeHistory: Equatable, Sendable {
    /// The memories by `PACK/ITEM`.
    public private(set) var memories: [String: ItemHistory] = [:]
    public private(set) var days: [StudyDay: DayTotals] = [:]
    /// The drill in progress, if there is one. At most one drill is open at a time.
    public private(set) var openDrill: OpenDrill?
    public private(set) var finishedDrills: [FinishedDrill] = []
    /// The latest result of each test, by the test's id.
    public private(set) var tests: [String: TestTotals] = [:]
    public private(set) var rest = RestDays()
    /// The daily load in minutes.
    public private(set) var minutesADay = PracticeHistory.defaultMinutes
    /// The lessons that the learner read. `openedLessons` are those opened before their turn.
    public private(set) var readLessons: Set<String> = []
    public private(set) var openedLessons: Set<String> = []
    /// The sessions of the exams whose results the learner looked at.
    public private(set) var reviewedSessions: Set<String> = []
    /// The memories of the answers of exams that the learner gave again.
    public private(set) var retold: [RetoldAnswer: FSRS.Memory] = [:]
    /// The number of times that each kind of spoken drill was done, and the seconds of speech.
    public private(set) var spoken: [String: SpokenTotals] = [:]
    /// The spoken drills in order.
    public private(set) var spokenDrills: [SpokenTask] = []
    /// The marks of tasks. A mark counts until the task is done again.
    public private(set) var marks: [String: PracticeEvent.TaskMark] = [:]
    /// The number of the latest drill.
    public private(set) var lastDrill = 0
    public private(set) var weights: String?
    /// The version of the built-in lessons: see `LessonMigration`.
    public private(set) var dataVersion: Int?
    private let scheduler: FSRS

    /// Ten minutes on each day of a week achieve more than an hour on one day.
    public static let defaultMinutes = 10
    /// The most time that counts for one answer, in case the learner walked away. Anki uses the same limit.
    static let longestSeconds = 60.0

    public struct ItemHistory: Equatable, Sendable {
        /// Nil if the item was only asked as extra practice.
        public internal(set) var memory: FSRS.Memory?
        public internal(set) var answers = 0
        public internal(set) var right = 0
        /// The number of times that the item was known and then forgotten.
        public internal(set) var lapses = 0
        /// The id of the latest question. Its verdict and time follow.
        public internal(set) var lastQuestion = ""
        public internal(set) var lastVerdict = Verdict.wrong
        public internal(set) var lastAnswered = StudyMoment(seconds: 0, offset: 0)

        public var mastery: Int { memory?.mastery ?? 0 }
        /// Whether the item was forgotten so often that asking it the same way again does not help (Anki's threshold).
        public var isLeech: Bool { lapses >= 8 }
        public var isLearned: Bool { right > 0 }
    }

    /// The totals of one study day.
    public struct DayTotals: Equatable, Sendable {
        public internal(set) var answers = 0
        public internal(set) var right = 0
        public internal(set) var new = 0
        /// The time spent on answers, tests and speaking.
        public internal(set) var seconds = 0.0

        var isPractised: Bool { answers > 0 || seconds > 0 }
    }

    public struct OpenDrill: Equatable, Sendable {
        public internal(set) var number: Int
        public internal(set) var exercises: [PracticeEvent.Exercise]
        public internal(set) var answered: [PracticeEvent.Answered] = []
        public internal(set) var begun: StudyMoment
    }

    public struct FinishedDrill: Equatable, Sendable {
        public var number: Int
        public var moment: StudyMoment
        /// The number of questions answered right at the first attempt.
        public var right: Int
        public var count: Int
        /// The number of answers that were not a first attempt.
        public var repeated: Int
        public var packs: [String]
    }

    public struct TestTotals: Equatable, Sendable {
        public var moment: StudyMoment
        public var right: Int
        public var count: Int
    }

    /// A spoken drill that was done.
    public struct SpokenTask: Equatable, Sendable {
        public var moment: StudyMoment
        public var spoke: PracticeEvent.Spoke
    }

    public struct SpokenTotals: Equatable, Sendable {
        public internal(set) var count = 0
        public internal(set) var reached = 0
        public internal(set) var speech = 0.0
    }

    public init(scheduler: FSRS = FSRS()) { self.scheduler = scheduler }

    /// Creates a history from the lines of a log, in order.
    public init(_ lines: some Sequence<PracticeLine>, scheduler: FSRS = FSRS()) {
        self.init(scheduler: scheduler)
        for line in lines { add(line) }
    }

    /// Reads a practice log with one event per line. Skips an incomplete last line, which a crash may leave behind.
    ///
    /// - Returns: the number of bytes in complete lines.
    /// - Throws: `Problem.malformed` with the number of a malformed line.
    public mutating func add(
        log bytes: [UInt8], name: String, each: (PracticeLine) -> Void = { _ in }
    ) throws(Problem) -> Int {
        var (begin, number) = (0, 1)
        let wrong = bytes.withUnsafeBytes { bytes -> Int? in
            for place in bytes.indices where bytes[place] == UInt8(ascii: "\n") {
                guard let line = PracticeLine(UnsafeRawBufferPointer(rebasing: bytes[begin..<place])) else {
                    return number
                }
                add(line)
                each(line)
                (begin, number) = (place + 1, number + 1)
            }
            return nil
        }
        if let wrong {
            throw Problem(
                .malformed,
                "\(name):\(wrong): unknown line; a newer version may have written it, so update oracy")
        }
        return begin
    }

    public mutating func add(_ line: PracticeLine) {
        let moment = line.moment
        switch line.event {
        case .answered(let answered): add(answered, at: moment)
        case .began(let drill, let exercises):
            lastDrill = max(lastDrill, drill)
            openDrill = OpenDrill(number: drill, exercises: exercises, begun: moment)
        case .finished(let drill): finish(drill, at: moment)
        case .spoke(let spoke):
            spoken[spoke.kind, default: .init()].count += 1
            spoken[spoke.kind, default: .init()].reached += spoke.isReached ? 1 : 0
            spoken[spoke.kind, default: .init()].speech += spoke.speech
            spokenDrills.append(SpokenTask(moment: moment, spoke: spoke))
            days[moment.day, default: .init()].seconds += spoke.speech
        case .tested(let test, let right, let count, let seconds):
            tests[test] = TestTotals(moment: moment, right: right, count: count)
            days[moment.day, default: .init()].seconds += seconds
        case .read(let lesson): readLessons.insert(lesson)
        case .opened(let lesson): openedLessons.insert(lesson)
        case .reviewed(let session): reviewedSessions.insert(session)
        case .retold(let answer):
            retold[answer] = RetoldAnswer.scheduler.review(retold[answer], .good, at: moment.seconds)
        case .minutes(let minutes): minutesADay = minutes
        case .restDays(let weekdays): rest.weekdays.append((from: moment.day, Set(weekdays)))
        case .rest(let from, let until): rest.pauses.append(from...until)
        case .resumed: rest.endPauses(before: moment.day)
        case .task(let id, let mark): marks[id] = mark
        case .weights(let version): weights = version
        case .renamed(let memory, let name):
            if let known = memories.removeValue(forKey: memory) { memories[name] = known }
        case .forgot(let memory): memories[memory] = nil
        case .data(let version): dataVersion = version
        }
    }

    /// Counts an exam as practice of its day. Exams are sessions and leave no line in the log.
    ///
    /// - Parameter speech: the seconds of speech.
    public mutating func count(examWith speech: Double, at moment: StudyMoment) {
        days[moment.day, default: .init()].seconds += speech
    }

    private mutating func add(_ answered: PracticeEvent.Answered, at moment: StudyMoment) {
        let exercise = answered.exercise
        let isRight = answered.verdict.isRight
        let isCounted = exercise.role != .extra
        var totals = days[moment.day, default: .init()]
        totals.answers += 1
        totals.right += isRight ? 1 : 0
        totals.seconds += min(answered.seconds, Self.longestSeconds)

        var item = memories[exercise.memory, default: .init()]
        totals.new += isCounted && item.memory == nil ? 1 : 0
        item.answers += 1
        item.right += isRight ? 1 : 0
        if isCounted {
            item.lapses += !isRight && item.memory?.phase == .review ? 1 : 0
            item.memory = scheduler.review(item.memory, isRight ? .good : .again, at: moment.seconds)
        }
        item.lastQuestion = exercise.question
        item.lastVerdict = answered.verdict
        item.lastAnswered = moment
        memories[exercise.memory] = item
        days[moment.day] = totals
        if !marks.isEmpty { marks[exercise.memory] = nil }
        if openDrill?.number == answered.drill { openDrill?.answered.append(answered) }
    }

    private mutating func finish(_ number: Int, at moment: StudyMoment) {
        guard let drill = openDrill, drill.number == number else { return }
        openDrill = nil
        var attempts: [String: Bool] = [:]
        for answered in drill.answered where attempts[answered.exercise.memory] == nil {
            attempts[answered.exercise.memory] = answered.verdict.isRight
        }
        var packs: [String] = []
        for exercise in drill.exercises where !packs.contains(exercise.pack) { packs.append(exercise.pack) }
        finishedDrills.append(
            FinishedDrill(
                number: number, moment: moment, right: attempts.values.count { $0 }, count: attempts.count,
                repeated: drill.answered.count - attempts.count, packs: packs))
    }

    /// Returns the probability that an item is still known, 0 to 1. It is 0 if the item was never learned.
    func retrievability(of item: ItemHistory, at now: StudyMoment) -> Double {
        item.memory.map { scheduler.retrievability(of: $0, at: now.seconds) } ?? 0
    }
}

extension PracticeEvent.Exercise {
    public var pack: String { String(memory.prefix { $0 != "/" }) }
}

/// The days on which the learner does not have to practise.
public struct RestDays: Equatable, Sendable {
    var weekdays: [(from: StudyDay, Set<Int>)] = []
    var pauses: [ClosedRange<StudyDay>] = []

    /// Returns the weekly rest days that were set at the time of `day`: 1 is Monday.
    public func weekdays(on day: StudyDay) -> Set<Int> { weekdays.last { $0.from <= day }?.1 ?? [] }

    /// Returns the last day of the pause that includes a day. Nil if no pause does.
    public func pause(on day: StudyDay) -> StudyDay? { pauses.filter { $0.contains(day) }.map(\.upperBound).max() }

    mutating func endPauses(before day: StudyDay) {
        pauses = pauses.compactMap { pause in
            guard pause.upperBound >= day else { return pause }
            return pause.lowerBound < day ? pause.lowerBound...day.advanced(by: -1) : nil
        }
    }

    /// Returns whether a day is a rest day under the settings at that time.
    public func contains(_ day: StudyDay) -> Bool {
        pauses.contains { $0.contains(day) }
            || weekdays(on: day).contains(day.weekday)
    }

    public static func == (a: RestDays, b: RestDays) -> Bool {
        a.pauses == b.pauses && a.weekdays.elementsEqual(b.weekdays) { $0 == $1 }
    }
}
