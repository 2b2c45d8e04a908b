import AudioFiles
import ExamCore
import ExamStore
import Foundation
import HTTPClient
import StoreTrials
import SystemSupport
import TestSupport
import Testing
import UploadQueue

@testable import ExamNode
@testable import ExamServer
@testable import RecordingStores
@testable import ServerWork

/// Sessions that were held elsewhere arrive through the tool's real queue and its real client.
@Suite(.bothStores) struct SessionTests {
    private let ann = UUID()
    private let ben = UUID()

    /// A session with answers, ready to be sent.
    struct Held {
        var facts: SessionFacts
        var uploads: [Upload]

        /// - Parameters:
        ///   - speech: The recording for each answer. If nil, noise that can be decoded and has no speech.
        ///   - clipped: Whether the records say that many samples are at full scale, so that delivery is not judged.
        init(
            answers: Int, speech: String? = nil, clipped: Bool = true, startedAt: String = "2026-11-21T09:12:29Z",
            endedAt: String = "2026-11-21T09:26:01Z", paper: String = "bridges", in folder: String
        ) throws {
            let speech = try speech.map { try Programs.samples(of: $0) }
            facts = SessionFacts(
                id: UUID(), name: "2026-11-21-0912-ielts-style", format: "ielts-style", paper: paper,
                startedAt: startedAt)
            uploads = [Upload(id: DeliveryID.make("session", of: facts.id), session: facts, content: .session)]
            for order in 1...answers {
                let path = "\(folder)/\(UUID().uuidString).wav"
                let sound = speech ?? (0..<1600 * order).map { Float($0 % 2 == 0 ? 0.5 : -0.5) }
                try Self.write(sound, to: path)
                var answer = AnswerRecord(
                    question: "part1-home-\(order)", part: 1, order: order, attempt: 1, end: "finished",
                    duration: Seconds(.seconds(Double(order) / 10)), speech: Seconds(.seconds(Double(order) / 20)))
                answer.responseLatency = Seconds(.milliseconds(order * 250))
                answer.clippedShare = clipped ? 1 / Double(1 << order) : 0
                uploads.append(
                    Upload(
                        id: DeliveryID.make("part1_q\(order)_a1", of: facts.id), session: facts,
                        content: .answer(answer, try UploadFile(finalizing: path, mediaType: "audio/wav"))))
            }
            let end = CompletionFacts(completedAt: endedAt, outcome: "completed", answers: answers)
            uploads.append(
                Upload(id: DeliveryID.make("completion", of: facts.id), session: facts, content: .completion(end)))
        }

        private static func write(_ samples: [Float], to path: String) throws {
            let wav = try GrowingWAV(path: path)
            try wav.append(samples)
        }
    }

    private func send(_ held: Held, to server: RunningServer, as user: UUID) async throws -> Int {
        try await UploadQueueOf(server).send(held, RunningServer.token(of: user))
    }

    private func results(_ held: Held, _ server: RunningServer, as user: UUID) async throws -> [String: Any] {
        let path = "/v1/sessions/\(held.facts.id.uuidString.lowercased())/results"
        var found: [String: Any] = [:]
        try await eventually("the session is evaluated") {
            found = try await server.ask("GET", path, as: user).object
            let session = found["session"] as? [String: Any]
            return (session?["evaluation"] as? [String: Any])?["status"] as? String == "completed"
        }
        return found
    }

    @Test func aNumberThatNoFieldHoldsIsNamedAndIsJSON() async throws {
        let server = try await RunningServer()
        let (session, user) = (UUID(), UUID())
        func refusal(answers: String, delivered: String = "1") async throws -> (status: Int, text: String) {
            let body = """
                {"id":"\(UUID())","session":"\(session)","completedAt":"2026-11-21T09:30:00Z","answers":\(answers),
                "delivered":\(delivered)}
                """
            let answer = try await server.ask(
                "PUT", "/v1/sessions/\(session)/completion", as: user, headers: [("Content-Type", "application/json")],
                bytes: Array(body.utf8))
            return (answer.status, answer.text)
        }
        for number in ["1.5", "9223372036854775808", "1e30", "-1e300", "1e400"] {
            let (status, text) = try await refusal(answers: number)
            #expect(status == 400 && text.contains("answers: "), "\(number): \(text)")
        }
        let (status, text) = try await refusal(answers: "1.5", delivered: "1e30")
        #expect(status == 400 && text.contains("A field of the body must be a whole number"), "\(text)")
        #expect(try await refusal(answers: "nul").text.contains("is not JSON"))
        await server.stop()
    }

    /// The announced length is enough: the server doesn't have to read the body.
    @Test func aBodyThatSaysItIsTooLongIsRefused() async throws {
        let server = try await RunningServer()
        let answer = try await server.ask(
            "POST", "/v1/submissions", as: UUID(), headers: [("Content-Type", "application/json")],
            bytes: [UInt8](repeating: 32, count: 300 << 10))
        #expect(answer.status == 413 && answer.text.contains("256 KiB"), "\(answer.text)")
        await server.stop()
    }

    @Test func theQueuesUploadsAreStoredOnceWithTheirMeasures() async throws {
        let server = try await RunningServer()
        let held = try Held(answers: 4, in: server.folder)
        #expect(try await send(held, to: server, as: ann) == 6)
        // Another program's journal knows nothing of the delivery. Sending everything again changes nothing.
        #expect(try await send(held, to: server, as: ann) == 6)
        let results = try await results(held, server, as: ann)
        let answers = try #require(results["answers"] as? [[String: Any]])
        #expect(answers.map { $0["order"] as? Int } == [1, 2, 3, 4])
        #expect(answers.map { $0["responseLatency"] as? Double } == [0.25, 0.5, 0.75, 1])
        #expect(answers.map { $0["clippedShare"] as? Double } == [0.5, 0.25, 0.125, 0.0625])
        #expect(results["scores"] == nil, "nothing was assessed, so there is no number")
        #expect(results["status"] as? String == "completed" && results["assessment"] as? String == "none")
        for (place, answer) in answers.enumerated() {
            let peaks = try #require(answer["peaks"] as? [Double])
            #expect(peaks.count == 100 && peaks.allSatisfy { $0 == 0.5 })
            let path = try #require(answer["recording"] as? String)
            let recording = try await server.ask("GET", path, as: ann)
            let upload = held.uploads[place + 1]
            #expect(recording.status == 200)
            #expect(recording.body == Array(try Data(contentsOf: URL(filePath: upload.file!.path))))
            let range = try await server.ask("GET", path, as: ann, headers: [("Range", "bytes=4-7")])
            #expect(range.status == 206 && range.body == Array(recording.body[4...7]))
        }
        let page = try await server.ask("GET", "/v1/sessions", as: ann)
        #expect((page.object["sessions"] as? [[String: Any]])?.count == 1)
        await server.stop()
    }

    @Test func uploadsThatComeTooEarlyAreRefused() async throws {
        let server = try await RunningServer()
        let held = try Held(answers: 1, in: server.folder)
        let session = "/v1/sessions/\(held.facts.id.uuidString.lowercased())"
        let answer = "\(session)/answers/\(held.uploads[1].id.uuidString.lowercased())"
        let row: [String: Any] = [
            "id": held.uploads[1].id.uuidString, "session": held.facts.id.uuidString, "question": "q", "part": 1,
            "order": 1, "attempt": 1, "end": "finished", "duration": 1.0, "speech": 0.5,
            "recording": [
                "path": "p", "byteCount": 3, "sha256": String(repeating: "0", count: 64), "mediaType": "audio/wav",
            ],
        ]
        for _ in 0..<2 {
            let early = try await server.ask("PUT", answer, row, as: ann)
            #expect([404, 409].contains(early.status) && early.code == "parent-missing")
            let sessionRow = [
                "id": held.facts.id.uuidString, "name": "n", "format": "f", "paper": "p",
                "startedAt": "2026-11-21T09:12:29Z",
            ]
            #expect([201, 204].contains(try await server.ask("PUT", session, sessionRow, as: ann).status))
        }
        await server.stop()
    }

    @Test func anErasedSessionIsGone() async throws {
        let server = try await RunningServer()
        let held = try Held(answers: 2, in: server.folder)
        _ = try await send(held, to: server, as: ann)
        let path = "/v1/sessions/\(held.facts.id.uuidString.lowercased())"
        #expect(try await server.ask("DELETE", path, as: ben).status == 404)
        #expect(!Self.files(server.folder + "/audio").isEmpty)
        #expect(try await server.ask("DELETE", path, as: ann).status == 204)
        #expect(try await server.ask("GET", path, as: ann).status == 404)
        #expect(Self.files(server.folder + "/audio").isEmpty)
        #expect(try await server.ask("DELETE", path, as: ann).status == 404)
        await server.stop()
    }

    @Test func anErasureThatWasBrokenOffIsFinished() async throws {
        let server = try await RunningServer()
        let held = try Held(answers: 2, in: server.folder)
        _ = try await send(held, to: server, as: ann)
        // A recording without a row, of a request that was killed in its middle.
        let (session, sound) = (held.facts.id, Array("sound".utf8))
        let (digest, path) = (SHA256.hexadecimal(of: sound), server.folder + "/sound")
        try Data(sound).write(to: URL(filePath: path))
        let key = AudioKey(recording: UUID(), of: session, user: ann, sha256: digest)
        try await server.services.audio.put(path, as: key, sha256: digest, mediaType: "audio/ogg")
        // The node dies after erasing the rows.
        #expect(try await server.services.store.owned(by: ann).erase(session: session))
        #expect(Self.files(server.folder + "/audio").count == 3)
        await Sweeper(services: server.services).sweep()
        #expect(Self.files(server.folder + "/audio").isEmpty)
        // The sweeper looks again for an hour, because a recording may still have been on its way.
        #expect(try await server.services.store.service.erasures(limit: 10).map(\.session) == [session])
        await server.stop()
    }

    private static func files(_ folder: String) -> [String] {
        (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []).filter { name in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder)
                && !isFolder.boolValue
        }
    }
}
