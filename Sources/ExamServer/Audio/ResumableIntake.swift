import ExamStore
import Foundation
import HTTPTypes

/// Uploads that may be broken off and gone on with, on any node: each piece that comes is an object of its own, how far the upload is
/// stands in its row, and the last piece makes all of them the recording of an answer.
///
/// ```
/// piece at 0 ─▶ object tus-<id>-0        ─▶ row: 0 → 6 MiB
/// piece at 6 MiB ─▶ object tus-<id>-6291456 ─▶ all of them: recording ─▶ row: 6 MiB → length ─▶ objects go
/// ```
///
/// A row is at its length only when the recording is there. A node that dies in between leaves an object that the row does not know
/// of: who sends the same piece again finds it done, and who sends another one is told that the upload is further than thought.
struct ResumableIntake: Sendable {
    let services: Services
    let user: UUID

    /// How long an upload may lie: its client may be without a network for a day.
    private static let patience: TimeInterval = 86_400

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

    /// - Throws: `APIProblem`: 404; 410 where its time is over.
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

    /// Takes a piece where the upload stands.
    ///
    /// - Returns: where it stands now.
    /// - Throws: `APIProblem`: 409 where it stands elsewhere; as `RecordingIntake`, for the last piece.
    func add(_ piece: ReceivedFile, to upload: ResumableUpload) async throws(APIProblem) -> Int {
        let key = AudioKey(upload.key)!
        // All at once: nothing has to be put together.
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
        // An earlier piece of somebody who died was there: what came now was not taken.
        if byteCount != piece.byteCount { throw .elsewhere(next) }
        return next
    }

    /// Gives an upload up; what became a recording stays one.
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
        // Its room was asked for when it was begun.
        do throws(APIProblem) {
            _ = try await RecordingIntake(services).keep(
                whole, as: metadata.answer, of: metadata.session, user: user, metadata.mediaType, instead: nil)
        } catch {
            // The same bytes will be refused again: there is nothing to go on with.
            if error.status == .unsupportedMediaType { try? await end(upload) }
            throw error
        }
        // Where that fails another node has finished it too, with the same bytes.
        _ = try await advance(upload, from: offset, to: whole.byteCount)
        // What cannot be removed now is when the upload's time is over.
        try? await services.audio.remove(AudioKey(upload.key)!)
        return whole.byteCount
    }

    /// Its bytes are not what they should be: it is begun anew.
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

    /// When an upload's time is over, if something of it comes now.
    static var newEnd: String { UTCText(Date(timeIntervalSinceNow: patience)).iso }
}

extension APIProblem {
    /// An upload does not stand where its client thinks.
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
