import ExamNode
import ExamStore
import Foundation
import HTTPClient
import Learning
import Logging
import Papers
import ServiceLifecycle
import Study
import TextModels

/// Writes the practice tests that users requested, one at a time on each node. Any node continues tests begun by
/// another one.
struct TestWriters: Service {
    let services: Services
    let writer: PaperWriter
    /// The seconds after which a dead node's test is taken over. It is longer than one question may take, because each
    /// answer renews the lease.
    var lease: Double { Double(writer.seconds) + 60 }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await services.work(on: "tests") { () async throws(StoreError) in try await writeOne() }
        }
    }

    /// Writes the next test.
    ///
    /// - Returns: false if no test is waiting.
    func writeOne() async throws(StoreError) -> Bool {
        guard let claim = try await services.store.service.claimTest(.generating, seconds: lease) else { return false }
        do {
            try await write(claim)
        } catch is LostTest {
            services.logger.info("a test was erased, or is another node's now")
        } catch let error as StoreError {
            throw error
        } catch {
            // Log only the kind of error: the message may contain a user's words.
            services.logger.warning("a test failed", metadata: ["what": "\(type(of: error))"])
            let kept = try? await services.owned(by: claim.user).practiceTest(claim.test.id)
            try await fail(kept ?? claim.test, claim, (error as? ServiceFailure)?.sentence ?? "It could not be made.")
        }
        return true
    }

    private func write(_ claim: TestClaim) async throws {
        let store = services.store.service
        var test = try claim.test.test()
        let known = KnownQuestions(services.practice.bank)
        var limits = GenerationLimits()
        limits.milliseconds = writer.seconds * 1_000
        let start =
            test.generation
            ?? Generation(
                test.blueprint.slots.map(QuestionWish.init), writer: writer.name, seed: test.request.seed,
                limits: limits)
        let begun = test
        let end = try await ModelWriting<QuestionWish>(writer.model, name: "practice_question").run(
            start, beside: known
        ) {
            var now = begun
            now.generation = $1
            guard try await store.keep(claim, document: StoredTest.text(now), seconds: lease) else { throw LostTest() }
        }
        guard end.attempt == nil else { return try await store.giveBack(claim) }
        test.generation = end
        guard let questions = PracticeTest.questions(of: end, standIns: known) else {
            return try await fail(claim.test.with(test), claim, "Some questions could not be written.")
        }
        try test.handle(.written(questions))
        try await store.finish(claim, claim.test.with(test))
    }

    private func fail(_ kept: StoredTest, _ claim: TestClaim, _ why: String) async throws(StoreError) {
        guard var test = try? kept.test(), (try? test.handle(.failed(why))) != nil else { return }
        try await services.store.service.finish(claim, claim.test.with(test))
    }
}

/// The test was erased by its owner, or its lease ended and another node continues it.
private struct LostTest: Error {}
