public import SystemSupport

/// What a learner did, as the practice log tells it: mastery, streak, tasks and statistics are read from here, and stored nowhere.
public struct PracticeHistory: Equatable, Sendable {
    /// By `PACK/ITEM`.
    public private(set) var memories: [String: ItemHistory] = [:]
    public private(set) var days: [StudyDay: DayTotals] = [:]
    /// The last one that was begun, where it was not finished: one at a time.
    public private(set) var openDrill: OpenDrill?
    public private(set) var finishedDrills: [FinishedDrill] = []
    /// By their ids, the last time that each was handed in.
    public private(set) var tests: [String: TestTotals] = [:]
    public private(set) var rest = RestDays()
    /// A day's load.
    public private(set) var minutesADay = PracticeHistory.defaultMinutes
    /// Lessons that were read, or opened before their turn.
    public private(set) var readLessons: Set<String> = []
    public private(set) var openedLessons: Set<String> = []
    /// Exams whose results were looked at.
    public private(set) var reviewedSessions: Set<String> = []
    /// Of each kind how often, and seconds of speech.
    public private(set) var spoken: [String: SpokenTotals] = [:]
    /// Marks of tasks that count until the thing is done again.
    public private(set) var marks: [String: PracticeEvent.TaskMark] = [:]
    /// The number of the last drill.
    public private(set) var lastDrill = 0
    public private(set) var weights: String?
    /// Of the built-in lessons; see `LessonMigration`.
    public private(set) var dataVersion: Int?
    private let scheduler: FSRS

    /// A week of ten minutes a day is more than an hour on one of them ever gave.
    public static let defaultMinutes = 10
    /// A question that somebody went away from took this long at most (Anki caps it at the same).
    static let longestSeconds = 60.0

    public struct ItemHistory: Equatable, Sendable {
        /// nil where it was only asked for as extra practice.
        public internal(set) var memory: FSRS.Memory?
        public internal(set) var answers = 0
        public internal(set) var right = 0
        /// How often it was known and then forgotten.
        public internal(set) var lapses = 0
        /// The question that was asked last, and how it went.
        public internal(set) var lastQuestion = ""
        public internal(set) var lastVerdict = Verdict.wrong
        public internal(set) var lastAnswered = StudyMoment(seconds: 0, offset: 0)

        public var mastery: Int { memory?.mastery ?? 0 }
        /// Forgotten so often that asking the same way again does not help (Anki's threshold).
        public var isLeech: Bool { lapses >= 8 }
        public var isLearned: Bool { right > 0 }
    }

    /// Of one study day.
    public struct DayTotals: Equatable, Sendable {
        public internal(set) var answers = 0
        public internal(set) var right = 0
        public internal(set) var new = 0
        /// Answering, taking tests and speaking.
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
        /// Right at the first attempt.
        public var right: Int
        public var count: Int
        /// Answers that were no first attempt.
        public var repeated: Int
        public var packs: [String]
    }

    public struct TestTotals: Equatable, Sendable {
        public var moment: StudyMoment
        public var right: Int
        public var count: Int
    }

    public struct SpokenTotals: Equatable, Sendable {
        public internal(set) var count = 0
        public internal(set) var reached = 0
        public internal(set) var speech = 0.0
    }

    public init(scheduler: FSRS = FSRS()) { self.scheduler = scheduler }

    /// - Parameter lines: in the order of the log.
    public init(_ lines: some Sequence<PracticeLine>, scheduler: FSRS = FSRS()) {
        self.init(scheduler: scheduler)
        for line in lines { add(line) }
    }

    /// Reads a practice log: a line an event. What a kill left of a last line, without its line end, is passed over.
    ///
    /// - Returns: how many bytes are whole lines.
    /// - Throws: `Problem.malformed` with the line that is none.
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
                "\(name):\(wrong): is no line of practice that this program knows; a newer one may have written it")
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
            days[moment.day, default: .init()].seconds += spoke.speech
        case .tested(let test, let right, let count, let seconds):
            tests[test] = TestTotals(moment: moment, right: right, count: count)
            days[moment.day, default: .init()].seconds += seconds
        case .read(let lesson): readLessons.insert(lesson)
        case .opened(let lesson): openedLessons.insert(lesson)
        case .reviewed(let session): reviewedSessions.insert(session)
        case .minutes(let minutes): minutesADay = minutes
        case .restDays(let weekdays): rest.weekdays.append((from: moment.day, Set(weekdays)))
        case .rest(let from, let until): rest.pauses.append(from...until)
        case .resumed: rest.endPauses(before: moment.day)
        case .task(let id, let mark): marks[id] = mark
        case .weights(let version): weights = version
        case .renamed(let memory, let name):
            if let known = memories.removeValue(forKey: memory) { memories[name] = known }
        case .data(let version): dataVersion = version
        }
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

    /// How likely an item is still known, 0 … 1; 0 where it was never learned.
    func retrievability(of item: ItemHistory, at now: StudyMoment) -> Double {
        item.memory.map { scheduler.retrievability(of: $0, at: now.seconds) } ?? 0
    }
}

extension PracticeEvent.Exercise {
    public var pack: String { String(memory.prefix { $0 != "/" }) }
}

/// Days on which nobody has to practise.
public struct RestDays: Equatable, Sendable {
    var weekdays: [(from: StudyDay, Set<Int>)] = []
    var pauses: [ClosedRange<StudyDay>] = []

    /// The weekdays of every week, as they were set on that day: 1 is Monday.
    public func weekdays(on day: StudyDay) -> Set<Int> { weekdays.last { $0.from <= day }?.1 ?? [] }

    /// The last day of the pause that a day is in; nil where it is in none.
    public func pause(on day: StudyDay) -> StudyDay? { pauses.filter { $0.contains(day) }.map(\.upperBound).max() }

    mutating func endPauses(before day: StudyDay) {
        pauses = pauses.compactMap { pause in
            guard pause.upperBound >= day else { return pause }
            return pause.lowerBound < day ? pause.lowerBound...day.advanced(by: -1) : nil
        }
    }

    /// As it was set on that day.
    public func contains(_ day: StudyDay) -> Bool {
        pauses.contains { $0.contains(day) }
            || weekdays(on: day).contains(day.weekday)
    }

    public static func == (a: RestDays, b: RestDays) -> Bool {
        a.pauses == b.pauses && a.weekdays.elementsEqual(b.weekdays) { $0 == $1 }
    }
}
