import ExamCore
import ExamStore
import Foundation
import RecordingStores
import SessionFolders
import UploadQueue

/// Delivers the answers of this node's exams: sound to the audio store, rows to the database.
///
/// It does so only while the session belongs to this node. Another node that continued it has asked again for the
/// answers that were not stored.
struct StoreUploader: Uploader {
    let services: Services
    let leases: ExamLeases
    /// Called with each upload that was stored.
    let arrived: @Sendable (Upload) async -> Void

    var place: String { "the store" }

    func deliver(_ upload: Upload, with courier: Courier) async throws(DeliveryFailure) {
        let session = upload.session.id
        do {
            guard let owner = try await service.owner(of: session) else {
                throw DeliveryFailure(.refused, message: "the session was erased")
            }
            try await leases.during(session) { try await write(upload, services.owned(by: owner).heldHere, owner) }
        } catch let failure as DeliveryFailure {
            throw failure
        } catch let error as StoreError {
            throw Self.failure(error)
        } catch let error as AudioStoreError {
            throw DeliveryFailure(error.kind == .unavailable ? .transient : .refused, message: error.message)
        } catch {
            throw DeliveryFailure(.transient, message: "\(type(of: error))")
        }
        await arrived(upload)
    }

    private var service: ServiceStore { services.store.service }

    private func write(_ upload: Upload, _ owned: OwnedStore, _ owner: UUID) async throws {
        let session = upload.session
        switch upload.content {
        // The session's row existed before the exam began, and an exam has no quiz.
        case .session, .submission: break
        case .answer(let record, let file):
            // The answer was stored earlier and reported to the clients as stored. It stays, even if the question was
            // asked again elsewhere.
            if try await owned.response(upload.id) != nil { return }
            // A recording of this question from a node that died before it wrote the rows has another key. The rows are
            // written together, because a recording without its answer would block this one.
            let key = AudioKey(recording: upload.id, of: session.id, user: owner, sha256: file.sha256)
            try await services.audio.put(file.path, as: key, sha256: file.sha256, mediaType: file.mediaType)
            try Self.check(
                await owned.put(
                    TestResponse(
                        id: upload.id, session: session.id, record: record,
                        path: record.objectPath(session: session.id, suffix: file.suffix), byteCount: file.byteCount,
                        sha256: file.sha256, mediaType: file.mediaType),
                    recording: Recording(
                        id: upload.id, session: session.id, key: key.text, byteCount: file.byteCount,
                        sha256: file.sha256, mediaType: file.mediaType)))
        case .completion(let facts):
            // The seal covers the log, so store the whole log first. Then the sealing node need not wait for this one.
            try await shipLog(of: session.id, owned)
            try Self.check(
                await owned.complete(
                    session.id,
                    Completion(
                        id: upload.id, completedAt: facts.completedAt, outcome: facts.outcome, answers: facts.answers)))
            await services.seal(session.id)
        }
    }

    /// Stores the lines of the log that the store doesn't have yet, as far as their answers are stored.
    private func shipLog(of session: UUID, _ owned: OwnedStore) async throws {
        guard let folder = try? SessionFolder.open(at: SessionRestore.path(of: session, in: services.settings)) else {
            return
        }
        let log = LogShipping(
            folder, session: session, node: leases.node, store: service, shipped: try await service.lines(of: session),
            stored: Set(try await owned.responses(of: session).map(\.record.name)))
        try await log.ship()
    }

    private static func check(_ written: UpsertResult) throws(DeliveryFailure) {
        switch written {
        case .created, .same, .changed: break
        case .refused: throw DeliveryFailure(.refused, message: "the id is another user's")
        case .parentMissing: throw DeliveryFailure(.parentMissing, message: "the session is not there")
        }
    }

    private static func failure(_ error: StoreError) -> DeliveryFailure {
        switch error.kind {
        case .unavailable, .unusable, .refused, .full: DeliveryFailure(.transient, message: error.message)
        case .conflict, .invalid, .sealed, .heldHere: DeliveryFailure(.refused, message: error.message)
        }
    }
}
