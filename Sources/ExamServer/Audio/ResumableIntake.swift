import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import RecordingStores

/// Uploads that can be interrupted and continued on any node. Each piece received is a separate object, the row
/// contains the progress, and the last piece turns all of them into the recording of an answer.
///
/// ```
/// piece at 0 ─▶ object tus-<id>-0        ─▶ row: 0 → 6 MiB
/// piece at 6 MiB ─▶ object tus-<id>-6291456 ─▶ all of them: recording ─▶ row: 6 MiB → length ─▶ objects go
/// ```
///
/// The row reaches the full length only when the recording is stored. If a node dies before updating the row, there is
/// an object that the row does not count. A client that sends the same piece again succeeds, and one that sends a
/// different piece is told the new offset.
struct ResumableIntake: Sendable {
    let services: Services
    let user: UUID

    /// The time for which an unfinished upload is kept, because its client may be offline for a day.
    private static let patience: TimeInterval = 86_400

    /// Begins an upload.
    ///
    /// - Throws: `APIProblem`: `parent-missing`, `already-there`, 413, 429.
    func begin(_ metadata: UploadMetadata, text: String, byteCount: Int) async throws(APIProblem) -> ResumableUpload {
        let intake = RecordingIntake(services)
        try await intake.admit(metadata.answer, of: metadata.session, user: user)
        try await Quota(of: user, services).admit(recording: byteCount)
        if let there = try await intake.recording(metadata.answer, of: user) { throw .alreadyThere(there) }
        let id = UUID()
        let upload = ResumableUpload(
            id: id, session: metadata.session, length: byteCount, metadata: text,
            key: AudioKey(resumable: id, of: metadata.session, user: user).text, expiresAt: Self.newEnd)
        guard
            try await services.rows(
                of: user,
                { store throws(StoreError) in
                    try await store.create(upload, within: services.settings.limits.forRecordings)
                }) == .created
        else {
            throw .parentMissing("session")
        }
        return upload
    }

    /// Finds an upload.
    ///
    /// - Throws: `APIProblem`: 404, or 410 if it has expired.
    func find(_ id: UUID) async throws(APIProblem) -> ResumableUpload {
        guard
            let upload = try await services.rows(
                of: user, { store throws(StoreError) in try await store.resumableUpload(id) }),
            AudioKey(upload.key)?.isResumable == true
        else { throw .missing("upload") }
        guard upload.expiresAt > UTCText(Date()).iso else {
            throw APIProblem(.gone, "upload-expired", "Expired", "This upload has expired. Begin a new one.")
        }
        return upload
    }

    /// Adds a piece at the upload's offset.
    ///
    /// - Returns: the new offset.
    /// - Throws: `APIProblem`: 409 if the offset has changed, and the errors of `RecordingIntake` for the last piece.
    func add(_ piece: ReceivedFile, to upload: ResumableUpload) async throws(APIProblem) -> Int {
        let key = AudioKey(upload.key)!
        // The upload came in one piece, so there is nothing to concatenate.
        if upload.offset == 0, piece.byteCount == upload.length {
            return try await finish(upload, piece, from: 0)
        }
        guard piece.byteCount > 0 else { return upload.offset }
        var byteCount = piece.byteCount
        do throws(AudioStoreError) {
            try await piece.put(
                into: services.audio, as: key.piece(at: upload.offset), mediaType: "application/octet-stream")
        } catch {
            guard error.kind == .differs else { throw APIProblem(error) }
            byteCount = try await services.objects { audio throws(AudioStoreError) in
                try await audio.size(of: key.piece(at: upload.offset)) ?? 0
            }
        }
        let next = upload.offset + byteCount
        if next == upload.length {
            let pieces = try await services.objects { audio throws(AudioStoreError) in try await audio.pieces(of: key) }
            let whole = try await ReceivedFile.take(
                pieces.map(\.key), from: services.audio, limit: next, folder: services.settings.uploadFolder)
            guard whole.byteCount == next else { throw await forget(upload) }
            _ = try await finish(upload, whole, from: upload.offset)
        } else if try await !advance(upload, from: upload.offset, to: next) {
            throw .elsewhere(nil)
        }
        // A piece existed already, from a node that died. The received piece was not used.
        if byteCount != piece.byteCount { throw .elsewhere(next) }
        return next
    }

    /// Ends an upload. A recording made from it stays.
    func end(_ upload: ResumableUpload) async throws(APIProblem) {
        try await services.objects { audio throws(AudioStoreError) in try await audio.remove(AudioKey(upload.key)!) }
        _ = try await services.rows(of: user) { store throws(StoreError) in try await store.delete(upload: upload.id) }
    }

    // MARK: -

    private func finish(
        _ upload: ResumableUpload, _ whole: ReceivedFile, from offset: Int
    ) async throws(APIProblem) -> Int {
        let metadata = try UploadMetadata(upload.metadata)
        guard metadata.sha256 ?? whole.sha256 == whole.sha256 else { throw await forget(upload) }
        // Its space was reserved when it began.
        do throws(APIProblem) {
            _ = try await RecordingIntake(services).keep(
                whole, as: metadata.answer, of: metadata.session, user: user, metadata.mediaType, instead: nil)
        } catch {
            // The same bytes would be refused again, so the upload ends.
            if error.status == .unsupportedMediaType { try? await end(upload) }
            throw error
        }
        // If that fails, another node has also finished it, with the same bytes.
        _ = try await advance(upload, from: offset, to: whole.byteCount)
        // Objects that cannot be removed now are removed when the upload expires.
        try? await services.audio.remove(AudioKey(upload.key)!)
        return whole.byteCount
    }

    /// Ends an upload with wrong bytes. The client must begin again.
    private func forget(_ upload: ResumableUpload) async -> APIProblem {
        try? await end(upload)
        return .otherBytes
    }

    private func advance(
        _ upload: ResumableUpload, from offset: Int, to next: Int
    ) async throws(APIProblem) -> Bool {
        try await services.rows(of: user) { store throws(StoreError) in
            try await store.advance(upload.id, from: offset, to: next, expiresAt: Self.newEnd)
        }
    }

    /// The new expiry time, if a piece arrives now.
    static var newEnd: String { UTCText(Date(timeIntervalSinceNow: patience)).iso }
}

extension APIProblem {
    /// Returns the error for a wrong offset, with the right one.
    static func elsewhere(_ offset: Int?) -> APIProblem {
        var problem = APIProblem(
            .conflict, "other-offset", "Wrong offset", "Ask for the offset with HEAD and continue from there."
        )
        problem.headers[.uploadOffset] = offset.map(String.init)
        return problem
    }
}

extension HTTPField.Name {
    static let uploadOffset = HTTPField.Name("Upload-Offset")!
}
