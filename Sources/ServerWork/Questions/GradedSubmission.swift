package import ExamStore
import Foundation

/// The grader's result, as stored with a submission.
package struct GradedSubmission: Codable, Equatable, Sendable {
    package var right: Int
    package var count: Int
    /// 0 … 100.
    package var percentage: Int

    package init(right: Int, count: Int, percentage: Int) {
        (self.right, self.count, self.percentage) = (right, count, percentage)
    }

    /// The stored form.
    package var json: String { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}" }
}

extension SubmissionStanding {
    /// The result of this server's grader. Nil before grading, and if another program graded it.
    package var graded: GradedSubmission? {
        result.flatMap { try? JSONDecoder().decode(GradedSubmission.self, from: Data($0.utf8)) }
    }
}
