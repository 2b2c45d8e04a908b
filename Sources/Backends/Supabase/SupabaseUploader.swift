import ExamCore
public import Foundation
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
        /// Whose questions the answers are to: a row of `test_templates` (C15: never assumed). nil: sessions have no
        /// template, and answers no `question_id`: ids of the exam's own paper are in no table that it could refer to.
        public var template: UUID?
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
    private let questions: QuestionIDs?

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
        questions = settings.template.map { QuestionIDs(of: $0, in: rows) }
    }

    public var place: String { calls.project.place }

    public func deliver(_ upload: Upload, with courier: Courier) async throws(DeliveryFailure) {
        switch upload.content {
        case .session:
            try await sessions.begin(upload.session, template: settings.template)
        case .answer(let answer, let file):
            try await deliver(answer, file, of: upload, with: courier)
        case .completion(let facts):
            try await sessions.complete(facts, id: upload.id, of: upload.session)
        }
    }

    private func deliver(
        _ answer: AnswerRecord, _ file: UploadFile, of upload: Upload, with courier: Courier
    ) async throws(DeliveryFailure) {
        // Before anything is stored: an answer to a question that nobody knows would only be deleted again.
        let question = try await questions?.id(of: .init(part: answer.part, order: answer.order))
        let path = answer.objectPath(session: upload.session.id, suffix: file.suffix)
        var note = SupabaseNote(courier.note, place: "\(calls.project.url) \(settings.bucket)/\(path)")
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
            try courier.keep(note.text)
        }
        courier.sent(file.byteCount)
        do throws(DeliveryFailure) {
            try await sessions.add(answer, id: upload.id, of: upload.session, question: question, object: path)
        } catch {
            // What may pass by itself leaves the object for the next attempt.
            guard error.kind == .refused else { throw error }
            throw try await cleanUp(path, after: error, of: upload, courier)
        }
    }

    /// An earlier attempt's object is looked at again: it may have been deleted since.
    private func isStored(
        _ file: UploadFile, at path: String, by note: SupabaseNote
    ) async throws(DeliveryFailure) -> Bool {
        guard let stored = note.stored else { return false }
        switch try await storage.holds(file, at: path) {
        case .same: return true
        case .hidden: return stored == .unseen
        case .other: return false
        }
    }

    /// Deletes an object whose row the project will never take (C6): a recording that no row names is somebody's voice that
    /// nobody answers for, that nobody finds, and that no rule about the row's owner will ever delete. The recording on this
    /// machine stays, and trying again by hand uploads it anew.
    ///
    /// - Returns: why the row was refused, with what became of the object where that is not so.
    /// - Throws: what may pass by itself; the next attempt comes here again.
    private func cleanUp(
        _ path: String, after refusal: DeliveryFailure, of upload: Upload, _ courier: Courier
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
        var result = refusal
        do throws(DeliveryFailure) {
            try await storage.delete(path)
        } catch {
            guard error.kind == .refused else { throw error }
            let message = "\(refusal.message) (and the object could not be deleted: \(error.message))"
            result = DeliveryFailure(refusal.kind, code: refusal.code, message: message, retryAfter: refusal.retryAfter)
        }
        try courier.keep(nil)
        return result
    }
}
