import ExamStore
import Foundation
import UploadQueue

/// Brings the answers of this node's exams to where results are made: sound to the audio store, rows to the store.
///
/// Only while the session is this node's: another one that went on with it has asked again for what had not arrived.
struct StoreUploader: Uploader {
    let exams: LiveExams

    var place: String { "the store" }

    func deliver(_ upload: Upload, with courier: Courier) async throws(DeliveryFailure) {
        let session = upload.session.id
        let isHere = exams.holds(session)
        do {
            guard let owner = try await service.owner(of: session) else {
                throw DeliveryFailure(.refused, words: "the session was erased")
            }
            if !isHere { try await borrow(session) }
            try await write(upload, exams.services.store.owned(by: owner), owner)
            if !isHere && !exams.holds(session) { try await service.releaseLease(session, node: exams.node) }
        } catch let failure as DeliveryFailure {
            throw failure
        } catch let error as StoreError {
            throw Self.failure(error)
        } catch let error as AudioStoreError {
            throw DeliveryFailure(error.kind == .unavailable ? .transient : .refused, words: error.words)
        } catch {
            throw DeliveryFailure(.transient, words: "\(type(of: error))")
        }
        await exams.arrived(upload)
    }

    private var service: ServiceStore { exams.services.store.service }

    /// An exam that was left here, or ended here before this process began.
    private func borrow(_ session: UUID) async throws {
        let lease = try await service.takeLease(
            session, node: exams.node, url: exams.services.settings.nodeURL ?? "", seconds: exams.times.lease.inSeconds)
        if case .heldBy = lease {
            throw DeliveryFailure(.refused, words: "another node has gone on with this session")
        }
    }

    private func write(_ upload: Upload, _ owned: OwnedStore, _ owner: UUID) async throws {
        let session = upload.session
        switch upload.content {
        case .session: break  // Its row was there before the exam began.
        case .answer(let facts, let file):
            // Another recording under this id, of an exam that went on elsewhere, has another key: the rows tell which one counts.
            let key = AudioKey(recording: upload.id, of: session.id, user: owner, sha256: file.sha256)
            try await exams.services.audio.put(file.path, as: key, sha256: file.sha256, mediaType: file.mediaType)
            try Self.check(
                await owned.put(
                    Recording(
                        id: upload.id, session: session.id, key: key.text, byteCount: file.byteCount,
                        sha256: file.sha256, mediaType: file.mediaType)))
            let template = TemplateIDs.template(session.format, session.paper)
            try Self.check(
                await owned.put(
                    TestResponse(
                        id: upload.id, session: session.id, question: facts.question,
                        questionID: TemplateIDs.question(part: facts.part, order: facts.order, of: template),
                        part: facts.part, order: facts.order, attempt: facts.attempt, end: facts.end,
                        duration: facts.duration, speech: facts.speech,
                        path: facts.objectPath(session: session.id, suffix: file.suffix), byteCount: file.byteCount,
                        sha256: file.sha256, mediaType: file.mediaType)))
        case .completion(let facts):
            try Self.check(
                await owned.complete(
                    session.id,
                    Completion(
                        id: upload.id, completedAt: facts.completedAt, outcome: facts.outcome, answers: facts.answers)))
        }
    }

    private static func check(_ written: Written) throws(DeliveryFailure) {
        switch written {
        case .created, .same, .changed: break
        case .refused: throw DeliveryFailure(.refused, words: "the id is another user's")
        case .parentMissing: throw DeliveryFailure(.parentMissing, words: "the session is not there")
        }
    }

    private static func failure(_ error: StoreError) -> DeliveryFailure {
        switch error.kind {
        case .unavailable, .unusable: DeliveryFailure(.transient, words: error.words)
        case .conflict, .invalid: DeliveryFailure(.refused, words: error.words)
        }
    }
}
