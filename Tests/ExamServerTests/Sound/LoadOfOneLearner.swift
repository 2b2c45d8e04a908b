import BackendAPI
import Foundation
import Glibc
import HTTPClient
import StoreTrials
import SystemSupport
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import ExamStore

/// One learner's recordings take minutes to decode. Another learner does not notice.
@Suite(.serialized, .bothStores(quick: .sqlite)) struct LoadOfOneLearner {
    @Test func anotherLearnersExamIsNext() async throws {
        let server = try await RunningServer()
        let (hostile, other) = (UUID(), UUID())
        let long = Array(try Data(contentsOf: URL(filePath: SoundProgram.silence(in: server.folder, seconds: 300))))
        var sessions: [UUID] = []
        for _ in 0..<3 { sessions.append(try await server.hold([long], of: hostile)) }
        try await eventually("the first is decoded") { !server.services.sound.processes.isEmpty }
        // The decoding process is stopped, so the first recording is not finished before the others arrive.
        let stopped = server.services.sound.processes
        for process in stopped { kill(process, SIGSTOP) }
        #expect(try await server.ask("GET", "/ready", as: nil).status == 200)
        let answer = Array(try Data(contentsOf: URL(filePath: "AudioFixtures/answers/yes.flac")))
        let mine = try await server.hold([answer], of: other)
        #expect(try await server.ask("GET", "/ready", as: nil).status == 200)
        for process in stopped { kill(process, SIGCONT) }
        try await eventually("all are done") {
            for (session, user) in sessions.map({ ($0, hostile) }) + [(mine, other)] {
                let state = try await server.services.owned(by: user).evaluation(of: session)
                guard state?.status == "completed" else { return false }
            }
            return true
        }
        // The other learner's answer came next, after the recording that was being decoded.
        let order = try await server.services.store.service.read { connection in
            try connection.rows(
                "SELECT test_session_id FROM processing_queue WHERE kind = 'evaluate' ORDER BY claimed_at"
            )
            .map { try $0.value("test_session_id") as UUID }
        }
        #expect(order.firstIndex(of: mine) == 1)
        await server.stop()
    }
}

extension RunningServer {
    /// Uploads an exam that was held elsewhere, and ends it.
    func hold(_ recordings: [[UInt8]], of user: UUID) async throws -> UUID {
        let session = UUID()
        let row = [
            "id": session.uuidString, "name": "held", "format": "ielts-style", "paper": "bridges",
            "startedAt": "2026-11-22T10:00:00Z",
        ]
        #expect(try await ask("PUT", "/v1/sessions/\(session)", row, as: user).status == 201)
        for (number, bytes) in recordings.enumerated() {
            let (answer, digest) = (UUID(), SHA256.hexadecimal(of: bytes))
            let stored = try await ask(
                "PUT", "/v1/sessions/\(session)/answers/\(answer)/recording", as: user,
                headers: [
                    ("Content-Type", "audio/flac"), ("Repr-Digest", try #require(ReprDigest(sha256: digest)).field),
                ], bytes: bytes)
            #expect(stored.status == 201)
            let row: [String: Any] = [
                "id": answer.uuidString, "session": session.uuidString, "question": "q\(number)", "part": 1,
                "order": number + 1, "attempt": 1, "end": "silence", "duration": 5, "speech": 4,
                "recording": [
                    "path": "x.flac", "byteCount": bytes.count, "sha256": digest, "mediaType": "audio/flac",
                ] as [String: Any],
            ]
            #expect(try await ask("PUT", "/v1/sessions/\(session)/answers/\(answer)", row, as: user).status == 201)
        }
        let end: [String: Any] = [
            "id": UUID().uuidString, "session": session.uuidString, "completedAt": "2026-11-22T10:10:00Z",
            "outcome": "completed", "answers": recordings.count, "delivered": recordings.count,
        ]
        #expect(try await ask("PUT", "/v1/sessions/\(session)/completion", end, as: user).status == 202)
        return session
    }
}
