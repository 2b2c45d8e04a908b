import ExamCore
import Foundation
import SystemSupport
import UploadQueue

/// What the tables hold of a session: its row, the rows of its answers, that it is complete and to be evaluated.
struct SupabaseSessions: Sendable {
    let rows: SupabaseRows

    func begin(_ session: SessionFacts, template: UUID?) async throws(DeliveryFailure) {
        let user = try await rows.calls.auth.credentials().user
        let row = SupabaseTables.Session(
            id: session.id.name, userID: user, testTemplateID: template?.name, startedAt: session.startedAt)
        // Of nothing but its id a session is unique.
        _ = try await rows.insert(row, into: "test_sessions")
    }

    /// - Parameter object: where its recording lies in the bucket.
    func add(
        _ answer: AnswerRecord, id: UUID, of session: SessionFacts, question: UUID?, object: String
    ) async throws(DeliveryFailure) {
        let row = SupabaseTables.Response(
            id: id.name, testSessionID: session.id.name, questionID: question?.name, audioFilePath: object,
            durationSeconds: answer.seconds, processingOrder: answer.part * 100 + answer.order)
        guard try await rows.insert(row, into: "responses") == .instead else { return }
        guard let question else {
            throw DeliveryFailure(.refused, code: "409/23505", message: "another row has what must be unique")
        }
        try await supersede(answer, of: session, question: question, object: object)
    }

    /// The question has a row of another attempt (C5): the later attempt is the one that counts, whichever arrives last.
    private func supersede(
        _ answer: AnswerRecord, of session: SessionFacts, question: UUID, object: String
    ) async throws(DeliveryFailure) {
        struct Found: Decodable { var id, audioFilePath: String }
        let filter = "test_session_id=eq.\(session.id.name)&question_id=eq.\(question.name)"
        guard let found = try await rows.one(Found.self, "responses", where: filter + "&select=id,audio_file_path")
        else {
            throw hidden("the answer's row is there, but may not be read: `responses` needs a rule for SELECT")
        }
        if AnswerRecord.attempt(inObjectPath: found.audioFilePath) >= answer.attempt { return }
        // Only while it is the row that was looked at.
        let same = "id=eq.\(found.id)&audio_file_path=eq.\(found.audioFilePath.inFilter)"
        let newer = SupabaseTables.NewerAttempt(audioFilePath: object, durationSeconds: answer.seconds)
        guard try await rows.change("responses", where: same, to: newer) else {
            throw hidden("the row of an earlier attempt may not be changed: `responses` needs a rule for UPDATE")
        }
    }

    /// Whether a row of that id can be seen.
    func has(answer id: UUID) async throws(DeliveryFailure) -> Bool {
        struct Found: Decodable { var id: String }
        return try await rows.one(Found.self, "responses", where: "id=eq.\(id.name)&select=id") != nil
    }

    /// - Parameter id: the completion's own, the same whenever it is sent: the queue entry has it too.
    func complete(_ facts: CompletionFacts, id: UUID, of session: SessionFacts) async throws(DeliveryFailure) {
        let change = SupabaseTables.Completion(
            completedAt: facts.completedAt, completedResponses: facts.delivered, expectedResponses: facts.answers,
            allResponsesUploaded: facts.delivered >= facts.answers)
        // Never back from `processing` or `evaluated`: the answer to an earlier attempt may have been lost.
        let open = "id=eq.\(session.id.name)&status=eq.in_progress"
        if try await !rows.change("test_sessions", where: open, to: change) {
            guard let found = try await status(of: session.id) else {
                throw hidden(
                    "the session's row is not there, or may not be read: `test_sessions` needs a rule for SELECT")
            }
            if found == "in_progress" {
                throw hidden("the session's row may not be changed: `test_sessions` needs a rule for UPDATE")
            }
        }
        let entry = SupabaseTables.QueueEntry(id: id.name, sessionID: session.id.name, testSessionID: session.id.name)
        // Where a project allows one entry for each session, another one of it serves as well.
        _ = try await rows.insert(entry, into: "processing_queue")
    }

    private func status(of session: UUID) async throws(DeliveryFailure) -> String? {
        struct Found: Decodable { var status: String }
        return try await rows.one(Found.self, "test_sessions", where: "id=eq.\(session.name)&select=status")?.status
    }

    private func hidden(_ message: String) -> DeliveryFailure {
        DeliveryFailure(.refused, code: "406/PGRST116", message: message)
    }
}

extension AnswerRecord {
    fileprivate var seconds: Double? { duration.map { Double($0.duration.milliseconds) / 1000 } }

    /// The attempt an object's name tells (`objectPath`): 1 where it tells none.
    static func attempt(inObjectPath path: String) -> Int {
        let name = path.split(separator: "/").last?.split(separator: ".").first ?? ""
        guard let mark = name.split(separator: "_").last, mark.first == "a" else { return 1 }
        return Int(mark.dropFirst()) ?? 1
    }
}

extension String {
    /// A value in a filter of PostgREST's: in quotes, since dots and commas mean something there, and escaped for a URL.
    fileprivate var inFilter: String {
        let quoted = "\"" + replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        return quoted.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? quoted
    }
}
