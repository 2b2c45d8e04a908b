import ExamCore
import Foundation
import Synchronization
import SystemSupport
import UploadQueue

/// What the tables hold of a session: its row, the rows of its answers, that it is complete and to be evaluated.
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
        // Of nothing but its id a session is unique.
        _ = try await rows.insert(row, into: "test_sessions")
    }

    /// What became of an answer's row.
    enum Added: Equatable {
        /// It is there, and names the object.
        case named
        /// It is there in the place of an earlier attempt's, whose objects no row names any more.
        case instead(of: [String])
        /// The row of a later attempt is there: this object is named by none.
        case outdated
    }

    /// - Parameter object: where its recording lies in the bucket.
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
            throw DeliveryFailure(.refused, code: "409/23505", message: "another row has what must be unique")
        }
        return try await supersede(answer, of: session, question: question, object: object)
    }

    /// The question has a row of another attempt (C5): the later attempt is the one that counts, whichever arrives last.
    private func supersede(
        _ answer: AnswerRecord, of session: SessionFacts, question: UUID, object: String
    ) async throws(DeliveryFailure) -> Added {
        struct Found: Decodable { var id, audioFilePath: String }
        let filter = "test_session_id=eq.\(session.id.name)&question_id=eq.\(question.name)"
        guard let found = try await rows.one(Found.self, "responses", where: filter + "&select=id,audio_file_path")
        else {
            // A first attempt can only have met its own row, or one that counts more: PostgreSQL tells of the constraint that
            // was made first, which need not be the primary key.
            if answer.attempt == 1 { return .named }
            throw hidden("the answer's row is there, but may not be read: `responses` needs a rule for SELECT")
        }
        if found.audioFilePath == object {
            // Perhaps it was put in the place of another one when an answer was lost.
            return .instead(of: earlierObjects(than: answer, of: session, object))
        }
        if AnswerRecord.attempt(inObjectPath: found.audioFilePath) >= answer.attempt { return .outdated }
        // Only while it is the row that was looked at. What stands behind `eq.` is taken as it is, quotes too.
        let same = "audio_file_path=eq.\(found.audioFilePath.inFilter)"
        let isChanged = try await durations.writing(answer) { (seconds) throws(DeliveryFailure) in
            try await rows.change(
                "responses", id: found.id, where: same,
                to: SupabaseTables.NewerAttempt(audioFilePath: object, durationSeconds: seconds))
        }
        guard isChanged else {
            throw hidden("the row of an earlier attempt may not be changed: `responses` needs a rule for UPDATE")
        }
        // Whatever else a row may name is not ours to delete.
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

    /// Whether a row of that id can be seen.
    func has(answer id: UUID) async throws(DeliveryFailure) -> Bool {
        struct Found: Decodable { var id: String }
        return try await rows.one(Found.self, "responses", where: "id=eq.\(id.name)&select=id") != nil
    }

    /// Brings the session's count of answers up to date, as well as it can be: the completion brings it, too.
    func count(_ answers: Int, of session: SessionFacts) async {
        _ = try? await rows.change(
            "test_sessions", id: session.id.name, where: "status=eq.in_progress",
            to: SupabaseTables.Progress(completedResponses: answers))
    }

    /// - Parameter id: the completion's own, the same whenever it is sent: the queue entry has it too.
    func complete(_ facts: CompletionFacts, id: UUID, of session: SessionFacts) async throws(DeliveryFailure) {
        let change = SupabaseTables.Completion(
            completedAt: facts.completedAt, completedResponses: facts.delivered, expectedResponses: facts.answers,
            allResponsesUploaded: facts.delivered >= facts.answers)
        // Never back from `processing` or `evaluated`: the answer to an earlier attempt may have been lost.
        let isChanged = try await rows.change(
            "test_sessions", id: session.id.name, where: "status=eq.in_progress", to: change)
        if !isChanged {
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

/// `responses.duration_seconds`: exact where the project's column is numeric; whole seconds where it is an integer, as in the
/// reference schema. Which it is the project says once, by refusing (PostgreSQL's 22P02), and is remembered until the program ends.
private final class DurationColumn: Sendable {
    private let isWhole = Atomic(false)

    func writing<Value>(
        _ answer: AnswerRecord, _ write: (Double?) async throws(DeliveryFailure) -> Value
    ) async throws(DeliveryFailure) -> Value {
        let exact = answer.duration.map { Double($0.duration.milliseconds) / 1000 }
        // Rounded; what was said is never nothing.
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

    /// PostgreSQL's names of types, which are the same in every language that it speaks.
    private static let integers = ["integer", "bigint", "smallint"]
}

extension AnswerRecord {
    /// The attempt an object's name tells (`objectPath`): 1 where it tells none.
    static func attempt(inObjectPath path: String) -> Int {
        let name = path.split(separator: "/").last?.split(separator: ".").first ?? ""
        guard let mark = name.split(separator: "_").last, mark.first == "a" else { return 1 }
        return Int(mark.dropFirst()) ?? 1
    }
}

extension String {
    /// A value behind PostgREST's `eq.`: escaped for a URL and nothing else.
    fileprivate var inFilter: String { addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? self }
}
