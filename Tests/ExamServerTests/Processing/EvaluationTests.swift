import ExamCore
import Foundation
import Synchronization
import Testing

@testable import ExamServer
@testable import ExamStore

/// What workers do with a session that is over.
@Suite struct EvaluationTests {
    @Test(arguments: WorkerPlace.Base.here)
    func whatWasAssessedIsNotAssessedAgainByThisVersion(_ base: WorkerPlace.Base) async throws {
        try await withWorkerPlace(base) { place, store in
            let assessor = CountingAssessor(place)
            let services = try place.services(store, assessor: assessor)
            let worker = Workers(services: services, count: 1)
            let (session, _, answers) = try await place.hold(services, answers: 3)
            #expect(try await worker.workOnce("w"))
            #expect(assessor.paid() == 3)
            // Asked for again: nothing is left to ask.
            #expect(try await store.service.queueEvaluation(of: session, by: assessor.version))
            #expect(try await worker.workOnce("w"))
            #expect(assessor.paid() == 3)
            // A new version may, once.
            let newer = CountingAssessor(place, version: "counting/2")
            let renewed = try place.services(store, assessor: newer)
            for _ in 0..<2 {
                #expect(try await store.service.queueEvaluation(of: session, by: newer.version))
                #expect(try await Workers(services: renewed, count: 1).workOnce("w"))
            }
            for answer in answers {
                #expect(newer.calls(of: answer).filter(\.isEnd).map(\.version) == ["counting/1", "counting/2"])
                #expect(Set(newer.calls(of: answer).map(\.key)).count == 2, "versions have keys of their own")
            }
        }
    }

    @Test(arguments: WorkerPlace.Base.here)
    func anAnswerThatComesAfterTheEvaluationIsAssessed(_ base: WorkerPlace.Base) async throws {
        try await withWorkerPlace(base) { place, store in
            let assessor = CountingAssessor(place)
            let services = try place.services(store, assessor: assessor)
            let worker = Workers(services: services, count: 1)
            let (session, user, answers) = try await place.hold(services, answers: 2)
            #expect(try await worker.workOnce("w"))
            #expect(try await store.service.session(session)?.status == .evaluated)
            let late = try await place.answer(services, services.owned(by: user), session, order: 3)
            #expect(try await worker.workOnce("w"))
            #expect(try await worker.workOnce("w") == false)
            #expect((answers + [late]).map { assessor.paid(for: $0) } == [1, 1, 1])
            #expect(try await services.owned(by: user).response(late)?.processing == "completed")
        }
    }

    /// Whoever ends a session, its job is for the assessor that this server has: no worker waits with it.
    @Test func anExamThatWasLeftIsForThisServersAssessor() async throws {
        try await withWorkerPlace(.sqlite) { place, store in
            let services = try place.services(store, assessor: CountingAssessor(place))
            let session = TestSession(
                id: UUID(), name: "left", format: "ielts-style", paper: "bridges", startedAt: "2020-01-01T00:00:00Z")
            _ = try await services.owned(by: UUID()).put(session)
            #expect(try await store.service.setLiveToken("a hash", session: session.id))
            try await LiveExams(services).closeAbandoned()
            #expect(try await store.service.session(session.id)?.status == .completed)
            #expect(try await Workers(services: services, count: 1).workOnce("w"))
            #expect(try await store.service.session(session.id)?.status == .evaluated)
        }
    }

    /// One answer's call fails: what the others' calls said is kept, and only that one is made again.
    @Test func aCallThatFailsCostsNoOtherCall() async throws {
        try await withWorkerPlace(.sqlite) { place, store in
            let failures = Mutex(0)
            let broken = Mutex<UUID?>(nil)
            let assessor = CountingAssessor(place, callsAtOnce: 2) { step in
                guard case .called(let call) = step, call.answer == broken.withLock({ $0 }) else { return }
                let count = failures.withLock {
                    $0 += 1
                    return $0
                }
                if count < 3 { throw URLError(.timedOut) }
            }
            let services = try place.services(store, assessor: assessor)
            let (session, _, answers) = try await place.hold(services, answers: 5)
            broken.withLock { $0 = answers[1] }
            for round in 1...3 {
                #expect(try await Workers(services: services, count: 1).workOnce("w"))
                if round < 3 {
                    #expect(try await store.service.session(session)?.status == .processing)
                    #expect(assessor.paid() == 4, "round \(round)")
                    // The delay passes.
                    try await store.service.write { _ = try $0.change("UPDATE processing_queue SET due = 0") }
                }
            }
            #expect(answers.map { assessor.paid(for: $0) } == [1, 1, 1, 1, 1])
            #expect(assessor.calls(of: answers[1]).filter(\.isEnd).map(\.attempt) == [3])
            #expect(try await store.service.session(session)?.status == .evaluated)
        }
    }

    /// C12: several answers at a time, and no more than the assessor wants.
    @Test func severalAnswersAreAssessedAtATime() async throws {
        try await withWorkerPlace(.sqlite) { place, store in
            let now = Mutex(0)
            let most = Mutex(0)
            let together = AsyncStream<Void>.makeStream()
            let assessor = CountingAssessor(place, callsAtOnce: 3) { step in
                switch step {
                case .called:
                    let count = now.withLock {
                        $0 += 1
                        return $0
                    }
                    most.withLock { $0 = max($0, count) }
                    // The first three wait for each other.
                    if count == 3 { together.continuation.finish() }
                    for await _ in together.stream {}
                case .said: now.withLock { $0 -= 1 }
                default: break
                }
            }
            let services = try place.services(store, assessor: assessor)
            _ = try await place.hold(services, answers: 7)
            #expect(try await Workers(services: services, count: 1).workOnce("w"))
            #expect(most.withLock { $0 } == 3)
            #expect(assessor.paid() == 7)
        }
    }

    @Test(arguments: WorkerPlace.Base.here)
    func whatCannotBeDecodedIsToldAsSuch(_ base: WorkerPlace.Base) async throws {
        try await withWorkerPlace(base) { place, store in
            /// Knows other means, and says what it was told.
            struct Telling: Assessor {
                let version = "telling/1"
                let told: @Sendable (String, [String?]) -> Void
                func assess(_ request: AssessmentRequest) async throws -> ResponseResult {
                    ResponseResult(response: request.response.id)
                }
                func assess(
                    undecodable request: AssessmentRequest, because reason: String
                ) async throws -> ResponseResult {
                    #expect(FileManager.default.contents(atPath: request.path) == Data("no sound".utf8))
                    told(reason, [])
                    return ResponseResult(response: request.response.id, transcript: "by other means")
                }
            }
            let told = Mutex<[String]>([])
            let telling = Telling { reason, _ in told.withLock { $0.append(reason) } }
            var services = try place.services(store, assessor: telling)
            let (session, user, answers) = try await place.hold(services, answers: 1, bytes: Array("no sound".utf8))
            #expect(try await Workers(services: services, count: 1).workOnce("w"))
            #expect(told.withLock { $0 } == ["The recording cannot be decoded."])
            #expect(try await services.owned(by: user).response(answers[0])?.transcript == "by other means")
            // One that has none: the answer failed, and says why; its session is evaluated all the same, knowing it.
            let counting = CountingAssessor(place)
            services = try place.services(store, assessor: counting)
            #expect(try await store.service.queueEvaluation(of: session, by: counting.version))
            #expect(try await Workers(services: services, count: 1).workOnce("w"))
            let answer = try #require(try await services.owned(by: user).response(answers[0]))
            #expect(answer.processing == "failed" && answer.error == "The recording cannot be decoded.")
            #expect(counting.paid() == 0)
            #expect(try await store.service.session(session)?.status == .evaluated)
        }
    }

    /// What nothing can store has been paid for: it is not asked for again.
    @Test func aResultThatCannotBeStoredIsNotPaidForTwice() async throws {
        try await withWorkerPlace(.sqlite) { place, store in
            struct Odd: Assessor {
                let version = "odd/1"
                let calls: @Sendable () -> Void
                func assess(_ request: AssessmentRequest) async throws -> ResponseResult {
                    calls()
                    return ResponseResult(response: request.response.id, azureResponse: "this is not JSON")
                }
            }
            let count = Mutex(0)
            let services = try place.services(store, assessor: Odd { count.withLock { $0 += 1 } })
            let (session, user, answers) = try await place.hold(services, answers: 1)
            #expect(try await Workers(services: services, count: 1).workOnce("w"))
            #expect(count.withLock { $0 } == 1)
            #expect(try await services.owned(by: user).response(answers[0])?.processing == "failed")
            #expect(try await store.service.session(session)?.status == .evaluated)
        }
    }

    /// Without an assessor recordings are measured, and nothing else is said of them.
    @Test(arguments: WorkerPlace.Base.here)
    func withoutAnAssessorAnswersAreMeasuredOnly(_ base: WorkerPlace.Base) async throws {
        try await withWorkerPlace(base) { place, store in
            let services = try place.services(store, assessor: nil)
            let (session, user, _) = try await place.hold(services, answers: 2)
            #expect(try await Workers(services: services, count: 1).workOnce("w"))
            let found = try await services.owned(by: user).responses(of: session)
            #expect(found.allSatisfy { $0.peaks?.count == 100 && $0.scores == Scores() && $0.transcript == nil })
            #expect(try await store.service.session(session)?.overallBand == nil)
        }
    }
}
