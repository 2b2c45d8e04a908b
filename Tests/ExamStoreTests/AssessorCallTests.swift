import Foundation
import StoreTrials
import Testing

@testable import ExamStore

/// Calls of services about answers: made once, by one worker, within a budget.
@Suite(.bothStores) struct AssessorCallTests {
    /// Stores a completed session, and claims its evaluation.
    private static func claimed(
        _ store: ExamDatabase, answers: Int = 2
    ) async throws -> (mine: OwnedStore, session: UUID, answers: [UUID], job: Job) {
        let mine = store.owned(by: UUID(), assessor: "a")
        let (session, ids) = try await store.hold(mine.user, answers: answers)
        _ = try await mine.complete(session, Sample.completion(answers: answers))
        let job = try #require(try await store.service.claim(worker: "w", assessor: "a", seconds: 60))
        return (mine, session, ids, job)
    }

    private static func call(_ answer: UUID, _ name: String = "run 1") -> ServiceStore.Call {
        .init(response: answer, assessor: "whisper", version: "1", name: name)
    }

    private static func begin(
        _ store: ExamDatabase, _ call: ServiceStore.Call, _ job: Job
    ) async throws -> ServiceStore.CallBegin {
        try await store.service.begin(call, for: job, seconds: 1, cost: 0) { _ in true }
    }

    @Test func anAnswerIsStoredOnce() async throws {
        try await withStore { store in
            let (_, _, ids, job) = try await Self.claimed(store)
            let call = Self.call(ids[0])
            #expect(try await store.service.answer(to: call) == nil)
            #expect(try await Self.begin(store, call, job) == .ask)
            // The worker died before it stored an answer.
            #expect(try await Self.begin(store, call, job) == .ask)
            try await store.service.keep("{\"text\": \"well\"}", to: call)
            #expect(try await Self.begin(store, call, job) == .known("{\"text\": \"well\"}"))
            // A later answer changes nothing.
            try await store.service.keep("other", to: call)
            #expect(try await store.service.answer(to: call) == "{\"text\": \"well\"}")
            // Another name is another call, and so is another answer.
            #expect(try await Self.begin(store, Self.call(ids[0], "run 2"), job) == .ask)
            #expect(try await Self.begin(store, Self.call(ids[1]), job) == .ask)
            let all = try await store.service.answers(by: "whisper", version: "1", about: ids[0])
            #expect(all == ["run 1": "{\"text\": \"well\"}"])
        }
    }

    @Test func aWorkerWithoutALeaseMakesNoCall() async throws {
        try await withStore { store in
            let (_, _, ids, job) = try await Self.claimed(store)
            #expect(try await Self.begin(store, Self.call(ids[0]), job) == .ask)
            #expect(try await store.service.extend(job, seconds: -1))
            let next = try #require(try await store.service.claim(worker: "x", assessor: "a", seconds: 60))
            #expect(try await Self.begin(store, Self.call(ids[1]), job) == .lost)
            // An answer that is stored already is still known.
            try await store.service.keep("w", to: Self.call(ids[0]))
            #expect(try await Self.begin(store, Self.call(ids[0]), next) == .known("w"))
        }
    }

    /// Two jobs of a session, for two panels that share one assessor.
    @Test func twoJobsDoNotMakeOneCall() async throws {
        try await withStore { store in
            let (_, session, ids, job) = try await Self.claimed(store)
            #expect(try await store.service.queueEvaluation(of: session, by: "b"))
            let newer = try #require(try await store.service.claim(worker: "x", assessor: "b", seconds: 60))
            #expect(try await Self.begin(store, Self.call(ids[0]), job) == .ask)
            #expect(try await Self.begin(store, Self.call(ids[0]), newer) == .elsewhere)
            // Until that worker's lease has ended.
            #expect(try await store.service.extend(job, seconds: -1))
            #expect(try await Self.begin(store, Self.call(ids[0]), newer) == .ask)
        }
    }

    @Test func aBudgetIsAskedInTheSameTransaction() async throws {
        try await withStore(connections: 8) { store in
            let (_, _, ids, job) = try await Self.claimed(store, answers: 8)
            let begun = try await withThrowingTaskGroup(of: Bool.self) { group in
                for id in ids {
                    group.addTask {
                        try await store.service.begin(Self.call(id), for: job, seconds: 60, cost: 2) {
                            $0.cost + 2 <= 7
                        } == .ask
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(begun == 3)
            let other = try await store.service.begin(Self.call(ids[0], "run 9"), for: job, seconds: 1, cost: 2) {
                $0.cost + 2 <= 7
            }
            #expect(other == .spent(.init(seconds: 180, cost: 6, learnerSeconds: 180, learnerCost: 6)))
        }
    }

    /// The spending on a learner's answers is counted for that learner, for a day.
    @Test func spendingIsCountedByLearner() async throws {
        try await withStore { store in
            let (_, _, first, job) = try await Self.claimed(store)
            #expect(try await Self.begin(store, Self.call(first[0]), job) == .ask)
            let (_, _, second, other) = try await Self.claimed(store)
            func spent() async throws -> ServiceStore.CallBegin {
                try await store.service.begin(Self.call(second[0]), for: other, seconds: 1, cost: 0) { _ in false }
            }
            #expect(try await spent() == .spent(.init(seconds: 1, cost: 0, learnerSeconds: 0, learnerCost: 0)))
            try await store.service.forgetSpenders()
            let counts = "SELECT count(user_id) AS count FROM assessor_spending"
            #expect(try await store.service.read { try $0.first(counts)!.value("count") as Int } == 1)
            // A day later the learner's id is gone.
            try await store.service.write {
                _ = try $0.change("UPDATE assessor_spending SET begun_at = '2020-01-01T00:00:00Z'")
            }
            try await store.service.forgetSpenders()
            #expect(try await store.service.read { try $0.first(counts)!.value("count") as Int } == 0)
        }
    }

    @Test func anErasedAnswersCallsGoWithIt() async throws {
        try await withStore { store in
            let (mine, session, ids, job) = try await Self.claimed(store)
            #expect(try await Self.begin(store, Self.call(ids[0]), job) == .ask)
            try await store.service.keep("words", to: Self.call(ids[0]))
            #expect(try await mine.erase(session: session))
            let count: Int = try await store.service.read {
                try $0.first("SELECT count(*) AS count FROM assessor_calls")!.value("count")
            }
            #expect(count == 0)
            try await store.service.keep("late", to: Self.call(ids[1]))
            #expect(try await Self.begin(store, Self.call(ids[1]), job) == .lost)
        }
    }

    @Test func aRowShowsTheCallsStateSoFar() async throws {
        try await withStore { store in
            let (mine, _, ids, _) = try await Self.claimed(store)
            var result = ResponseResult(
                response: ids[0], scores: Scores(fluency: 6.25), transcript: "well",
                azureResponse: #"[{"NBest": []}]"#, peaks: [0.5, 1])
            try await store.service.show(result, isDone: false)
            var answer = try #require(try await mine.response(ids[0]))
            #expect(answer.processing == "processing" && answer.transcript == "well" && answer.peaks == [0.5, 1])
            result.peaks = nil
            result.error = "It is no sound."
            try await store.service.show(result, isDone: true)
            answer = try #require(try await mine.response(ids[0]))
            #expect(answer.processing == "failed" && answer.error == "It is no sound." && answer.peaks == [0.5, 1])
            // The two columns about processing agree.
            let said = try await store.service.read {
                try $0.rows(
                    "SELECT is_processed FROM responses WHERE is_processed <> (processing_status = 'completed')")
            }
            #expect(said.isEmpty)
        }
    }

    @Test func aConsentIsItsOwnersAlone() async throws {
        try await withStore { store in
            let (mine, theirs) = (store.owned(by: UUID()), store.owned(by: UUID()))
            try await mine.agree(to: "cloud.example.org", words: "old")
            try await mine.agree(to: "cloud.example.org", words: "new")
            #expect(try await mine.consents().map(\.words) == ["new"])
            #expect(try await theirs.consents().isEmpty)
            #expect(try await theirs.withdraw(from: "cloud.example.org") == false)
            #expect(try await mine.withdraw(from: "cloud.example.org"))
            #expect(try await mine.consents().isEmpty)
        }
    }
}
