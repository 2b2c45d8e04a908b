import BackendAPI
import Foundation
import HTTPClient
import StoreTrials
import SystemSupport
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import ExamStore

/// An exam that a node held to its end over its WebSocket, and a server on the same store that answers for it.
struct SealedExam {
    let node: TestNode
    let server: RunningServer
    let session: UUID
    /// The candidate. Every exam of a `TestNode` is this user's.
    let learner = SignIn.developer
    static let group = "7b"

    /// - Parameter assessors: The exam's assessors.
    init(assessors: AssessorPanel = AssessorPanel()) async throws {
        let backend = try TestBackend()
        node = try await TestNode(backend)
        let scenario = try ScenariosOverWebSocket.scenario("pocket-exam")
        let made = try await node.exams.make(
            ScenariosOverWebSocket.sitting(scenario), for: learner, in: [Self.group])
        session = made.session
        let client = try ReplayClient(made, scenario, port: node.port)
        try await onThread { try client.sit() }
        server = try await RunningServer(
            store: try await backend.store(), audio: backend.audio, classes: .unguarded, assessors: assessors
        ) {
            $0.limits.requestsPerMinute = 1_000_000
        }
        try await eventually("it is sealed and evaluated") {
            let row = try await server.services.store.service.session(made.session)
            let state = try await server.services.owned(by: SignIn.developer).evaluation(of: made.session)
            return row?.seal != nil && state?.status == "completed"
        }
    }

    var id: String { session.uuidString.lowercased() }
    var path: String { "/v1/sessions/\(id)" }

    func ask(
        _ method: String, _ path: String, _ json: Any? = nil, as user: UUID? = nil,
        _ rights: RunningServer.Rights = .noRole,
        headers: [(String, String)] = [], bytes: [UInt8]? = nil
    ) async throws -> HTTPClient.HTTPResponse {
        try await server.ask(method, path, json, as: user ?? learner, rights, headers: headers, bytes: bytes)
    }

    /// Returns the answers as the results list them.
    func answers() async throws -> [[String: Any]] {
        let results = try await ask("GET", path + "/results").object
        return try #require(results["answers"] as? [[String: Any]])
    }

    /// Returns the server's report on the seal, for which it reads every recording.
    func seal() async throws -> [String: Any] {
        let answer = try await ask("GET", path + "/seal")
        try #require(answer.status == 200, "\(answer.text)")
        return answer.object
    }

    /// Expects that the exam has not changed.
    func expectUnchanged(_ before: [String: Any], _ what: String) async throws {
        let now = try await seal()
        #expect(now["state"] as? String == "sealed", "\(what): \(now["differs"] ?? "")")
        #expect(now["seal"] as? String == before["seal"] as? String, "\(what)")
        #expect(try Self.text(now["manifest"]) == Self.text(before["manifest"]), "\(what)")
    }

    private static func text(_ manifest: Any?) throws -> String {
        let manifest = try #require(manifest as? [String: Any])
        return String(
            decoding: try JSONSerialization.data(withJSONObject: manifest, options: .sortedKeys), as: UTF8.self)
    }

    func stop() async throws {
        await server.stop()
        try await node.stop()
    }
}

/// A recording made at home, as a client uploads it.
struct HomeRecording {
    let bytes: [UInt8]
    let sha256: String

    init(_ words: String = "a recording that was read from a script") {
        bytes = Array(words.utf8)
        sha256 = SHA256.hexadecimal(of: bytes)
    }

    var headers: [(String, String)] {
        [("Content-Type", "audio/ogg"), ("Repr-Digest", ReprDigest(sha256: sha256)!.field)]
    }

    /// The row of an answer with this recording.
    func row(
        _ answer: String, of session: String, question: String, part: Int = 1, order: Int, attempt: Int = 1,
        end: String = "finished"
    ) -> [String: Any] {
        [
            "id": answer, "session": session, "question": question, "part": part, "order": order, "attempt": attempt,
            "end": end, "duration": 25.0, "speech": 20.0,
            "recording": ["path": "x.ogg", "byteCount": bytes.count, "sha256": sha256, "mediaType": "audio/ogg"],
        ]
    }
}
