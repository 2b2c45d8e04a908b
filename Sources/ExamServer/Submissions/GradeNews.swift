import ExamStore
import Foundation
import SystemSupport

/// What a grader found, as it is kept with a submission.
struct GradedSubmission: Codable, Equatable, Sendable {
    var right: Int
    var count: Int
    /// 0 … 100.
    var percentage: Int
}

/// That a submission was graded: told once, whether its client waits for it or comes later.
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
        guard standing.status == .graded else { return [] }
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
