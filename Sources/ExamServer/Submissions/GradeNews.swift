import BackendAPI
import ExamStore
import Foundation
import Learning
import ServerWork
import Study
import SystemSupport

extension GradedSubmission {
    /// Grades an application's own quiz by the item bank's keys: `GET /v1/questions` returns its questions.
    ///
    /// Nil if an answer belongs to no question of the bank, or is spoken, because there is no key for it.
    init?(ofOwnQuiz answers: [SubmissionAnswer], by bank: [PracticeQuestion]) {
        let wanted = Set(answers.map(\.question))
        let known = Dictionary(
            bank.lazy.filter { wanted.contains($0.id) }.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var (right, credit) = (0, 0.0)
        for one in answers {
            guard let question = known[one.question],
                let sent = try? JSONDecoder().decode(AnyAnswer.self, from: Data(one.answer.utf8)),
                let answer = sent.practiceAnswer
            else { return nil }
            if question.verdict(on: answer).isRight { right += 1 }
            credit += question.credit(for: answer)
        }
        let share = credit / Double(max(1, answers.count))
        self.init(right: right, count: answers.count, percentage: Int((share * 100).rounded()))
    }
}

/// The event of a submission's grading, sent once, whether its client waits for it or comes later. If a submission will
/// not be graded, its stream ends without the event.
struct GradeNews: StreamedNews {
    let owned: OwnedStore
    let submission: UUID
    private(set) var isOver = false

    /// The number of the only event.
    static let graded = 1

    init(of submission: UUID, _ owned: OwnedStore) { (self.submission, self.owned) = (submission, owned) }

    private struct Graded: Encodable {
        var attemptId: LowercaseID?
        var submissionId: LowercaseID
        var right, count, percentage: Int?
    }

    mutating func next() async throws(StoreError) -> [ServerSentEvent]? {
        guard let standing = try await owned.standing(ofSubmission: submission) else { return nil }
        guard standing.status == .graded else {
            // An application's own quiz that could not be graded when it was handed in stays as it is.
            if standing.status == .submitted { isOver = try await owned.practiceTest(submission) == nil }
            return []
        }
        isOver = true
        let found = standing.graded
        return [
            ServerSentEvent(
                Self.graded, "graded",
                Graded(
                    attemptId: standing.attempt.map(LowercaseID.init), submissionId: LowercaseID(submission),
                    right: found?.right, count: found?.count, percentage: found?.percentage))
        ]
    }

    /// Nil: the submission was erased, and there is nothing to send.
    var farewell: ServerSentEvent? { nil }
}
