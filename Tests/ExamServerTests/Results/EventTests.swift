import Assessment
import Assessors
import ExamCore
import Foundation
import HTTPClient
import StoreTrials
import TestSupport
import Testing
import UploadQueue

@testable import ExamNode
@testable import ExamServer
@testable import ExamStore

/// Results are sent as they come. After a broken line they continue from the client's last event.
@Suite(.bothStores) struct EventTests {
    private let user = UUID()

    /// An assessor that waits for a gate.
    private struct Gated: Assessor {
        let source = MarkSource(kind: .machine, id: "gated", version: "1")
        let gate: AsyncStream<Void>

        func assess(_ answer: AnswerToAssess, _ calls: AssessorCalls) async throws(ServiceFailure) -> AssessorFinding {
            for await _ in gate {}
            var finding = answer.finding(by: source)
            finding.transcript = AnswerTranscript(
                answer: answer.record.name, recording: answer.recording, source: .recogniser, writtenAt: finding.saidAt,
                text: "I live\nin a town")
            finding.strengths = ["Clear."]
            finding.evidence = Criterion.allCases.map {
                CriterionEvidence(
                    trait: MarkedTrait($0), scope: .answer(name: answer.record.name, speech: 1), source: source,
                    recordings: [answer.recording], outcome: .mark(6))
            }
            return finding
        }

        func preview(of answer: AnswerToAssess) -> [String] { [] }
    }

    private func send(_ server: RunningServer, answers: Int = 2) async throws -> String {
        let held = try SessionTests.Held(answers: answers, in: server.folder)
        try await UploadQueueOf(server).send(held, RunningServer.token(of: user))
        return held.facts.id.uuidString.lowercased()
    }

    @Test func resultsGrowInAnOpenStream() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let server = try await RunningServer(assessors: AssessorPanel([.init(Gated(gate: gate))]))
        let session = try await send(server)
        let stream = try EventStream(server.port, session, token: try await RunningServer.token(of: user))
        #expect(stream.status == 200 && stream.head.lowercased().contains("content-type: text/event-stream"))
        // At first the stream sends the answers, without any assessment.
        let first = try stream.until { $0.name == "results" }
        #expect(first.filter { $0.name == "answer" }.count == 2)
        #expect(first.last?.object["assessment"] as? String == "waiting" && first.last?.object["answers"] == nil)
        open.finish()
        // Then the findings come one after another, and the band.
        let grown = try stream.until { $0.name == "results" && $0.object["status"] as? String == "evaluated" }
        let said = grown.filter { $0.name == "said" && ($0.object["said"] as? [Any])?.isEmpty == false }
        #expect(Set(said.compactMap { $0.object["answer"] as? String }) == ["part1_q1", "part1_q2"])
        let words = grown.filter { $0.name == "answer" && $0.object["transcript"] as? String == "I live\nin a town" }
        #expect(!words.isEmpty, "a line break is escaped and the event one line")
        #expect((grown.last?.object["scores"] as? [String: Any])?["overall"] as? Double == 6)
        let ids = grown.compactMap(\.id).compactMap(Int.init)
        #expect(ids.count == grown.count && ids == ids.sorted())
        await server.stop()
    }

    /// A foreign client whose line is cut continues from its last event.
    @Test(.needs(Trials.obstacle(to: "httpx_sse"))) func aForeignClientFollowsTheStream() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let server = try await RunningServer(assessors: AssessorPanel([.init(Gated(gate: gate))]))
        let session = try await send(server)
        let address = "\(server.url)/v1/sessions/\(session)/events"
        let token = try await RunningServer.token(of: user)
        let cut = server.folder + "/cut"
        async let watched = Trials.python("watch.py", [address, token, "evaluated", cut])
        try await eventually("its line is cut") { FileManager.default.fileExists(atPath: cut) }
        open.finish()
        let (status, said) = await watched
        try #require(status == 0, "\(said.suffix(2000))")
        let line = try #require(said.split(separator: "\n").last)
        let seen = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        // This client reports a lone `retry` field as an event without a name.
        #expect(Set(seen["before"] as? [String] ?? []).isSubset(of: ["message", "answer", "said", "results"]))
        #expect(
            (seen["before"] as? [String])?.last == "results" && (seen["after"] as? [String])?.contains("said") == true)
        let scores = (seen["results"] as? [String: Any])?["scores"] as? [String: Any]
        #expect(scores?["overall"] as? Double == 6)
        await server.stop()
    }

    /// The metrics tell an operator how much waits for which assessor, and since when.
    @Test func waitingWorkIsCountedByAssessor() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let panel = AssessorPanel([.init(Gated(gate: gate))])
        let server = try await RunningServer(assessors: panel)
        let session = try await send(server, answers: 3)
        func metric(_ name: String) async throws -> Double? {
            let lines = try await server.ask("GET", "/metrics", as: nil).text.split(separator: "\n")
            return lines.first { $0.hasPrefix("\(name) ") }.flatMap { Double($0.dropFirst(name.count + 1)) }
        }
        let (minutes, oldest) = (
            "oracy_waiting_audio_minutes{assessor=\"gated\"}", "oracy_oldest_waiting_seconds{assessor=\"gated\"}"
        )
        // Together 0.1, 0.2 and 0.3 s of sound.
        try await eventually("all of it waits") { abs((try await metric(minutes) ?? 0) - 0.01) < 1e-6 }
        let service = server.services.store.service
        try await service.write { _ = try $0.change("UPDATE processing_queue SET queued = queued - 7200") }
        try await eventually("since two hours") { try await metric(oldest) ?? 0 >= 7200 }
        #expect(try await metric("oracy_waiting_webhooks") == 0)
        open.finish()
        try await eventually("nothing waits") {
            let (sound, age) = (try await metric(minutes), try await metric(oldest))
            return sound == 0 && age == 0
        }
        try await eventually("the session is evaluated") {
            try await server.ask("GET", "/v1/sessions/\(session)", as: user).object["status"] as? String == "evaluated"
        }
        // Queued again, it has waited since then, and not since the first time.
        #expect(try await service.queueEvaluation(of: UUID(uuidString: session)!, by: panel.version))
        let age: Double = try await service.write {
            try $0.first("SELECT {seconds} - max(queued) AS age FROM processing_queue", [])!.value("age")
        }
        #expect(age < 3600)
        await server.stop()
    }

    /// After a broken line, everything that changed meanwhile is sent once, in its present state, and nothing else.
    @Test func aStreamContinuesFromItsLastEvent() async throws {
        let server = try await RunningServer()
        let session = try await send(server, answers: 3)
        let token = try await RunningServer.token(of: user)
        let first = try EventStream(server.port, session, token: token)
        try await eventually("the session is processed") {
            let found = try await server.ask("GET", "/v1/sessions/\(session)", as: user).object
            return (found["evaluation"] as? [String: Any])?["status"] as? String == "completed"
        }
        let settled = try EventStream(server.port, session, token: token).until { $0.name == "results" }
        let last = try #require(settled.last?.id)
        first.hangUp()
        // The learner types words twice while no client watches.
        let answers = try await server.ask("GET", "/v1/sessions/\(session)/results", as: user).object["answers"]
        let answer = try #require((answers as? [[String: Any]])?[1]["id"] as? String)
        for words in ["one", "one two"] {
            let typed = try await server.ask(
                "PUT", "/v1/sessions/\(session)/answers/\(answer)/transcript", ["text": words], as: user)
            #expect(typed.status == 204)
        }
        let again = try EventStream(server.port, session, token: token, last: last)
        let change = try #require(try again.next())
        #expect(change.name == "said" && change.object["answer"] as? String == "part1_q2")
        #expect(Int(change.id ?? "") ?? 0 > Int(last) ?? .max)
        // Nothing else changed, so the next event is the next change.
        _ = try await server.ask(
            "PUT", "/v1/sessions/\(session)/answers/\(answer)/transcript", ["text": "three"], as: user)
        let next = try #require(try again.next())
        #expect(next.name == "said" && Int(next.id ?? "") ?? 0 > Int(change.id ?? "") ?? .max)
        await server.stop()
    }

    @Test func anErasedSessionEndsItsStream() async throws {
        let server = try await RunningServer()
        let session = try await send(server)
        let stream = try EventStream(server.port, session, token: try await RunningServer.token(of: user))
        _ = try stream.until { $0.name == "results" }
        #expect(try await server.ask("DELETE", "/v1/sessions/\(session)", as: user).status == 204)
        let end = try stream.until { $0.name == "erased" }
        #expect(end.last?.data == "{}")
        #expect(try stream.next() == nil, "the stream ends after the erasure")
        await server.stop()
    }

    /// An open stream doesn't keep a server from stopping, and a client that is gone doesn't keep its place.
    @Test func streamsAreLimitedAndEndWithTheServer() async throws {
        let server = try await RunningServer()
        let session = try await send(server)
        let token = try await RunningServer.token(of: user)
        var streams: [EventStream] = []
        for _ in 0..<EventStreams.most { streams.append(try EventStream(server.port, session, token: token)) }
        #expect(streams.allSatisfy { $0.status == 200 })
        let tooMany = try await server.ask("GET", "/v1/sessions/\(session)/events", as: user)
        #expect(tooMany.status == 429 && tooMany.code == "too-many-streams" && tooMany.header("Retry-After") != nil)
        let odd = try await server.ask(
            "GET", "/v1/sessions/\(session)/events", as: user, headers: [("Last-Event-ID", "x")])
        #expect(odd.status == 400)
        // Another user can't open the stream.
        #expect(try await server.ask("GET", "/v1/sessions/\(session)/events", as: UUID()).status == 404)
        streams.removeLast().hangUp()
        // Writing to a client that is gone gives its place back.
        try await eventually("its place is free") {
            let answers = try await server.ask("GET", "/v1/sessions/\(session)/results", as: user).object["answers"]
            let answer = try #require((answers as? [[String: Any]])?[0]["id"] as? String)
            _ = try await server.ask(
                "PUT", "/v1/sessions/\(session)/answers/\(answer)/transcript", ["text": "\(UUID())"], as: user)
            return (try EventStream(server.port, session, token: token)).status == 200
        }
        await server.stop()
    }

    /// A session wakes only the clients that watch it.
    @Test func aSessionWakesOnlyItsWatchers() async throws {
        try await withWorkerPlace { place, store in
            let services = try place.services(store)
            let (watched, user, answers) = try await place.hold(services, answers: 1)
            let (other, stranger, others) = try await place.hold(services, answers: 1)
            var news = store.service.wakeUps(of: watched).makeAsyncIterator()
            await news.next()  // There may be news already.
            for _ in 0..<50 {
                try await store.service.keep(["a"], of: others[0], by: "said:x")
            }
            _ = (other, stranger)
            store.wakeUps.endSafetyNet()
            try await store.service.keep(["a"], of: answers[0], by: "said:x")
            await news.next()
            let changes = try await store.service.changes(of: watched, after: 0)
            #expect(changes?.filter { $0.thing == .said }.count == 1)
            #expect(try await services.owned(by: user).erase(session: watched))
            #expect(try await store.service.changes(of: watched, after: 0) == nil)
        }
    }

    /// A change by another node is reported here.
    @Test(.store(only: .postgres, because: "Nodes hear of each other through PostgreSQL."))
    func changesByAnotherNodeAreReported() async throws {
        try await withWorkerPlace { place, store in
            let here = try place.services(store)
            let (session, _, answers) = try await place.hold(here, answers: 1)
            let elsewhere = try place.open()
            var news = store.service.wakeUps(of: session).makeAsyncIterator()
            await news.next()
            await news.next()  // The listener is there, and hears everything from here on.
            let before = try await store.service.changes(of: session, after: 0)?.last?.number ?? 0
            store.wakeUps.endSafetyNet()
            try await elsewhere.service.keep(["a"], of: answers[0], by: "said:x")
            await news.next()
            let changes = try await store.service.changes(of: session, after: before)
            #expect(changes?.map(\.thing) == [.said] && changes?[0].response == answers[0])
            await elsewhere.close()
        }
    }
}
