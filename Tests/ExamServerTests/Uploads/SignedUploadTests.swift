import AudioFiles
import ExamCore
import ExamStore
import Foundation
import HTTPClient
import StoreTrials
import Synchronization
import SystemSupport
import TestSupport
import Testing
import UploadQueue

@testable import Backends
@testable import ExamNode
@testable import ExamServer
@testable import RecordingStores
@testable import ServerWork

/// Signed addresses to upload to, with recordings in a folder.
@Suite(.bothStores) struct SignedUploadTests {
    private let user = UUID()
    private let stranger = UUID()

    private func post(
        _ server: UploadServer, _ path: String, _ fields: [String: Any], as user: UUID? = nil
    ) async throws -> (status: Int, fields: [String: Any]) {
        let body = try JSONSerialization.data(withJSONObject: fields)
        let answer = try await server.ask(
            "POST", "/v1/\(path)", as: user ?? self.user, [("Content-Type", "application/json")], Array(body))
        return (answer.status, (try? JSONSerialization.jsonObject(with: Data(answer.body))) as? [String: Any] ?? [:])
    }

    private func place(_ session: UUID, question: String = "q1", suffix: String = ".opus") -> [String: Any] {
        [
            "user_id": user.uuidString, "test_id": session.uuidString, "part_type": "part2", "question_id": question,
            "file_extension": suffix,
        ]
    }

    private func address(_ server: UploadServer, _ session: UUID) async throws -> (url: String, key: String) {
        let made = try await post(server, "generate-upload-url", place(session))
        #expect(made.status == 200, "\(made.fields)")
        return (try #require(made.fields["upload_url"] as? String), try #require(made.fields["key"] as? String))
    }

    private func complete(_ server: UploadServer, _ key: String, _ answer: UUID) async throws -> Int {
        try await post(
            server, "upload-complete", ["user_id": user.uuidString, "key": key, "response_id": answer.uuidString]
        ).status
    }

    @Test func anAddressTakesARecordingAndItBecomesAnAnswer() async throws {
        try await withUploadServer { server in
            let (session, answer) = (UUID(), UUID())
            let (url, key) = try await address(server, session)
            #expect(url.hasPrefix(server.url + "/v1/uploads/direct/"))
            // Any client with the address may use it, without a token.
            #expect(
                try await server.ask("PUT", url, as: nil, [("Content-Type", "audio/ogg")], noise(5_000)).status == 201)
            #expect(
                try await server.ask("PUT", url, as: nil, [("Content-Type", "audio/ogg")], noise(5_000)).status == 201)
            let other = try await server.ask("PUT", url, as: nil, [("Content-Type", "audio/ogg")], noise(5_001))
            #expect(other.status == 409)
            #expect(try await complete(server, key, answer) == 200)
            #expect(try await complete(server, key, answer) == 200)
            #expect(try await server.ask("GET", "/v1/recordings/\(answer)", as: user).body == noise(5_000))
            let store = server.services.store.owned(by: user)
            let response = try #require(try await store.response(answer))
            #expect(
                response.part == 2 && response.question == "q1" && response.order == 1 && response.byteCount == 5_000)
            // The address was valid for one recording.
            #expect(try await server.ask("PUT", url, as: nil, [("Content-Type", "audio/ogg")], noise(9)).status == 410)
            #expect(server.storedFiles.count == 1)
            let wish = ["session_id": session.uuidString, "user_id": user.uuidString, "template_id": UUID().uuidString]
            #expect(try await post(server, "evaluate", wish).status == 202)
            #expect(try await post(server, "evaluate", wish).status == 200)
            #expect(try await store.session(session)?.status == .completed)
        }
    }

    /// These clients know questions by the ids of their templates. The server translates them to its own.
    @Test func aStoredTemplateNamesItsQuestions() async throws {
        try await withUploadServer { server in
            let catalogue = try ExamCatalogue(folder: nil)
            try await TemplateSeeds.put(catalogue, into: server.services.store)
            let template = TemplateIDs.template("ielts-style", "bridges")
            let (session, answer) = (UUID(), UUID())
            let question = TemplateIDs.question("mornings-2", of: template)
            let made = try await post(server, "generate-upload-url", place(session, question: question.uuidString))
            let (url, key) = (made.fields["upload_url"] as? String ?? "", made.fields["key"] as? String ?? "")
            #expect(
                try await server.ask("PUT", url, as: nil, [("Content-Type", "audio/ogg")], noise(500)).status == 201)
            var stored: [String: Any] = ["user_id": user.uuidString, "key": key, "response_id": answer.uuidString]
            stored["template_id"] = "no UUID"
            #expect(try await post(server, "upload-complete", stored).status == 400)
            stored["template_id"] = template.uuidString
            stored["trigger_evaluation"] = true
            #expect(try await post(server, "upload-complete", stored).status == 200)
            let store = server.services.store.owned(by: user)
            let kept = try #require(try await store.session(session))
            #expect(kept.templateID == template && kept.format == "ielts-style" && kept.paper == "bridges")
            // The evaluation that the client requested.
            #expect(kept.completedAt != nil)
            #expect(try await store.evaluation(of: session)?.status == "pending")
            let response = try #require(try await store.response(answer))
            #expect(response.question == "mornings-2" && response.questionID == question)
            let object = try #require(AudioKey(response.path))
            #expect(try await server.services.audio.size(of: object) == 500)
            // A template that this server doesn't have is accepted and ignored.
            let other = UUID()
            _ = try await address(server, other)
            let wish = [
                "session_id": other.uuidString, "user_id": user.uuidString,
                "template_id": "550e8400-e29b-41d4-a716-446655440000",
            ]
            #expect(try await post(server, "evaluate", wish).status == 202)
            #expect(try await store.session(other)?.templateID == nil)
        }
    }

    @Test func theLengthOfSoundIsMeasured() async throws {
        try await withUploadServer { server in
            let folder = try TemporaryFolder()
            let path = folder.path + "/tone.wav"
            let writer = try SoundFileWriter(path: path, encoding: .wav)
            try writer.write([Float](repeating: 0.1, count: 24_000)[...])
            try writer.close(durably: false)
            let (session, answer) = (UUID(), UUID())
            let made = try await post(server, "generate-upload-url", place(session, question: "q7_a2", suffix: "wav"))
            let url = try #require(made.fields["upload_url"] as? String)
            let bytes = Array(try Data(contentsOf: URL(filePath: path)))
            #expect(try await server.ask("PUT", url, as: nil, [("Content-Type", "audio/wav")], bytes).status == 201)
            #expect(try await complete(server, made.fields["key"] as! String, answer) == 200)
            let response = try #require(try await server.services.store.owned(by: user).response(answer))
            #expect(
                response.record.duration == Seconds(.seconds(1.5)) && response.record.end == nil
                    && response.record.speech == nil)
            #expect(response.question == "q7" && response.attempt == 2)
        }
    }

    @Test func undecodableRecordingsAreRefusedByTheAddress() async throws {
        try await withUploadServer(decoderFolders: "/none") { server in
            let made = try await post(server, "generate-upload-url", place(UUID(), suffix: "m4a"))
            let (url, key) = (made.fields["upload_url"] as? String ?? "", made.fields["key"] as? String ?? "")
            let telephones = [0, 0, 0, 24] + Array("ftypM4A ".utf8) + noise(1_000)
            let refused = try await server.ask("PUT", url, as: nil, [("Content-Type", "audio/mp4")], telephones)
            #expect(refused.status == 415 && refused.text.contains("/problems/needs-conversion"), "\(refused.text)")
            #expect(server.storedFiles.isEmpty)
            // S3 storage accepts any bytes, so the server checks them when the client reports the upload.
            let file = try await ReceivedFile.take(telephones, folder: server.folder + "/node/incoming")
            try await file.put(into: server.services.audio, as: try #require(AudioKey(key)), mediaType: "audio/mp4")
            #expect(try await complete(server, key, UUID()) == 415)
            #expect(server.storedFiles.isEmpty)
        }
    }

    @Test func anAddressTakesOnlyTheStatedRecording() async throws {
        var limits = ServerSettings.Limits()
        limits.recordingBytes = 10_000
        try await withUploadServer(limits: limits) { server in
            let (url, key) = try await address(server, UUID())
            #expect(try await server.ask("PUT", url, as: nil, [("Content-Type", "audio/wav")], noise(10)).status == 415)
            #expect(
                try await server.ask("PUT", url, as: nil, [("Content-Type", "audio/ogg")], noise(10_001)).status == 413)
            for place in [url.count - 2, url.count - 60] {
                var letters = Array(url)
                letters[place] = letters[place] == "A" ? "B" : "A"
                let answer = try await server.ask(
                    "PUT", String(letters), as: nil, [("Content-Type", "audio/ogg")], noise(10))
                #expect(answer.status == 403)
            }
            #expect(try await complete(server, key, UUID()) == 404)
            #expect(server.storedFiles == [])
        }
    }

    @Test func anAddressRunsOut() async throws {
        let clock = SetClock()
        try await withUploadServer(clock: clock) { server in
            let (url, key) = try await address(server, UUID())
            let kind = [("Content-Type", "audio/ogg")]
            clock.pass(seconds: Double(SignedUploadRoutes.seconds) - 1)
            #expect(try await server.ask("PUT", url, as: nil, kind, noise(10)).status == 201)
            clock.pass(seconds: 1)
            let late = try await server.ask("PUT", url, as: nil, kind, noise(10))
            #expect(late.status == 410 && late.text.contains("address-expired"))
            // A recording that came in time is still there.
            #expect(try await complete(server, key, UUID()) == 200)
        }
    }

    @Test func onlyAddressesThatThisServerSignedAreAccepted() throws {
        let folder = try TemporaryFolder()
        let secret = try UploadSecret(folder: folder.path)
        let key = AudioKey(direct: UUID(), of: UUID(), user: user)
        let ticket = UploadTicket(key: key, mediaType: AudioMediaType("audio/ogg")!, byteLimit: 10, end: 5)
        let text = ticket.text(signedBy: secret)
        #expect(UploadTicket(text, signedBy: try UploadSecret(folder: folder.path)) == ticket)
        #expect(UploadTicket(text, signedBy: try UploadSecret(folder: TemporaryFolder().path)) == nil)
        for odd in ["", ".", "a.b", text + ".", String(text.dropFirst())] {
            #expect(UploadTicket(odd, signedBy: secret) == nil)
        }
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/upload-secret")[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test func aStrangerOpensNothing() async throws {
        try await withUploadServer { server in
            let session = try await server.makeSession(of: user)
            let (url, key) = try await address(server, session)
            #expect(try await server.ask("PUT", url, as: nil, [("Content-Type", "audio/ogg")], noise(10)).status == 201)
            for path in ["generate-upload-url", "upload-complete", "evaluate"] {
                var fields = place(session)
                (fields["key"], fields["session_id"]) = (key, session.uuidString)
                // Another user's id in the body, and then the user's own id with another user's session.
                #expect(try await post(server, path, fields, as: stranger).status == 403)
                fields["user_id"] = stranger.uuidString
                #expect(try await post(server, path, fields, as: stranger).status == 404)
                #expect(try await server.ask("POST", "/v1/\(path)", as: nil, [], Array("{}".utf8)).status == 401)
            }
            #expect(try await server.ask("GET", "/v1/quota?user_id=\(user)", as: stranger).status == 403)
            let answer = UUID()
            #expect(try await complete(server, key, answer) == 200)
            #expect(try await server.ask("GET", "/v1/recordings/\(answer)", as: stranger).status == 404)
        }
    }

    @Test func oddFieldsAreRefused() async throws {
        try await withUploadServer { server in
            for (name, value) in [
                ("test_id", "../x"), ("part_type", "part"), ("part_type", "part0"), ("question_id", ""),
                ("file_extension", ".exe"),
                ("file_extension", "/../.opus"), ("question_id", String(repeating: "q", count: 101)),
                ("question_id", "a\u{0}b"),
            ] {
                var fields = place(UUID())
                fields[name] = value
                let status = try await post(server, "generate-upload-url", fields).status
                #expect(status == 400 || status == 415, "\(name): \(value)")
            }
            #expect(
                try await server.ask("POST", "/v1/generate-upload-url", as: user, [], Array("[]".utf8)).status == 400)
            for key in ["", "a/b/c", "\(user)/\(UUID())/direct-\(UUID())", "../../etc/passwd"] {
                #expect(try await complete(server, key, UUID()) == 404)
            }
        }
    }

    @Test func aMissingFieldIsNamedAsTheClientCallsIt() async throws {
        try await withUploadServer { server in
            var fields = place(UUID())
            fields["part_type"] = nil
            let answer = try await post(server, "generate-upload-url", fields)
            let detail = answer.fields["detail"] as? String ?? ""
            #expect(answer.status == 400 && detail == "part_type: is missing.", "\(detail)")
        }
    }

    @Test func aBareAttemptMarkIsNotASecondAttempt() {
        let facts = SignedFacts(part: 1, question: "_a2", mediaType: "audio/ogg")
        #expect(facts.attempt == 1 && facts.plainQuestion == "_a2")
    }

    @Test func quotasAreReportedAndKept() async throws {
        var limits = ServerSettings.Limits()
        (limits.recordingBytes, limits.storedBytes, limits.examsPerDay) = (1_000, 2_500, 2)
        try await withUploadServer(limits: limits) { server in
            struct Told: Decodable {
                var allowed: Bool
                var used, limit, remaining, storedBytes, storedBytesLimit: Int
                var tier, message: String
            }
            func told() async throws -> Told {
                let answer = try await server.ask("GET", "/v1/quota?user_id=\(user)", as: user)
                #expect(answer.text.contains("\"stored_bytes_limit\":"))
                let decoder = JSONDecoder()
                decoder.keyDecodingStrategy = .convertFromSnakeCase
                return try decoder.decode(Told.self, from: Data(answer.body))
            }
            #expect(try await told().allowed)
            let session = UUID()
            _ = try await address(server, session)
            _ = try await address(server, session)
            let now = try await told()
            #expect(!now.allowed)
            #expect(now.used == 1 && now.limit == 2 && now.remaining == 1 && now.storedBytes == 2_000)
            #expect(try await post(server, "generate-upload-url", place(session)).status == 429)
        }
        limits.storedBytes = 1 << 20
        try await withUploadServer(limits: limits) { server in
            for _ in 1...2 { _ = try await address(server, UUID()) }
            let third = try await post(server, "generate-upload-url", place(UUID()))
            #expect(third.status == 429)
            #expect(third.fields["title"] as? String == "Enough for today")
        }
    }

    @Test func uncompletedUploadsAreSwept() async throws {
        try await withUploadServer { server in
            let (url, key) = try await address(server, UUID())
            #expect(try await server.ask("PUT", url, as: nil, [("Content-Type", "audio/ogg")], noise(10)).status == 201)
            let id = try #require(AudioKey(key)?.directUpload)
            let store = server.services.store.owned(by: user)
            #expect(try await store.advance(id, from: 0, to: 0, expiresAt: "2020-01-01T00:00:00Z"))
            #expect(await Sweeper(services: server.services).sweep() == 1)
            #expect(server.storedFiles == [])
            #expect(try await complete(server, key, UUID()) == 404)
        }
    }

    /// The project's own uploader for such addresses, from the beginning to the end of a session.
    @Test func ourOwnUploaderArrives() async throws {
        try await withUploadServer { server in
            let folder = try TemporaryFolder()
            let facts = SessionFacts(
                id: UUID(), name: "n", format: "f", paper: "p", startedAt: "2026-11-21T09:12:29Z")
            let file = UploadFile(
                path: try folder.file(noise(30_000)), byteCount: 30_000, sha256: SHA256.hexadecimal(of: noise(30_000)),
                mediaType: "audio/ogg")
            let named = UploadFile(
                path: file.path + ".opus", byteCount: 30_000, sha256: file.sha256, mediaType: "audio/ogg")
            try FileManager.default.moveItem(atPath: file.path, toPath: named.path)
            let answer = Upload(
                id: UUID(), session: facts,
                content: .answer(
                    AnswerRecord(
                        question: "q", part: 1, order: 1, attempt: 1, end: "finished", duration: Seconds(.seconds(1)),
                        speech: Seconds(.seconds(1))),
                    named))
            let completion = Upload(
                id: UUID(), session: facts,
                content: .completion(
                    CompletionFacts(completedAt: "2026-11-21T09:26:29Z", outcome: "completed", answers: 1, delivered: 1)
                ))
            let uploader = SignedURLUploader(
                url: server.url + "/v1", user: user.uuidString.lowercased(),
                template: "550e8400-e29b-41d4-a716-446655440000", client: Believed(user: user)
            ) { () throws(DeliveryFailure) in nil }
            for upload in [
                Upload(id: UUID(), session: facts, content: .session), answer, completion, answer, completion,
            ] {
                try await uploader.deliver(upload, with: Courier())
            }
            #expect(try await server.ask("GET", "/v1/recordings/\(answer.id)", as: user).body == noise(30_000))
            #expect(try await server.services.store.owned(by: user).session(facts.id)?.completedAt != nil)
        }
    }
}

/// A client that sends its user's id.
private struct Believed: HTTPExchanging {
    let user: UUID
    private let client = CurlClient()

    init(user: UUID) { self.user = user }

    func exchange(
        _ request: HTTPRequest, limits: HTTPLimits, sent: @escaping @Sendable (Int) -> Void
    ) async throws(HTTPFailure) -> HTTPResponse {
        var request = request
        request.headers.append(.init("X-Test-User", user.uuidString))
        return try await client.exchange(request, limits: limits, sent: sent)
    }
}
