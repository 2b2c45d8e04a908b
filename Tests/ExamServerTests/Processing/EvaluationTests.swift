import Assessment
import AudioFiles
import ExamCore
import Foundation
import HTTPClient
import StoreTrials
import Synchronization
import TestSupport
import Testing

@testable import Assessors
@testable import ExamNode
@testable import ExamServer
@testable import ExamStore
@testable import ServerWork

/// The work on a completed session.
@Suite(.bothStores) struct EvaluationTests {
    @Test
    func assessedAnswersAreNotAssessedAgainByThisVersion() async throws {
        try await withWorkerPlace { place, store in
            let assessor = CountingAssessor(place)
            let services = try place.services(store, assessors: assessor.panel)
            let worker = Workers(services: services, count: 1)
            let (session, _, answers) = try await place.hold(services, answers: 3)
            #expect(try await worker.workOnce("w"))
            #expect(assessor.paid() == 3)
            // A second request makes no call, because all results are stored.
            #expect(try await store.service.queueEvaluation(of: session, by: assessor.panel.version))
            #expect(try await worker.workOnce("w"))
            #expect(assessor.paid() == 3)
            // A new version makes each call once.
            let newer = CountingAssessor(place, version: "2")
            let renewed = try place.services(store, assessors: newer.panel)
            for _ in 0..<2 {
                #expect(try await store.service.queueEvaluation(of: session, by: newer.panel.version))
                #expect(try await Workers(services: renewed, count: 1).workOnce("w"))
            }
            for answer in answers {
                #expect(newer.calls(of: answer).filter(\.isEnd).map(\.assessor) == ["counting/1", "counting/2"])
                #expect(Set(newer.calls(of: answer).map(\.key)).count == 2, "each version has its own key")
            }
        }
    }

    /// The reference app records AAC in m4a.
    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg"),
            "no /usr/bin/ffmpeg: apt-get install ffmpeg"))
    func aTelephonesRecordingIsMeasured() async throws {
        try await withWorkerPlace { place, store in
            let path = place.folder + "/tone.m4a"
            let (status, said) = await Trials.run(
                "/usr/bin/ffmpeg",
                ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=440:duration=3", "-c:a", "aac", path])
            try #require(status == 0, "\(said)")
            let services = try place.services(store)
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            let (_, user, answers) = try await place.hold(services, answers: 1, bytes: bytes)
            #expect(try await Workers(services: services, count: 1).workOnce("w"))
            let response = try #require(try await services.owned(by: user).response(answers[0]))
            #expect(response.processing == "completed")
            #expect(response.peaks?.count == 100 && (response.peaks?.allSatisfy { $0 > 0.05 } ?? false))
        }
    }

    /// A recording that ends early, because the candidate's line broke, is measured as far as it goes.
    @Test func aRecordingThatIsCutOffIsMeasured() async throws {
        try await withWorkerPlace { place, store in
            let path = place.folder + "/whole.wav"
            try GrowingWAV(path: path).append([Float](repeating: 0.5, count: 32_000))
            let services = try place.services(store)
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: path))[..<40_000])
            let (_, user, answers) = try await place.hold(services, answers: 1, bytes: bytes)
            #expect(try await Workers(services: services, count: 1).workOnce("w"))
            let response = try #require(try await services.owned(by: user).response(answers[0]))
            #expect(response.processing == "completed" && response.peaks?.last == 0.5)
        }
    }

    @Test
    func anAnswerThatComesAfterTheEvaluationIsAssessed() async throws {
        try await withWorkerPlace { place, store in
            let assessor = CountingAssessor(place)
            let services = try place.services(store, assessors: assessor.panel)
            let worker = Workers(services: services, count: 1)
            let (session, user, answers) = try await place.hold(services, answers: 2, late: 1)
            #expect(try await worker.workOnce("w"))
            #expect(try await store.service.session(session)?.status == .evaluated)
            #expect(try await store.service.session(session)?.seal == nil, "the announced answer may still arrive")
            let late = try await place.answer(services, services.owned(by: user), session, order: 3)
            #expect(try await worker.workOnce("w"))
            #expect(try await worker.workOnce("w") == false)
            #expect((answers + [late]).map { assessor.paid(for: $0) } == [1, 1, 1])
            #expect(try await services.owned(by: user).response(late)?.processing == "completed")
            let sealed = try #require(try await store.service.session(session))
            #expect(sealed.seal != nil && sealed.evidence == sealed.seal)
        }
    }

    /// A session that the server closed because its candidate never returned is evaluated like any other.
    @Test func anAbandonedExamIsEvaluated() async throws {
        try await withWorkerPlace { place, store in
            let services = try place.services(store, assessors: CountingAssessor(place).panel)
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

    /// If one answer's call fails, the results of the other calls are stored, and only that call is repeated.
    @Test func onlyTheFailedCallIsRepeated() async throws {
        try await withWorkerPlace { place, store in
            let failures = Mutex(0)
            let broken = Mutex<UUID?>(nil)
            let assessor = CountingAssessor(place) { step in
                guard case .called(let answer) = step, answer == broken.withLock({ $0 }) else { return }
                let count = failures.withLock {
                    $0 += 1
                    return $0
                }
                if count < 3 { throw URLError(.timedOut) }
            }
            let services = try place.services(store, assessors: assessor.panel)
            let (session, _, answers) = try await place.hold(services, answers: 5)
            broken.withLock { $0 = answers[1] }
            for round in 1...3 {
                #expect(try await Workers(services: services, count: 1).workOnce("w"))
                if round < 3 {
                    #expect(try await store.service.session(session)?.status == .processing)
                    #expect(assessor.paid() == 4, "round \(round)")
                    // Ends the delay before the next attempt.
                    try await store.service.write { _ = try $0.change("UPDATE processing_queue SET due = 0") }
                }
            }
            #expect(answers.map { assessor.paid(for: $0) } == [1, 1, 1, 1, 1])
            #expect(assessor.calls(of: answers[1]).count { !$0.isEnd } == 3)
            #expect(try await store.service.session(session)?.status == .evaluated)
        }
    }

    /// A worker assesses four answers at a time, so that it does not overload services.
    @Test func fourAnswersAreAssessedAtATime() async throws {
        try await withWorkerPlace { place, store in
            let now = Mutex(0)
            let most = Mutex(0)
            let together = AsyncStream<Void>.makeStream()
            let assessor = CountingAssessor(place) { step in
                switch step {
                case .called:
                    let count = now.withLock {
                        $0 += 1
                        return $0
                    }
                    most.withLock { $0 = max($0, count) }
                    // The first four wait for each other.
                    if count == 4 { together.continuation.finish() }
                    for await _ in together.stream {}
                case .said: now.withLock { $0 -= 1 }
                }
            }
            let services = try place.services(store, assessors: assessor.panel)
            _ = try await place.hold(services, answers: 7)
            #expect(try await Workers(services: services, count: 1).workOnce("w"))
            #expect(most.withLock { $0 } == 4)
            #expect(assessor.paid() == 7)
        }
    }

    @Test
    func anUndecodableRecordingFailsWithTheReason() async throws {
        try await withWorkerPlace { place, store in
            let counting = CountingAssessor(place)
            let services = try place.services(store, assessors: counting.panel)
            let (session, user, answers) = try await place.hold(services, answers: 1, bytes: Array("no sound".utf8))
            #expect(try await Workers(services: services, count: 1).workOnce("w"))
            // The answer failed with a reason. Its session is evaluated nevertheless.
            let answer = try #require(try await services.owned(by: user).response(answers[0]))
            #expect(answer.processing == "failed" && answer.error == "The recording cannot be decoded.")
            #expect(counting.calls().isEmpty)
            #expect(try await store.service.session(session)?.status == .evaluated)
        }
    }

    /// A finding that no database can store has been paid for, so it is not requested again.
    @Test
    func aFindingThatCannotBeStoredIsNotPaidForTwice() async throws {
        try await withWorkerPlace { place, store in
            struct Odd: Assessor {
                let source = MarkSource(kind: .machine, id: "odd", version: "1")
                let calls: @Sendable () -> Void
                func assess(
                    _ answer: AnswerToAssess, _ memory: AssessorCalls
                ) async throws(ServiceFailure) -> AssessorFinding {
                    calls()
                    var finding = answer.finding(by: source)
                    finding.strengths = ["a\u{0}b"]
                    return finding
                }
                func preview(of answer: AnswerToAssess) -> [String] { [] }
            }
            let count = Mutex(0)
            let odd = AssessorPanel([.init(Odd { count.withLock { $0 += 1 } })])
            let services = try place.services(store, assessors: odd)
            let (session, _, _) = try await place.hold(services, answers: 1)
            #expect(try await Workers(services: services, count: 1).workOnce("w"))
            #expect(try await store.service.queueEvaluation(of: session, by: odd.version))
            #expect(try await Workers(services: services, count: 1).workOnce("w"))
            #expect(count.withLock { $0 } == 1)
            #expect(try await store.service.session(session)?.status == .evaluated)
        }
    }

    /// Azure judges a long answer in pieces. The answer's row stores all responses, in order.
    @Test
    func allResponsesOfAzureAreStored() async throws {
        struct Pieces: Assessor {
            let source = MarkSource(kind: .machine, id: "azure", version: "1")
            func assess(
                _ answer: AnswerToAssess, _ calls: AssessorCalls
            ) async throws(ServiceFailure) -> AssessorFinding {
                for piece in 1...12 {
                    _ = try await calls.once("piece \(piece) of 12", seconds: 1) { _ async throws(ServiceFailure) in
                        "{\"piece\":\(piece)}"
                    }
                }
                var finding = answer.finding(by: source)
                finding.pronunciation = PronunciationScores(pieces: [])
                return finding
            }
            func preview(of answer: AnswerToAssess) -> [String] { [] }
        }
        try await withWorkerPlace { place, store in
            let services = try place.services(store, assessors: AssessorPanel([.init(Pieces())]))
            let (_, user, answers) = try await place.hold(services, answers: 1)
            #expect(try await Workers(services: services, count: 1).workOnce("w"))
            let text = try #require(try await services.owned(by: user).response(answers[0])?.azureResponse)
            let pieces = try JSONDecoder().decode([[String: Int]].self, from: Data(text.utf8))
            #expect(pieces.map { $0["piece"] } == Array(1...12))
        }
    }

    // MARK: - Gaps

    /// Other assessors don't wait for one that is away. The exam does: the server doesn't call it evaluated without
    /// that assessor.
    @Test
    func anExamWaitsForAnUnavailableAssessor() async throws {
        try await withWorkerPlace { place, store in
            let heard = CountingAssessor(place)
            let away = CountingAssessor(place, id: "away") { _ in throw ServiceFailure(.later(nil), "away answers 503")
            }
            let services = try place.services(
                store, assessors: AssessorPanel([.init(away), .init(heard)]))
            let (session, user, answers) = try await place.hold(services, answers: 2)
            let owned = services.owned(by: user)
            for round in 1...55 {
                #expect(try await Workers(services: services, count: 1).workOnce("w"), "round \(round)")
                let known = try #require(try await store.service.session(session))
                #expect(known.status == (round < 55 ? .processing : .failed), "round \(round)")
                #expect(try await owned.evaluation(of: session)?.status == (round < 55 ? "waiting" : "failed"))
                // The other assessor's transcript is shown meanwhile.
                #expect(try await owned.response(answers[1])?.transcript != nil)
                try await store.service.write { _ = try $0.change("UPDATE processing_queue SET due = 0") }
            }
            #expect(try await Workers(services: services, count: 1).workOnce("w") == false)
            #expect(heard.calls().count { $0.assessor == "counting/1" && $0.isEnd } == 2)
            let said = try await SaidOfAnswers(of: session, in: store.service)
            #expect(said.gaps.values.joined().allSatisfy { $0.assessor == "away" && $0.why == "It did not answer." })
            // The assessor comes back. An operator has the exam evaluated again, and the server asks only this
            // assessor.
            let back = CountingAssessor(place, id: "away")
            let whole = try place.services(store, assessors: AssessorPanel([.init(back), .init(heard)]))
            let dead = try #require(try await store.service.deadJobs().first)
            #expect(dead.message == "away did not answer; it is asked again.")
            #expect(try await store.service.replay(deadJob: dead.id))
            try await store.service.write { _ = try $0.change("UPDATE processing_queue SET due = 0") }
            #expect(try await Workers(services: whole, count: 1).workOnce("w"))
            #expect(try await store.service.session(session)?.status == .evaluated)
            #expect(try await SaidOfAnswers(of: session, in: store.service).gaps.isEmpty)
            #expect(heard.calls().count { $0.assessor == "counting/1" && $0.isEnd } == 2)
        }
    }

    /// If an assessor does not come back, an operator can end the evaluation without it. The results name the gap.
    @Test
    func droppingAJobEvaluatesTheExamWithGaps() async throws {
        try await withWorkerPlace { place, store in
            let heard = CountingAssessor(place)
            let away = CountingAssessor(place, id: "away") { _ in throw ServiceFailure(.setUp, "away knows no such key")
            }
            let services = try place.services(store, assessors: AssessorPanel([.init(away), .init(heard)]))
            let (session, _, _) = try await place.hold(services, answers: 2)
            let job = try #require(
                try await store.service.claim(worker: "w", assessor: services.panel.version, seconds: 60))
            try await store.service.giveUp(job, "no key")
            #expect(try await store.service.drop(deadJob: job.id))
            #expect(try await Workers(services: services, count: 1).workOnce("w"))
            #expect(try await store.service.session(session)?.status == .evaluated)
            #expect(try await store.service.session(session)?.overallBand == 6)
            let gaps = try await SaidOfAnswers(of: session, in: store.service).gaps.values.joined()
            #expect(!gaps.isEmpty && gaps.allSatisfy { $0.assessor == "away" })
        }
    }

    /// An evaluation waits as long as a service asks for, or until midnight if the budget is spent. 0 leaves the delay
    /// to the queue.
    @Test func anEvaluationWaitsForTheServiceOrTheBudget() throws {
        func seconds(_ failures: [ServiceFailure]) -> Double {
            let evening = Date(timeIntervalSince1970: 86_400 * 20_000 + 23 * 3_600)
            return AssessorsAway(gaps: failures.map { .init(assessor: "a", failure: $0) }).seconds(
                at: evening, chance: 0)
        }
        #expect(seconds([ServiceFailure(.later(.seconds(90)), "busy")]) == 90)
        #expect(seconds([ServiceFailure(.later(nil), "away")]) == 0)
        #expect(seconds([ServiceFailure(.spent, "spent")]) == 3_600)
        #expect(seconds([ServiceFailure(.spent, "spent"), ServiceFailure(.setUp, "no key")]) == 0)
    }

    /// After one learner has used their share of a day's budget, another learner's exam is still assessed.
    @Test
    func oneLearnerTakesNoMoreThanAShareOfABudget() async throws {
        try await withWorkerPlace { place, store in
            let dear = CountingAssessor(place)
            var panel = AssessorPanel([.init(dear, prices: AssessorPrices(perCall: 1))])
            panel.budget = AssessorBudget(money: 10)
            let services = try place.services(store, assessors: panel)
            let (greedy, _, _) = try await place.hold(services, answers: 6)
            #expect(try await Workers(services: services, count: 1).workOnce("w"))
            #expect(dear.paid() == 2)
            let (other, _, _) = try await place.hold(services, answers: 2)
            #expect(try await Workers(services: services, count: 1).workOnce("w"))
            #expect(dear.paid() == 4)
            #expect(try await store.service.session(other)?.status == .evaluated)
            #expect(try await store.service.session(greedy)?.status == .processing)
        }
    }

    /// No answer is sent to a third party before the learner has agreed to this party by name. After the consent, the
    /// answers that waited for it are sent.
    @Test
    func nothingIsSentWithoutConsent() async throws {
        try await withWorkerPlace { place, store in
            var cloud = CountingAssessor(place, id: "cloud")
            cloud.recipient = "cloud.example.org"
            let services = try place.services(store, assessors: cloud.panel)
            let (session, user, _) = try await place.hold(services, answers: 2, late: 1)
            #expect(try await Workers(services: services, count: 1).workOnce("w"))
            #expect(cloud.calls().isEmpty)
            #expect(
                try await store.service.session(session)?.status == .evaluated,
                "the evaluation does not wait for consent")
            let gaps = try await SaidOfAnswers(of: session, in: store.service).gaps.values.joined()
            #expect(gaps.allSatisfy { $0.lacksConsentTo == "cloud.example.org" } && gaps.count == 2)
            let owned = services.owned(by: user)
            try await owned.agree(to: "cloud.example.org", words: "words")
            #expect(try await store.service.sessions(of: user, foundBy: SaidOfAnswers.missing) == [session])
            #expect(try await store.service.sessions(of: UUID(), foundBy: SaidOfAnswers.missing).isEmpty)
            #expect(try await store.service.queueEvaluation(of: session, by: services.panel.version))
            #expect(try await Workers(services: services, count: 1).workOnce("w"))
            #expect(cloud.paid() == 2)
            // After the consent is withdrawn, nothing more is sent.
            #expect(try await owned.withdraw(from: "cloud.example.org"))
            #expect(try await owned.withdraw(from: "cloud.example.org") == false)
            _ = try await place.answer(services, owned, session, order: 3)
            #expect(try await Workers(services: services, count: 1).workOnce("w"))
            #expect(cloud.paid() == 2)
        }
    }

    /// Once a day's budget is spent, no more calls are made until the next day, and the gaps name the reason.
    @Test
    func aSpentBudgetStopsCalls() async throws {
        try await withWorkerPlace { place, store in
            let dear = CountingAssessor(place)
            var panel = AssessorPanel([.init(dear, prices: AssessorPrices(perCall: 2))])
            panel.budget = AssessorBudget(money: 5, share: 1)
            let services = try place.services(store, assessors: panel)
            let (session, _, _) = try await place.hold(services, answers: 4)
            #expect(try await Workers(services: services, count: 1).workOnce("w"))
            #expect(dear.paid() == 2)
            let gaps = try await SaidOfAnswers(of: session, in: store.service).gaps.values.joined()
            #expect(gaps.count >= 1 && gaps.allSatisfy { $0.why == "Today's budget is spent." })
            // The next day has a new budget.
            try await store.service.write {
                _ = try $0.change("UPDATE assessor_spending SET begun_at = '2020-01-01T00:00:00Z'")
                _ = try $0.change("UPDATE processing_queue SET due = 0")
            }
            #expect(try await Workers(services: services, count: 1).workOnce("w"))
            #expect(dear.paid() == 4)
            #expect(try await store.service.session(session)?.status == .evaluated)
        }
    }

    /// Without an assessor, recordings are only measured.
    @Test
    func withoutAnAssessorAnswersAreMeasuredOnly() async throws {
        try await withWorkerPlace { place, store in
            let services = try place.services(store)
            let (session, user, _) = try await place.hold(services, answers: 2)
            #expect(try await Workers(services: services, count: 1).workOnce("w"))
            let found = try await services.owned(by: user).responses(of: session)
            #expect(found.allSatisfy { $0.peaks?.count == 100 && $0.scores == Scores() && $0.transcript == nil })
            #expect(try await store.service.session(session)?.overallBand == nil)
        }
    }
}
