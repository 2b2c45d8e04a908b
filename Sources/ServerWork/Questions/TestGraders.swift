import ExamNode
import ExamStore
import Foundation
import Learning
import Logging
import ServiceLifecycle
import Study
import SystemSupport

/// Grades practice tests that were handed in, one at a time on each node with workers. If a node dies, another node
/// grades its test when the lease has ended.
struct TestGraders: Service {
    let services: Services
    /// The seconds after which a dead node's test is taken over. Grading takes milliseconds.
    var lease = 10.0
    /// The seconds until a test that cannot be graded is tried again, because a newer node may be able to.
    private static let pause = 600.0

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await services.work(on: "tests") { () async throws(StoreError) in try await gradeOne() }
        }
    }

    /// Grades the next test.
    ///
    /// - Returns: false if no test is waiting.
    func gradeOne() async throws(StoreError) -> Bool {
        let store = services.store.service
        guard let claim = try await store.claimTest(.submitted, seconds: lease) else { return false }
        guard let test = try? claim.test.test(), let result = TestResult(test), let event = test.event else {
            services.logger.warning("a test cannot be graded", metadata: ["submission": "\(claim.test.id.name)"])
            try await store.giveBack(claim, after: Self.pause)
            return true
        }
        let found = GradedSubmission(right: result.right, count: result.count, percentage: result.percentage)
        let line = PracticeLine(StudyMoment(seconds: Int(test.submittedAt ?? 0), offset: claim.test.offset), event)
        if try await !store.grade(claim, result: found.json, line: line.text) {
            services.logger.info("a test was erased, or graded by another node")
        }
        return true
    }
}
