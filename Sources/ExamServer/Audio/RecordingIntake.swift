import AudioFiles
import BackendAPI
public import ExamNode
import ExamStore
public import Foundation
import HTTPTypes
public import Hummingbird
import RecordingStores

/// Turns received bytes into the recording of an answer, for every way of uploading.
///
/// It stores the object first and then its row, because a row states that the bytes exist. If a node dies in between,
/// the same bytes find the object's key again.
public struct RecordingIntake: Sendable {
    private let services: Services

    /// Creates the intake for these services. It can handle any number of uploads at the same time.
    public init(_ services: Services) {
        self.services = services
    }

    /// Handles `PUT /v1/sessions/{session}/answers/{answer}/recording`, as `BackendRoutes` sends it.
    ///
    /// - Returns: 201, or 204 if these bytes were already stored, with the stored bytes' `Repr-Digest`.
    /// - Throws: `APIProblem`: 400, 409 (`parent-missing`, or other bytes are stored, with their `Repr-Digest`), 413,
    ///   415 (not audio, or audio that cannot be decoded here), 422 if the bytes differ from those announced, 429, 503.
    public func put(
        _ request: Request, user: UUID, session: UUID, answer: UUID
    ) async throws(APIProblem) -> Response {
        guard let field = request.headers[.reprDigest], let announced = ReprDigest(field: field) else {
            throw .malformed("Repr-Digest: sha-256=:…: is missing or cannot be read.")
        }
        guard let mediaType = request.headers[.contentType].flatMap({ AudioMediaType($0) }) else { throw .notSound }
        try await admit(answer, of: session, user: user)
        let length = request.headers[.contentLength].flatMap { Int($0) }
        let key = AudioKey(recording: answer, of: session, user: user, sha256: announced.sha256)
        // A repetition takes no room of its own.
        var room: UUID?
        if try await recording(answer, of: user) == nil {
            room = try await reserve(length ?? services.settings.limits.recordingBytes, for: key, of: session, user)
        }
        do throws(APIProblem) {
            let file = try await ReceivedFile.take(
                request.body, limit: services.settings.limits.recordingBytes, folder: services.settings.uploadFolder)
            guard file.isWhole else { throw .malformed("The connection broke before the end of the body.") }
            guard ReprDigest(sha256: file.sha256) == announced else { throw .otherBytes }
            let (written, _) = try await keep(file, as: answer, of: session, user: user, mediaType, instead: room)
            // Another request was first, with the same bytes.
            if written != .created, let room { _ = try? await services.owned(by: user).delete(upload: room) }
            return Response(
                status: written == .created ? .created : .noContent, headers: [.reprDigest: announced.field])
        } catch {
            if let room { _ = try? await services.owned(by: user).delete(upload: room) }
            throw error
        }
    }

    /// Seconds for which room is reserved for an arriving body.
    private static let patience: TimeInterval = 3_600

    /// Reserves the room for a recording before its bytes arrive.
    ///
    /// The row contains the future key of the bytes. If this process dies after storing the bytes and before storing
    /// their own row, the sweeper finds them by this key.
    ///
    /// - Returns: the id of the row that reserves the room.
    /// - Throws: `APIProblem`: 413, 429, `parent-missing`.
    private func reserve(
        _ byteCount: Int, for key: AudioKey, of session: UUID, _ user: UUID
    ) async throws(APIProblem) -> UUID {
        try await Quota(of: user, services).admit(recording: byteCount)
        let upload = ResumableUpload(
            id: UUID(), session: session, length: byteCount, metadata: "", key: key.text,
            expiresAt: UTCText(Date(timeIntervalSinceNow: Self.patience)).iso)
        let made = try await services.rows(of: user) { store throws(StoreError) in
            try await store.create(upload, within: services.settings.limits.forRecordings)
        }
        guard made == .created else { throw .parentMissing("session") }
        return upload.id
    }

    /// Makes received bytes the recording of an answer.
    ///
    /// It refuses a recording that can never be decoded here, because its learner would wait for measurements in vain.
    ///
    /// - Parameter room: the row that reserves the room for them, which this call removes. Nil if that row stays for a
    ///   while, as it does for an upload in pieces or to a signed address.
    /// - Returns: `created` or `same`.
    /// - Throws: the same `APIProblem`s as `put`.
    func keep(
        _ file: ReceivedFile, as answer: UUID, of session: UUID, user: UUID, _ mediaType: AudioMediaType,
        instead room: UUID?
    ) async throws(APIProblem) -> (written: UpsertResult, recording: Recording) {
        if let there = try await recording(answer, of: user) {
            guard there.session == session, there.sha256 == file.sha256 else { throw .alreadyThere(there) }
            return (.same, there)
        }
        try await admit(file, mediaType)
        let key = AudioKey(recording: answer, of: session, user: user, sha256: file.sha256)
        let recording = Recording(
            id: answer, session: session, key: key.text, byteCount: file.byteCount, sha256: file.sha256,
            mediaType: mediaType.text)
        try await services.objects { audio throws(AudioStoreError) in
            try await file.put(into: audio, as: key, mediaType: mediaType.text)
        }
        let written: UpsertResult?
        do throws(StoreError) {
            let allowance = room == nil ? Allowance.any : services.settings.limits.forRecordings
            written = try await services.owned(by: user).put(recording, within: allowance, instead: room)
        } catch {
            switch error.kind {
            case .conflict: written = nil
            // There is no room, or the exam was sealed meanwhile: no row refers to the received bytes.
            case .full, .sealed, .heldHere:
                try? await services.audio.delete(key)
                throw APIProblem(error)
            default: throw APIProblem(error)
            }
        }
        switch written {
        case .created, .same, .changed: return (written!, recording)
        case .refused, .parentMissing, nil:
            // No row refers to this object, because its key contains its digest.
            try? await services.audio.delete(key)
            if written == .parentMissing { throw .parentMissing("session") }
            if let there = try await self.recording(answer, of: user) { throw .alreadyThere(there) }
            throw .missing("answer")
        }
    }

    /// Refuses a recording that can never be decoded here, judging by its first bytes.
    ///
    /// - Throws: `APIProblem`, 415, if this server lacks the program that decodes the recording.
    func admit(_ file: ReceivedFile, _ mediaType: AudioMediaType) async throws(APIProblem) {
        let (name, folders) = ("recording" + mediaType.suffix, services.settings.decoderFolders)
        let obstacle = await file.read { SoundFileReader.obstacle(toReading: $0, named: name, programs: folders) }
        if let obstacle { throw .needsConversion(obstacle) }
    }

    func recording(_ answer: UUID, of user: UUID) async throws(APIProblem) -> Recording? {
        try await services.rows(of: user) { store throws(StoreError) in try await store.recording(answer) }
    }

    /// Refuses a new recording before any of it is read. A recording that is already stored may be sent again.
    ///
    /// - Throws: `parent-missing` if this user has no such session; `sealed`, `held-here`.
    func admit(_ answer: UUID, of session: UUID, user: UUID) async throws(APIProblem) {
        let found = try await services.rows(of: user) { store throws(StoreError) in try await store.session(session) }
        guard let found else { throw .parentMissing("session") }
        guard let refusal = found.refusal else { return }
        if try await recording(answer, of: user)?.session != session { throw refusal }
    }
}

extension TestSession {
    /// The reason why its client may no longer add to it; nil if it may.
    var refusal: APIProblem? {
        if seal != nil { return .sealed }
        return held == .server ? .heldHere : nil
    }
}

extension APIProblem {
    static let notSound = APIProblem(
        .unsupportedMediaType, "not-a-recording", "Not a recording", "The Content-Type is not an audio type."
    )

    /// Returns the error for a recording that this server cannot decode.
    ///
    /// - Parameter obstacle: a sentence without its subject. It includes advice to the user.
    static func needsConversion(_ obstacle: String) -> APIProblem {
        APIProblem(
            .unsupportedMediaType, "needs-conversion", "Cannot be decoded here", "The recording \(obstacle).")
    }

    /// Returns the error for an answer with other stored bytes, with their digest.
    static func alreadyThere(_ recording: Recording) -> APIProblem {
        var problem = APIProblem(
            .conflict, "already-there", "Already recorded",
            "This answer already has a recording, which is never replaced.")
        problem.headers[.reprDigest] = ReprDigest(sha256: recording.sha256)?.field
        return problem
    }
}

extension HTTPField.Name {
    /// RFC 9530.
    static let reprDigest = HTTPField.Name("Repr-Digest")!
}
