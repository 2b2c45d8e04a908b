import Assessment
import Assessors
import ExamCore
import Foundation
import HTTPClient
import StoreTrials
import SystemSupport
import TestSupport
import Testing
import UploadQueue

@testable import ExamNode
@testable import ExamServer
@testable import ExamStore

/// The results of a completed session: the assessor, the findings, and waiting for them.
@Suite(.bothStores) struct ResultTests {
    private let user = UUID()

    /// An assessor that gives every answer the same finding, once it may.
    struct Marker: Assessor {
        let source = MarkSource(kind: .machine, id: "marker", version: "1")
        let mayGoOn: AsyncStream<Void>
        var fails = false

        var panel: AssessorPanel { AssessorPanel([.init(self)]) }

        func assess(
            _ answer: AnswerToAssess, _ calls: AssessorCalls
        ) async throws(ServiceFailure) -> AssessorFinding {
            for await _ in mayGoOn {}
            if fails { throw ServiceFailure(.later(nil), "marker answers 500") }
            var finding = answer.finding(by: source)
            let transcript = AnswerTranscript(
                answer: answer.record.name, recording: answer.recording, source: .recogniser,
                writtenAt: finding.saidAt, text: "I goed home.")
            finding.transcript = transcript
            finding.words = transcript.digest
            finding.mistakes = [
                Mistake(original: "goed", correction: "went", type: "grammar", category: "tense", start: 2, end: 6)
            ]
            finding.evidence = (Criterion.allCases.map { MarkedTrait($0) } + [.topicRelevance]).map { trait in
                CriterionEvidence(
                    trait: trait, scope: .answer(name: answer.record.name, speech: 1), source: source,
                    recordings: [answer.recording], outcome: .mark(trait == .grammar ? 5.5 : 6.5))
            }
            return finding
        }

        func preview(of answer: AnswerToAssess) -> [String] { [] }
    }

    private func send(_ server: RunningServer) async throws -> String {
        let held = try SessionTests.Held(answers: 2, in: server.folder)
        try await UploadQueueOf(server).send(held, RunningServer.token(of: user))
        return "/v1/sessions/\(held.facts.id.uuidString.lowercased())"
    }

    private func until(
        _ path: String, _ server: RunningServer, _ isSo: ([String: Any]) -> Bool
    ) async throws -> [String: Any] {
        var found: [String: Any] = [:]
        try await eventually("the session is as expected") {
            found = try await server.ask("GET", path, as: user).object
            return isSo(found)
        }
        return found
    }

    @Test func anUnscoredSessionIsNotEvaluated() async throws {
        let server = try await RunningServer()
        let session = try await send(server)
        let found = try await until(session, server) {
            ($0["evaluation"] as? [String: Any])?["status"] as? String == "completed"
        }
        #expect(found["status"] as? String == "completed")
        let results = try await server.ask("GET", session + "/results", as: user, headers: [("Prefer", "wait=30")])
        #expect(results.object["assessment"] as? String == "none" && results.object["scores"] == nil)
        #expect(results.header("Preference-Applied") == "wait=30", "the answer came at once")
        await server.stop()
    }

    @Test func resultsAreHeldBackUntilTheyAreThere() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let server = try await RunningServer(assessors: Marker(mayGoOn: gate).panel)
        let session = try await send(server)
        let early = try await server.ask("GET", session + "/results", as: user)
        #expect(early.object["assessment"] as? String == "waiting" && early.header("Preference-Applied") == nil)
        // The server waits as long as the client asked, because nothing else ends this wait.
        let began = SteadyClock.now
        let still = try await server.ask("GET", session + "/results", as: user, headers: [("Prefer", "wait=1")])
        let waited = SteadyClock.now - began
        #expect(still.object["assessment"] as? String == "waiting" && still.header("Preference-Applied") == "wait=1")
        #expect(waited >= .seconds(1))
        // A request with a body is answered at once.
        let odd = try await server.ask(
            "GET", session + "/results", as: user, headers: [("Prefer", "wait=30")], bytes: [1, 2, 3])
        #expect(odd.status == 200 && odd.header("Preference-Applied") == nil)
        // The server waits until the results are there. The assessor continues once the request waits.
        let before = server.services.store.streamCount
        let opener = Task {
            try await eventually("it is waited for") { server.services.store.streamCount > before }
            open.finish()
        }
        let done = try await server.ask(
            "GET", session + "/results", as: user, headers: [("Prefer", "respond-async, wait=\"300\"")])
        try await opener.value
        #expect(done.header("Preference-Applied") == "wait=30", "too long a wait is shortened to the longest")
        let results = done.object
        #expect(results["assessment"] as? String == "done" && results["status"] as? String == "evaluated")
        #expect((results["scores"] as? [String: Any])?["overall"] as? Double == 6)
        for answer in try #require(results["answers"] as? [[String: Any]]) {
            #expect(answer["transcript"] as? String == "I goed home.")
            #expect((answer["scores"] as? [String: Any])?["grammar"] as? Double == 5.5)
            let mistake = try #require((answer["mistakes"] as? [[String: Any]])?.first)
            #expect(mistake["original"] as? String == "goed" && mistake["correction"] as? String == "went")
            #expect(mistake["type"] as? String == "grammar" && mistake["category"] as? String == "tense")
            #expect(mistake["start"] as? Int == 2 && mistake["end"] as? Int == 6)
        }
        await server.stop()
    }

    /// When a client disconnects or a server stops, no request is left waiting.
    @Test func aDisconnectedClientIsNoLongerWaiting() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let server = try await RunningServer(assessors: Marker(mayGoOn: gate).panel)
        let session = try await send(server)
        let before = server.services.store.streamCount
        let client = Task {
            try await server.ask("GET", session + "/results", as: user, headers: [("Prefer", "wait=30")])
        }
        try await eventually("it is waited for") { server.services.store.streamCount == before + 1 }
        client.cancel()
        try await eventually("all who waited are gone") { server.services.store.streamCount == before }
        open.finish()
        await server.stop()
    }

    @Test func aPersonsScoreInTheDatabaseIsTheResult() async throws {
        let server = try await RunningServer()
        let session = try await send(server)
        _ = try await until(session, server) {
            ($0["evaluation"] as? [String: Any])?["status"] as? String == "completed"
        }
        let id = try #require(UUID(uuidString: String(session.split(separator: "/").last!)))
        try await server.services.store.service.write {
            _ = try $0.change(
                "UPDATE test_sessions SET overall_band_score = 6.5, fluency_score = 7, status = 'evaluated' WHERE id = ?",
                [id])
        }
        let results = try await server.ask("GET", session + "/results", as: user).object
        #expect(results["assessment"] as? String == "done" && results["status"] as? String == "evaluated")
        #expect((results["scores"] as? [String: Any])?["overall"] as? Double == 6.5)
        // An evaluation is requested again, without an assessor that scores. The person's score stays.
        #expect(try await server.services.store.service.queueEvaluation(of: id, by: "none"))
        _ = try await until(session, server) {
            ($0["evaluation"] as? [String: Any])?["status"] as? String == "completed"
        }
        let after = try await server.ask("GET", session + "/results", as: user).object
        #expect(after["status"] as? String == "evaluated")
        #expect((after["scores"] as? [String: Any])?["fluency"] as? Double == 7)
        await server.stop()
    }

    @Test func anAssessmentThatFailsSaysWhyAndIsTriedAgain() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        open.finish()
        let server = try await RunningServer(assessors: Marker(mayGoOn: gate, fails: true).panel)
        let session = try await send(server)
        let found = try await until(session, server) { ($0["evaluation"] as? [String: Any])?["error"] != nil }
        #expect(
            (found["evaluation"] as? [String: Any])?["error"] as? String
                == "marker did not answer; it is asked again.")
        // Set the state that the evaluation has after its last attempt.
        try await server.services.store.service.write { connection in
            _ = try connection.change("UPDATE processing_queue SET status = 'dead'")
            _ = try connection.change("UPDATE test_sessions SET status = 'failed'")
        }
        let results = try await server.ask("GET", session + "/results", as: user, headers: [("Prefer", "wait=30")])
        #expect(results.object["assessment"] as? String == "failed")
        #expect((results.object["session"] as? [String: Any])?["evaluation"] as? [String: String] != nil)
        await server.stop()
    }

    @Test func aPreferenceIsReadAsItsStandardHasIt() {
        let known: [(String, Int?)] = [
            ("wait=10", 10), ("respond-async, wait=5", 5), ("WAIT = 7", 7), ("wait=\"3\"", 3), ("wait=31", 30),
            ("wait=999999999", 30), ("wait=0", 0), ("wait=10; x=y", 10), ("wait", nil), ("wait=", nil), ("wait=x", nil),
            ("wait=-1", nil), ("await=3", nil), ("", nil),
        ]
        for (field, seconds) in known { #expect(PreferredWait.seconds([field]) == seconds, "\(field)") }
        #expect(PreferredWait.seconds(["return=minimal", "wait=2", "wait=9"]) == 2)
    }
}
