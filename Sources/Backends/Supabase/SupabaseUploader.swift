import ExamCore
import Foundation
public import HTTPClient
public import UploadQueue

/// Delivers to a Supabase project: recordings to a bucket, and facts about them to tables.
///
/// - A session is a row of `test_sessions`.
/// - An answer is an object at `AnswerRecord.objectPath`, and then a row of `responses` that names it.
/// - A completion changes the session's row, and then requests the evaluation with a row of `processing_queue`.
///
/// The rows' ids are the uploads' own, so each can be sent again.
public struct SupabaseUploader: Uploader {
    public struct Settings: Equatable, Sendable {
        /// A private bucket. Its rules let users add objects, and preferably also read, replace and delete them.
        public var bucket = "audio-responses"
        /// The limit for recordings in bytes: 10 MB. Larger ones are refused.
        public var largestObject = 10 << 20
        /// In bytes. Larger recordings are sent in pieces that can be resumed, as Supabase advises from 6 MB on.
        public var largestSimpleUpload = 6 << 20
        /// Whether an etag that looks like an MD5 is the MD5 of the object. Set it to false for self-hosted storage
        /// that encrypts with the keys of a key management service.
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
        // The questions of a local exam are in no table, so a row can't refer to them.
        let question = upload.session.template.flatMap { _ in UUID(uuidString: answer.question) }
        let path = answer.objectPath(session: upload.session.id, suffix: file.suffix)
        var note = SupabaseNote(courier.note, place: "\(calls.project.url) \(settings.bucket)/\(path)")
        // An earlier attempt got as far as the row, with an unknown outcome.
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
            // After a failure that may pass by itself, the object stays for the next attempt.
            guard error.kind == .refused else { throw error }
            throw try await cleanUp(path, after: error, of: upload, mayHaveRow: mayHaveRow, note, courier)
        }
        await tidy(after: added, path)
        await sessions.count(courier.arrived() + 1, of: upload.session)
    }

    /// Deletes objects to which no row refers any more. Failures are ignored, since the answer has arrived.
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

    /// Checks an earlier attempt's object again, because it may have been deleted since.
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

    /// Deletes an object whose row the project refuses for good, unless another row may refer to it. Otherwise a
    /// recording of a person's voice would remain in the bucket without an owner: no row leads to it, and no rule about
    /// a row's owner ever deletes it. The recording on this machine stays, and a retry by hand uploads it again.
    ///
    /// - Returns: The refusal of the row. It says what happened to the object if that could not be deleted.
    /// - Throws: Failures that may pass by themselves. The next attempt then comes here again.
    private func cleanUp(
        _ path: String, after refusal: DeliveryFailure, of upload: Upload, mayHaveRow: Bool, _ note: SupabaseNote,
        _ courier: Courier
    ) async throws(DeliveryFailure) -> DeliveryFailure {
        // An earlier attempt may have added the row under other rules. That row then needs its object.
        let hasRow: Bool
        do throws(DeliveryFailure) {
            hasRow = try await sessions.has(answer: upload.id)
        } catch {
            guard error.kind == .refused else { throw error }
            hasRow = false
        }
        if hasRow { return refusal }
        if mayHaveRow {
            let message = "\(refusal.message) (its object was kept, because an unreadable row may name it)"
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
