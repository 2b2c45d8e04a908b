import ExamCore
import ExamStore
import Foundation

/// Records as clients send them.
enum Sample {
    static func session(_ id: UUID = UUID(), startedAt: String = "2026-11-21T09:12:29Z") -> TestSession {
        TestSession(
            id: id, name: "2026-11-21-0912-bridges", format: "ielts-style", paper: "bridges", startedAt: startedAt,
            expectedResponses: 12)
    }

    static func recording(_ session: UUID, id: UUID = UUID(), bytes: Int = 4_000, sha256: String = digest) -> Recording
    {
        Recording(
            id: id, session: session, key: "responses/\(session)/\(id).opus", byteCount: bytes, sha256: sha256,
            mediaType: "audio/ogg")
    }

    static func response(_ recording: Recording, question: String = "p1-q1", order: Int = 1) -> TestResponse {
        TestResponse(
            id: recording.id, session: recording.session,
            record: AnswerRecord(
                question: question, part: 1, order: order, end: "finished", duration: Seconds(.seconds(12.5)),
                speech: Seconds(.seconds(9.25))),
            path: "responses/part1_q\(order).opus", byteCount: recording.byteCount,
            sha256: recording.sha256, mediaType: recording.mediaType)
    }

    static func completion(answers: Int, id: UUID = UUID()) -> Completion {
        Completion(id: id, completedAt: "2026-11-21T09:26:02Z", outcome: "completed", answers: answers)
    }

    static let digest = String(repeating: "0f", count: 32)
    static let otherDigest = String(repeating: "1e", count: 32)

    static func template(_ id: UUID = UUID()) -> TestTemplate {
        TestTemplate(
            id: id, title: "Bridges", description: "About bridges", difficulty: .medium, format: "ielts-style",
            paper: "bridges")
    }
}

extension ExamDatabase {
    /// Stores a user's session with this many answers.
    ///
    /// - Returns: The session's id, and the answers' ids.
    func hold(_ user: UUID, answers: Int = 1, session: TestSession = Sample.session()) async throws -> (UUID, [UUID]) {
        let owned = owned(by: user)
        _ = try await owned.put(session)
        var ids: [UUID] = []
        for order in 0..<answers {
            let recording = Sample.recording(session.id)
            _ = try await owned.put(recording)
            _ = try await owned.put(Sample.response(recording, question: "p1-q\(order + 1)", order: order + 1))
            ids.append(recording.id)
        }
        return (session.id, ids)
    }
}
