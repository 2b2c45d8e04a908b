import BackendAPI
import ExamStore
import Foundation
import Learning
import SystemSupport

/// What a grader found, as it is kept with a submission.
struct GradedSubmission: Codable, Equatable, Sendable {
    var right: Int
    var count: Int
    /// 0 … 100.
    var percentage: Int
}

extension GradedSubmission {
    private static let bank = Dictionary(
        PracticeShelf.bank.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

    /// Grades an application's own quiz by the item bank's keys: `GET /v1/questions` has its questions.
    ///
    /// nil if an answer belongs to no question of the bank, or is spoken: then there is no key to grade it by.
    init?(ofOwnQuiz answers: [SubmissionAnswer]) {
        var right = 0
        for one in answers {
            guard let question = Self.bank[one.question],
                let sent = try? JSONDecoder().decode(AnyAnswer.self, from: Data(one.answer.utf8)),
                let answer = sent.practiceAnswer
            else { return nil }
            if question.verdict(on: answer).isRight { right += 1 }
        }
        let share = Double(right) / Double(max(1, answers.count))
        self.init(right: right, count: answers.count, percentage: Int((share * 100).rounded()))
    }

    /// As the store keeps it.
    var json: String { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}" }
}

/// That a submission was graded: told once, whether its client waits for it or comes later. The stream of one that will not be graded ends without it.
struct GradeNews: StreamedNews {
    let owned: OwnedStore
    let submission: UUID
    private(set) var isOver = false

    /// The number of the only event that there is.
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
            // An own quiz that could not be graded when it was handed in stays as it is.
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

    /// It was erased: there is nothing more to say.
    var farewell: ServerSentEvent? { nil }
}

extension SubmissionStanding {
    /// What this server's grader found; nil before that, and where somebody else graded it.
    var graded: GradedSubmission? {
        result.flatMap { try? JSONDecoder().decode(GradedSubmission.self, from: Data($0.utf8)) }
    }
}
