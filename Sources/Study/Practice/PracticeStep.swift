public import Learning

/// One step of a learner's practice: the state before it, and the events that it adds.
public struct PracticeStep: Sendable {
    /// The material to practise.
    public let content: PracticeContent
    /// The history before the step.
    public let history: PracticeHistory
    /// The present moment by the learner's clock.
    public let moment: StudyMoment
    /// The events to store.
    private(set) var events: [PracticeEvent] = []
    /// The open drill at its present question. Nil without an open drill, or if all its questions are answered or no
    /// longer in the packs.
    var drill: Drill?
    /// The lines that a log needs before its next event: the weights of the schedule, and the lessons' new ids.
    private let upkeep: [PracticeEvent]

    init(_ content: PracticeContent, _ history: PracticeHistory, _ moment: StudyMoment) {
        var (history, upkeep) = (history, [PracticeEvent]())
        if history.weights == nil { upkeep.append(.weights(FSRS.weightsVersion)) }
        // The check reads the whole history, so it runs only if the data version is old.
        if history.dataVersion ?? 0 < LessonMigration.dataVersion { upkeep += LessonMigration.events(for: history) }
        for event in upkeep { history.add(PracticeLine(moment, event)) }
        (self.content, self.history, self.moment, self.upkeep) = (content, history, moment, upkeep)
    }

    /// Adds an event.
    public mutating func keep(_ event: PracticeEvent) {
        if events.isEmpty { events = upkeep }
        events.append(event)
    }
}

// MARK: - Settings, lessons and tasks

/// The changes to a learner's days of practice. Those that are nil or false change nothing.
public struct PracticeDays: Equatable, Sendable {
    /// The daily load, 1 to 240 minutes.
    public var minutes: Int?
    /// The weekly rest days, in order. 1 is Monday.
    public var restDays: [Int]?
    /// The last day of a pause that begins today. It must not be before today.
    public var pauseUntil: StudyDay?
    /// Whether to end the pause today.
    public var endsPause = false

    /// Creates a value that changes nothing.
    public init() {}
}

extension PracticeStep {
    /// Changes the learner's days of practice.
    ///
    /// - Returns: False if a pause should end but today is not in one. The other changes are made.
    @discardableResult
    public mutating func change(_ days: PracticeDays) -> Bool {
        if let minutes = days.minutes { keep(.minutes(minutes)) }
        if let restDays = days.restDays { keep(.restDays(restDays)) }
        if let last = days.pauseUntil { keep(.rest(from: moment.day, until: last)) }
        guard days.endsPause else { return true }
        guard history.rest.pause(on: moment.day) != nil else { return false }
        keep(.resumed)
        return true
    }

    /// Makes the days without time for practice the weekly rest days.
    public mutating func rest(by profile: LearnerProfile) {
        guard history.rest.weekdays(on: moment.day) != Set(profile.restDays) else { return }
        keep(.restDays(profile.restDays))
    }

    /// Records that the learner read a lesson, once for each.
    public mutating func read(lesson: String) {
        if !history.readLessons.contains(lesson) { keep(.read(lesson: lesson)) }
    }

    /// Opens a lesson before its turn, unless the learner opened it before.
    public mutating func open(lesson: String) {
        if !history.openedLessons.contains(lesson) { keep(.opened(lesson: lesson)) }
    }

    /// Records that the learner looked at the results of an exam or a spoken drill, once for each.
    ///
    /// - Parameter spoke: The spoken drill, whose speech counts on the day of its result.
    public mutating func review(_ session: String, _ spoke: PracticeEvent.Spoke? = nil) {
        // A line of the log has words without spaces, but a folder's name may have one.
        guard !history.reviewedSessions.contains(session), !session.contains(where: \.isWhitespace) else { return }
        keep(.reviewed(session: session))
        if let spoke { keep(.spoke(spoke)) }
    }

    /// Records that an answer of an exam was given again. Its question comes back after some days.
    mutating func retell(_ answer: RetoldAnswer) {
        guard !(answer.session + answer.answer).contains(where: \.isWhitespace) else { return }
        keep(.retold(answer))
    }

    /// The practised questions, drills and tests, the newest first.
    public var tasks: [PracticeTask] { history.tasks(of: content.catalogue) }

    /// Marks a task as complete or incomplete, or takes it off the list. What was learned stays. The next drill asks a
    /// question that is marked incomplete, also one that was only answered wrong before.
    ///
    /// - Returns: False if there is no such task.
    public mutating func mark(_ task: String, as mark: PracticeEvent.TaskMark) -> Bool {
        guard tasks.contains(where: { $0.id == task }) else { return false }
        if history.marks[task] != mark { keep(.task(id: task, mark)) }
        return true
    }
}
