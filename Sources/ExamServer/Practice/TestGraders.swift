import ExamStore
import Foundation
import Learning
import Logging
import ServiceLifecycle
import SystemSupport

/// Grades practice tests that were handed in, one at a time on each node that has workers. One whose node dies is graded by another when the lease has
/// run out.
struct TestGraders: Service {
    let services: Services
    /// Seconds: what a dead node's test waits for another one. Grading takes milliseconds.
    var lease = 10.0
    /// Seconds until one that cannot be graded is tried again: a newer node may know how.
    private static let pause = 600.0

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await services.work(on: "tests") { () async throws(StoreError) in try await gradeOne() }
        }
    }

    /// Grades the next one.
    ///
    /// - Returns: false where there was none.
    func gradeOne() async throws(StoreError) -> Bool {
        let store = services.store.service
        guard let claim = try await store.claimTest(.submitted, seconds: lease) else { return false }
        guard let test = try? claim.test.test(), let result = TestResult(test) else {
            services.logger.warning("a test cannot be graded", metadata: ["submission": "\(claim.test.id.name)"])
            try await store.giveBack(claim, after: Self.pause)
            return true
        }
        let found = GradedSubmission(right: result.right, count: result.count, percentage: result.percentage)
        let line = PracticeLine(
            StudyMoment(seconds: Int(test.submittedAt ?? 0), offset: claim.test.offset),
            .tested(test: test.id, right: result.right, of: result.count, seconds: result.seconds))
        if try await !store.grade(claim, result: found.json, line: line.text) {
            services.logger.info("a test was erased, or graded by another node")
        }
        return true
    }
}
