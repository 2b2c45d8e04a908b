public import Learning

/// A learner's study day, for the terminal and the page: what is done, and what is left.
///
/// One rule counts practice: a drill, a test, a spoken drill and an exam are practice of their day, and each minute
/// counts once.
public struct PracticeDay: Sendable {
    /// The state of practice.
    public let step: PracticeStep
    /// The history with the days and the speech of exams.
    public let history: PracticeHistory
    /// The exercises for the rest of the day. Exams do not change them.
    public let load: DayLoad
    /// The answers of exams whose questions come back today, at most three.
    public let again: [DueAgain]

    /// The streak of days with practice.
    public var streak: Streak { Streak(history, today: step.moment.day) }
    /// The figures of all practice.
    public var statistics: PracticeStatistics { PracticeStatistics(history, today: step.moment.day) }
    /// The minutes practised today.
    public var minutes: Double { (history.days[step.moment.day]?.seconds ?? 0) / 60 }

    static let mostAgain = 3
}

extension Practising {
    /// Returns the learner's study day.
    ///
    /// - Throws: As `take`.
    public func day(at moment: StudyMoment) async throws -> PracticeDay {
        let step = try await take(at: moment) { $0 }
        var again: [DueAgain] = []
        for answer in step.history.retoldDue(at: moment) where again.count < PracticeDay.mostAgain {
            if let due = try await DueAgain(answer, on: shelf) { again.append(due) }
        }
        return PracticeDay(
            step: step, history: try await counted(in: step.history, at: moment),
            load: DayLoad(of: step.content.catalogue, step.history, at: moment), again: again)
    }
}
