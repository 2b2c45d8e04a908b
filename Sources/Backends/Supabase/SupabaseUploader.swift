import ExamCore
import Foundation
public import HTTPClient
public import UploadQueue

/// Delivers to a Supabase project: recordings to a bucket, and what is known of them to tables (D4, D5, D6).
///
/// - A session is a row of `test_sessions`.
/// - An answer is an object at `AnswerRecord.objectPath`, and then a row of `responses` that names it.
/// - A completion changes the session's row, and then asks for evaluation with a row of `processing_queue`.
///
/// The rows' ids are the uploads' own, so each can be sent again.
public struct SupabaseUploader: Uploader {
    public struct Settings: Equatable, Sendable {
        /// Private, with rules that let users add to it, and best also look, replace and delete (C3).
        public var bucket = "audio-responses"
        /// Bytes; larger recordings are refused (C4: 10 MB).
        public var largestObject = 10 << 20
        /// Bytes; larger recordings are sent in pieces that can be resumed (Supabase advises that from 6 MB on).
        public var largestSimpleUpload = 6 << 20
        /// Whether an etag that looks like an MD5 is one. Not so where one's own storage encrypts with keys of a service.
        public var comparesETag = true

        public init() {}
    }

    private let settings: Settings
    private let calls: SupabaseCalls
    private let storage: SupabaseStorage
    private let sessions: SupabaseSessions

    public init(
        _ project: SupabaseProject, auth: SupabaseAuth, over exchange: any HTTPExchanging,
        settings: Settings = Settings()
    ) {
        self.init(SupabaseCalls(project: project, auth: auth, exchange: exchange), settings)
    }

    init(_ calls: SupabaseCalls, _ settings: Settings) {
        let rows = SupabaseRows(calls: calls)
        self.settings = settings
        self.calls = calls
        storage = SupabaseStorage(calls: calls, bucket: settings.bucket, settings: settings)
        sessions = SupabaseSessions(rows: rows)
    }

    public var place: String { calls.project.place }

    public func deliver(_ upload: Upload, with courier: Courier) async throws(DeliveryFailure) {
        switch upload.content {
        case .session:
            try await sessions.begin(upload.session)
        case .answer(let answer, let file):
            try await deliver(answer, file, of: upload, with: courier)
        case .completion(let facts):
            try await sessions.complete(facts, id: upload.id, of: upload.session)
        case .submission: throw .noQuizzes(at: place)
        }
    }

    private func deliver(
        _ answer: AnswerRecord, _ file: UploadFile, of upload: Upload, with courier: Courier
    ) async throws(DeliveryFailure) {
        // Of an exam of this machine's the ids are in no table that a row could refer to.
        let question = upload.session.template.flatMap { _ in UUID(uuidString: answer.question) }
        let path = answer.objectPath(session: upload.session.id, suffix: file.suffix)
        var note = SupabaseNote(courier.note, place: "\(calls.project.url) \(settings.bucket)/\(path)")
        // An earlier attempt came as far as the row, and what became of that is not known.
        let mayHaveRow = note.stored != nil && note.hasNoRow != true
        if try await !isStored(file, at: path, by: note) {
            note.stored = nil
            let begun = note
            let resumption = SupabaseStorage.Resumption(location: note.location) { location throws(DeliveryFailure) in
                var note = begun
                note.location = location
                try courier.keep(note.text)
            }
            note.stored = try await storage.put(file, at: path, resuming: resumption, sent: courier.sent)
            note.location = nil
            note.hasNoRow = nil
            try courier.keep(note.text)
        }
        if note.hasNoRow != nil {
            note.hasNoRow = nil
            try courier.keep(note.text)
        }
        courier.sent(file.byteCount)
        let added: SupabaseSessions.Added
        do throws(DeliveryFailure) {
            added = try await sessions.add(
                answer, id: upload.id, of: upload.session, question: question, object: path)
        } catch {
            // What may pass by itself leaves the object for the next attempt.
            guard error.kind == .refused else { throw error }
            throw try await cleanUp(path, after: error, of: upload, mayHaveRow: mayHaveRow, note, courier)
        }
        await tidy(after: added, path)
        await sessions.count(courier.arrived() + 1, of: upload.session)
    }

    /// Deletes what no row names any more, as well as it can be: the answer has arrived.
    private func tidy(after added: SupabaseSessions.Added, _ path: String) async {
        let objects =
            switch added {
            case .named: [String]()
            case .instead(let objects): objects
            case .outdated: [path]
            }
        for object in objects {
            do throws(DeliveryFailure) { try await storage.delete(object) } catch { return }
        }
    }

    /// An earlier attempt's object is looked at again: it may have been deleted since.
    private func isStored(
        _ file: UploadFile, at path: String, by note: SupabaseNote
    ) async throws(DeliveryFailure) -> Bool {
        guard let stored = note.stored else { return false }
        switch try await storage.holds(file, at: path) {
        case .same: return true
        case .sameSize: return stored == .sized
        case .hidden: return stored == .unseen
        case .other: return false
        }
    }

    /// Deletes an object whose row the project will never take (C6), unless a row may name it: a recording that no row names is somebody's voice that
    /// nobody answers for, that nobody finds, and that no rule about the row's owner will ever delete. The recording on this
    /// machine stays, and trying again by hand uploads it anew.
    ///
    /// - Returns: why the row was refused, with what became of the object where that is not so.
    /// - Throws: what may pass by itself; the next attempt comes here again.
    private func cleanUp(
        _ path: String, after refusal: DeliveryFailure, of upload: Upload, mayHaveRow: Bool, _ note: SupabaseNote,
        _ courier: Courier
    ) async throws(DeliveryFailure) -> DeliveryFailure {
        // The row may have been taken by an earlier attempt, under other rules: then it needs its object.
        let hasRow: Bool
        do throws(DeliveryFailure) {
            hasRow = try await sessions.has(answer: upload.id)
        } catch {
            guard error.kind == .refused else { throw error }
            hasRow = false
        }
        if hasRow { return refusal }
        if mayHaveRow {
            let message = "\(refusal.message) (and its object stays: a row that may not be read may name it)"
            return DeliveryFailure(refusal.kind, code: refusal.code, message: message, retryAfter: refusal.retryAfter)
        }
        var result = refusal
        do throws(DeliveryFailure) {
            try await storage.delete(path)
        } catch {
            guard error.kind == .refused else {
                var note = note
                note.hasNoRow = true
                try courier.keep(note.text)
                throw error
            }
            let message = "\(refusal.message) (and the object could not be deleted: \(error.message))"
            result = DeliveryFailure(refusal.kind, code: refusal.code, message: message, retryAfter: refusal.retryAfter)
        }
        try courier.keep(nil)
        return result
    }
}
