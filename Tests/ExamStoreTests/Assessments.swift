import Assessment
import ExamCore
import Foundation
import Testing

@testable import ExamStore

@Suite struct Assessments {
    /// A session that is over, its answers, and the job that evaluates it.
    private static func claimed(
        _ store: ExamDatabase, answers: Int = 2, by assessor: String = "a/1"
    ) async throws -> (mine: OwnedStore, session: UUID, answers: [UUID], job: Job) {
        let mine = store.owned(by: UUID(), assessor: assessor)
        let (session, ids) = try await store.hold(mine.user, answers: answers)
        _ = try await mine.complete(session, Sample.completion(answers: answers))
        let job = try #require(try await store.service.claim(worker: "w", assessor: assessor, seconds: 60))
        return (mine, session, ids, job)
    }

    @Test(arguments: Base.here) func whatWasFoundIsKeptOnceForEachVersion(_ base: Base) async throws {
        try await withStore(base) { store in
            let (mine, session, ids, job) = try await Self.claimed(store)
            let service = store.service
            #expect(try await service.beginAssessment(of: ids[0], by: "a/1", for: job) == .ask(attempt: 1))
            // Its worker died before anything was kept.
            #expect(try await service.beginAssessment(of: ids[0], by: "a/1", for: job) == .ask(attempt: 2))
            var found = ResponseResult(
                response: ids[0], scores: Scores(fluency: 6.25), transcript: "well",
                mistakes: [Mistake(original: "well", correction: "good", type: "word", start: 0, end: 4)],
                azureResponse: #"{"NBest": [{"Display": "well"}]}"#, peaks: [0.5, 1])
            #expect(try await service.keep(found, by: "a/1")?.transcript == "well")
            let known = try await service.assessments(of: session, by: "a/1")
            found.peaks = nil
            #expect(known == [ids[0]: found])
            #expect(try await service.beginAssessment(of: ids[0], by: "a/1", for: job) == .known(found))
            // Who comes later with something else hears what is kept.
            let other = ResponseResult(response: ids[0], transcript: "ill")
            #expect(try await service.keep(other, by: "a/1") == found)
            let answers = try await mine.responses(of: session)
            #expect(answers.map(\.processing) == ["completed", "pending"])
            #expect(answers[0].transcript == "well" && answers[0].peaks == [0.5, 1])
            #expect(answers[0].mistakes == found.mistakes && answers[1].mistakes == nil)
            #expect(answers[0].scores == Scores(fluency: 6.25) && answers[1].scores == Scores())
            #expect(answers[0].azureResponse?.contains("NBest") == true)
            // Another version is another matter; what is measured stays.
            #expect(try await service.beginAssessment(of: ids[0], by: "a/2", for: job) == .ask(attempt: 1))
            _ = try await service.keep(other, by: "a/2")
            #expect(try await mine.response(ids[0])?.transcript == "ill")
            #expect(try await mine.response(ids[0])?.peaks == [0.5, 1])
            #expect(try await service.assessments(of: session, by: "a/1") == [ids[0]: found])
        }
    }

    @Test(arguments: Base.here) func whoeverHasLostTheLeaseAsksNobody(_ base: Base) async throws {
        try await withStore(base) { store in
            let (_, session, ids, job) = try await Self.claimed(store)
            #expect(try await store.service.extend(job, seconds: -1))
            let next = try #require(try await store.service.claim(worker: "x", assessor: "a/1", seconds: 60))
            #expect(try await store.service.beginAssessment(of: ids[0], by: "a/1", for: job) == .lost)
            // But what it has found already is kept.
            #expect(try await store.service.keep(ResponseResult(response: ids[0], transcript: "w"), by: "a/1") != nil)
            guard case .known = try await store.service.beginAssessment(of: ids[0], by: "a/1", for: next) else {
                Issue.record("it would be asked for again")
                return
            }
            #expect(try await store.service.assessments(of: session, by: "a/1").count == 1)
        }
    }

    /// Two jobs of a session, of two versions, whose workers both ask the newer one.
    @Test(arguments: Base.here) func twoJobsDoNotAskAboutOneAnswer(_ base: Base) async throws {
        try await withStore(base) { store in
            let (_, session, ids, job) = try await Self.claimed(store)
            #expect(try await store.service.queueEvaluation(of: session, by: "a/2"))
            let newer = try #require(try await store.service.claim(worker: "x", assessor: "a/2", seconds: 60))
            #expect(try await store.service.beginAssessment(of: ids[0], by: "a/2", for: job) == .ask(attempt: 1))
            #expect(try await store.service.beginAssessment(of: ids[0], by: "a/2", for: newer) == .elsewhere)
            // Until that worker is gone.
            #expect(try await store.service.extend(job, seconds: -1))
            #expect(try await store.service.beginAssessment(of: ids[0], by: "a/2", for: newer) == .ask(attempt: 2))
        }
    }

    @Test(arguments: Base.here) func anAnswerThatCannotBeAssessedSaysWhy(_ base: Base) async throws {
        try await withStore(base) { store in
            let (mine, session, ids, _) = try await Self.claimed(store)
            _ = try await store.service.keep(ResponseResult(response: ids[1], error: "It is no sound."), by: "a/1")
            let answer = try #require(try await mine.response(ids[1]))
            #expect(answer.processing == "failed" && answer.error == "It is no sound.")
            #expect(try await store.service.assessments(of: session, by: "a/1")[ids[1]]?.error == "It is no sound.")
            // D5's two words say one thing.
            let said = try await store.service.read {
                try $0.rows(
                    "SELECT is_processed FROM responses WHERE is_processed <> (processing_status = 'completed')")
            }
            #expect(said.isEmpty)
        }
    }

    @Test(arguments: Base.here) func anErasedAnswersAssessmentsGoWithIt(_ base: Base) async throws {
        try await withStore(base) { store in
            let (mine, session, ids, job) = try await Self.claimed(store)
            _ = try await store.service.keep(ResponseResult(response: ids[0], transcript: "w"), by: "a/1")
            #expect(try await mine.erase(session: session))
            let count: Int = try await store.service.read {
                try $0.first("SELECT count(*) AS count FROM assessments")!.value("count")
            }
            #expect(count == 0)
            #expect(try await store.service.keep(ResponseResult(response: ids[1], transcript: "w"), by: "a/1") == nil)
            #expect(try await store.service.beginAssessment(of: ids[1], by: "a/1", for: job) == .lost)
        }
    }

    @Test(arguments: Base.here) func manyWorkersKeepOneResultOfAnAnswer(_ base: Base) async throws {
        try await withStore(base, connections: 8) { store in
            let (_, _, ids, _) = try await Self.claimed(store)
            let kept = try await withThrowingTaskGroup(of: String?.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        try await store.service.keep(
                            ResponseResult(response: ids[0], transcript: "\(number)"), by: "a/1")?.transcript
                    }
                }
                return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            #expect(kept.count == 1 && !kept.contains(nil), "\(kept)")
        }
    }
}
