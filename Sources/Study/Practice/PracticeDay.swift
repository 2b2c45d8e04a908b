import Assessment
public import Learning
import SystemSupport

/// A learner's study day, for the terminal and the page: what is done, and what is left.
///
/// One rule counts practice: a drill, a test, a spoken drill and an exam are practice of their day, and each minute
/// counts once.
public struct PracticeDay: Sendable {
    /// The state of practice.
    public let step: PracticeStep
    /// The history with the days and the speech of exams.
    public let history: PracticeHistory
    /// The exercises for the rest of the day. Exams leave them as they are.
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

/// The speech of a learner's exams, by which they count as practice. Each exam is read once, except those of the last
/// day, of which a server may still be measuring answers.
actor SpokenExams {
    private struct Spoken {
        var moment: StudyMoment
        var speech: Double
    }

    private let shelf: any LearnerShelf
    private var known: [ExamEntry.ID: Spoken] = [:]

    /// The most exams, the newest.
    private static let most = 200

    init(on shelf: some LearnerShelf) { self.shelf = shelf }

    /// Returns a history to which the exams are added.
    ///
    /// - Throws: The shelf's errors.
    func counted(in history: PracticeHistory, at moment: StudyMoment) async throws(Problem) -> PracticeHistory {
        var history = history
        for entry in try await shelf.exams(limit: Self.most, before: nil) where entry.ending != nil {
            guard let exam = try await spoken(entry, at: moment) else { continue }
            history.count(examWith: exam.speech, at: exam.moment)
        }
        return history
    }

    /// Returns the speech of an exam. Nil if it was not measured.
    private func spoken(_ entry: ExamEntry, at moment: StudyMoment) async throws(Problem) -> Spoken? {
        if let exam = known[entry.id] { return exam }
        guard let began = entry.startedAt.flatMap(WallTime.init(utc:)),
            let assessment = try await shelf.assessment(of: entry.id), !assessment.answers.isEmpty
        else { return nil }
        let start = StudyMoment(seconds: began.secondsSince1970, offset: entry.offset ?? moment.offset)
        let exam = Spoken(moment: start, speech: assessment.delivery.measures.speech)
        if start.seconds + 86_400 < moment.seconds { known[entry.id] = exam }
        return exam
    }
}
