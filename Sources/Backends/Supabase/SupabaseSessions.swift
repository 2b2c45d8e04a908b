import ExamCore
import Foundation
import Synchronization
import SystemSupport
import UploadQueue

/// A session in the tables: its row, the rows of its answers, its completion and the request to evaluate it.
struct SupabaseSessions: Sendable {
    let rows: SupabaseRows
    private let durations = DurationColumn()

    init(rows: SupabaseRows) {
        self.rows = rows
    }

    func begin(_ session: SessionFacts) async throws(DeliveryFailure) {
        let user = try await rows.calls.auth.credentials().user
        let row = SupabaseTables.Session(
            id: session.id.name, userID: user, testTemplateID: session.template?.name, startedAt: session.startedAt)
        // Only the id of a session is unique.
        _ = try await rows.insert(row, into: "test_sessions")
    }

    /// The outcome of adding an answer's row.
    enum Added: Equatable {
        /// The row is there and refers to the object.
        case named
        /// The row has replaced that of an earlier attempt. No row refers to these objects of that attempt any more.
        case instead(of: [String])
        /// The row of a later attempt is there, so no row refers to this object.
        case outdated
    }

    /// - Parameter object: The path of its recording in the bucket.
    func add(
        _ answer: AnswerRecord, id: UUID, of session: SessionFacts, question: UUID?, object: String
    ) async throws(DeliveryFailure) -> Added {
        let inserted = try await durations.writing(answer) { (seconds) throws(DeliveryFailure) in
            try await rows.insert(
                SupabaseTables.Response(
                    id: id.name, testSessionID: session.id.name, questionID: question?.name, audioFilePath: object,
                    durationSeconds: seconds, processingOrder: answer.part * 100 + answer.order),
                into: "responses")
        }
        guard inserted == .instead else { return .named }
        guard let question else {
            throw DeliveryFailure(.refused, code: "409/23505", message: "another row has a value that must be unique")
        }
        return try await supersede(answer, of: session, question: question, object: object)
    }

    /// Resolves a conflict with the row of another attempt at the same question. The later attempt counts, in any order
    /// of arrival.
    private func supersede(
        _ answer: AnswerRecord, of session: SessionFacts, question: UUID, object: String
    ) async throws(DeliveryFailure) -> Added {
        struct Found: Decodable { var id, audioFilePath: String }
        let filter = "test_session_id=eq.\(session.id.name)&question_id=eq.\(question.name)"
        guard let found = try await rows.one(Found.self, "responses", where: filter + "&select=id,audio_file_path")
        else {
            // A first attempt can conflict only with its own row or with that of a later attempt. PostgreSQL reports
            // the oldest constraint, which need not be the primary key.
            if answer.attempt == 1 { return .named }
            throw hidden("the answer's row exists, but may not be read: `responses` needs a rule for SELECT")
        }
        if found.audioFilePath == object {
            // This row may have replaced another one in an attempt whose answer was lost.
            return .instead(of: earlierObjects(than: answer, of: session, object))
        }
        if AnswerRecord.attempt(inObjectPath: found.audioFilePath) >= answer.attempt { return .outdated }
        // Applies only if the row is still the one that was read. PostgREST takes the text behind `eq.` literally,
        // quotes included.
        let same = "audio_file_path=eq.\(found.audioFilePath.inFilter)"
        let isChanged = try await durations.writing(answer) { (seconds) throws(DeliveryFailure) in
            try await rows.change(
                "responses", id: found.id, where: same,
                to: SupabaseTables.NewerAttempt(audioFilePath: object, durationSeconds: seconds))
        }
        guard isChanged else {
            throw hidden("the row of an earlier attempt may not be changed: `responses` needs a rule for UPDATE")
        }
        // A row may refer to any other object, which is not ours to delete.
        return .instead(
            of: earlierObjects(than: answer, of: session, found.audioFilePath).filter { $0 == found.audioFilePath })
    }

    private func earlierObjects(than answer: AnswerRecord, of session: SessionFacts, _ object: String) -> [String] {
        let suffix = String(object.split(separator: ".").last ?? "")
        return (1..<max(answer.attempt, 1)).map { attempt in
            var earlier = answer
            earlier.attempt = attempt
            return earlier.objectPath(session: session.id, suffix: suffix)
        }
    }

    /// Returns whether a row with that id is visible.
    func has(answer id: UUID) async throws(DeliveryFailure) -> Bool {
        struct Found: Decodable { var id: String }
        return try await rows.one(Found.self, "responses", where: "id=eq.\(id.name)&select=id") != nil
    }

    /// Updates the session's count of answers. A failure is ignored, because the completion sets it too.
    func count(_ answers: Int, of session: SessionFacts) async {
        _ = try? await rows.change(
            "test_sessions", id: session.id.name, where: "status=eq.in_progress",
            to: SupabaseTables.Progress(completedResponses: answers))
    }

    /// - Parameter id: The completion's own id, the same for every attempt. The queue entry uses it too.
    func complete(_ facts: CompletionFacts, id: UUID, of session: SessionFacts) async throws(DeliveryFailure) {
        let change = SupabaseTables.Completion(
            completedAt: facts.completedAt, completedResponses: facts.delivered, expectedResponses: facts.answers,
            allResponsesUploaded: facts.delivered >= facts.answers)
        // Never changes `processing` or `evaluated` back: the answer to an earlier attempt may have been lost.
        let isChanged = try await rows.change(
            "test_sessions", id: session.id.name, where: "status=eq.in_progress", to: change)
        if !isChanged {
            guard let found = try await status(of: session.id) else {
                throw hidden(
                    "the session's row does not exist, or may not be read: `test_sessions` needs a rule for SELECT")
            }
            if found == "in_progress" {
                throw hidden("the session's row may not be changed: `test_sessions` needs a rule for UPDATE")
            }
        }
        let entry = SupabaseTables.QueueEntry(id: id.name, sessionID: session.id.name, testSessionID: session.id.name)
        // If a project allows one entry per session, an existing one will do.
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

/// The column `responses.duration_seconds`: exact if it is numeric, whole seconds if it is an integer, as in the
/// reference schema. The project reveals the type once, by a refusal (PostgreSQL's 22P02). It is remembered until the
/// program ends.
private final class DurationColumn: Sendable {
    private let isWhole = Atomic(false)

    func writing<Value>(
        _ answer: AnswerRecord, _ write: (Double?) async throws(DeliveryFailure) -> Value
    ) async throws(DeliveryFailure) -> Value {
        let exact = answer.duration.map { Double($0.duration.milliseconds) / 1000 }
        // Rounded, but never to zero for an answer with sound.
        let whole = exact.map { $0 > 0 ? max($0.rounded(), 1) : 0 }
        if isWhole.load(ordering: .relaxed) || exact == whole { return try await write(whole) }
        do throws(DeliveryFailure) {
            return try await write(exact)
        } catch {
            guard error.code.hasSuffix("22P02"), Self.integers.contains(where: { error.message.contains($0) }) else {
                throw error
            }
            isWhole.store(true, ordering: .relaxed)
            return try await write(whole)
        }
    }

    /// PostgreSQL's names of types. They are the same in all its languages.
    private static let integers = ["integer", "bigint", "smallint"]
}

extension AnswerRecord {
    /// Returns the attempt in an object's name (`objectPath`); 1 if the name contains none.
    static func attempt(inObjectPath path: String) -> Int {
        let name = path.split(separator: "/").last?.split(separator: ".").first ?? ""
        guard let mark = name.split(separator: "_").last, mark.first == "a" else { return 1 }
        return Int(mark.dropFirst()) ?? 1
    }
}

extension String {
    /// The value escaped for PostgREST's `eq.`: for a URL and nothing else.
    fileprivate var inFilter: String { addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? self }
}
