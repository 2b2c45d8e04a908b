/// An answer of an exam that the learner gave again. Its question comes back after some days, by the schedule of all
/// practice.
public struct RetoldAnswer: Hashable, Sendable {
    /// The exam's session.
    public var session: String
    /// The answer's name, such as `part1_q5`.
    public var answer: String

    public init(session: String, answer: String) {
        (self.session, self.answer) = (session, answer)
    }

    /// Schedules in days from the first time on: a learner does not say the same answer again after ten minutes.
    static let scheduler = FSRS(learningSteps: [], relearningSteps: [])
}

extension PracticeHistory {
    /// Returns the answers that are due to be given again, the one that was due first at the beginning.
    public func retoldDue(at now: StudyMoment) -> [RetoldAnswer] {
        func place(_ answer: RetoldAnswer) -> (Int, String, String) {
            (retold[answer]?.dueAt ?? 0, answer.session, answer.answer)
        }
        return retold.filter { $0.value.isDue(at: now) }.keys.sorted { place($0) < place($1) }
    }
}
