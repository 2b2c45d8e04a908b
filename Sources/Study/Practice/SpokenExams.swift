import Assessment
import Learning
import SystemSupport

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
        guard let began = entry.startedAt.flatMap(WallTime.init(utc:)), let delivery = try await delivery(of: entry)
        else { return nil }
        let start = StudyMoment(seconds: began.secondsSince1970, offset: entry.offset ?? moment.offset)
        let exam = Spoken(moment: start, speech: delivery.measures.speech)
        if start.seconds + 86_400 < moment.seconds { known[entry.id] = exam }
        return exam
    }

    private func delivery(of entry: ExamEntry) async throws(Problem) -> DeliveryProfile? {
        if let figures = await shelf.keptFigures(of: entry.id) { return figures.delivery }
        guard let assessment = try await shelf.assessment(of: entry.id), !assessment.answers.isEmpty else { return nil }
        return assessment.delivery
    }
}
