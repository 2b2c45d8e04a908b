public import ExamKit
public import Foundation
import Glibc
public import UploadQueue

/// A session's way into the queue: its beginning, each answer as soon as it is stored, and that it is complete.
///
/// ```swift
/// let session = try Session(prepared, in: room, folder: folder) { take in
///     try? SessionDelivery(of: folder, into: queue).add(take)
/// }
/// let result = try await session.run()
/// try SessionDelivery(of: folder, into: queue).complete(result.manifest)
/// ```
///
/// An answer that could not be added for want of disk is added by `complete`, or by `catchUp` at the next start.
/// The folder says where it is to be delivered, and under which id (`delivery`); so whatever did not get into the queue, or got
/// lost with it, is found again by `catchUp`. All of it may be repeated: ids are made from the folder's own.
public struct SessionDelivery: Sendable {
    /// What the backend is told of the session.
    public let session: SessionFacts
    private let folder: SessionFolder
    private let queue: DeliveryQueue

    /// Marks a session as one to be delivered, and enqueues that it began; nothing is sent of one that was never marked.
    ///
    /// - Parameter folder: of a session that has begun, or whose `exam.json` is there.
    /// - Throws: `Problem`: `missing`, `malformed`, `unwritable`.
    public init(of folder: SessionFolder, into queue: DeliveryQueue) throws(Problem) {
        self.folder = folder
        self.queue = queue
        let id = try DeliveryMarks.mark(folder, queue.destination)
        let exam = try folder.frozenExam()
        session = SessionFacts(
            id: id, name: folder.name, format: exam.format.id, paper: exam.paper.id,
            startedAt: try folder.readRecord()?.startedAt ?? Self.writtenAt(folder.exam))
        try queue.add([Upload(id: DeliveryID.make("session", of: id), session: session, content: .session)])
    }

    /// The id under which a session is delivered; nil where it is not to be.
    ///
    /// - Parameter destination: `DeliveryQueue.destination`.
    /// - Throws: `Problem.malformed` where the file holds anything else.
    public static func id(of folder: SessionFolder, at destination: String = "") throws(Problem) -> UUID? {
        try DeliveryMarks(of: folder).id(at: destination)
    }

    /// Enqueues an answer; on disk when it returns.
    ///
    /// - Throws: `Problem`: `missing` or `malformed` where the recording is gone or not what was stored; `unwritable`. The take stays
    ///   where it is, and `catchUp` tries again.
    public func add(_ take: StoredTake) throws(Problem) {
        let id = DeliveryID.make("part\(take.part)_q\(take.order)_a\(take.attempt)", of: session.id)
        // To seal a file costs a look at all of it: not for what is known.
        if try queue.knows(id) { return }
        let path = "\(folder.path)/\(take.file)"
        let file = try UploadFile(finalizing: path, mediaType: take.file.hasSuffix(".opus") ? "audio/ogg" : "audio/wav")
        guard take.sha256.isEmpty || file.sha256 == take.sha256 else {
            throw Problem(
                .malformed,
                "\(path): changed since it was recorded (its checksum is not the manifest's); it is not sent")
        }
        try queue.add([Upload(id: id, session: session, content: .answer(take.record, file))])
    }

    /// Enqueues that the exam is over; nothing happens where it is not, since it may be gone on with.
    ///
    /// - Throws: as `add`; every answer that can be is enqueued first.
    public func complete(_ manifest: Manifest) throws(Problem) {
        var problem: Problem?
        for take in manifest.takes {
            do throws(Problem) { try add(take) } catch { problem = problem ?? error }
        }
        if let outcome = manifest.outcome {
            let facts = CompletionFacts(
                completedAt: Self.writtenAt(folder.manifest), outcome: outcome.rawValue,
                // A question that was asked again has one answer.
                answers: Set(manifest.takes.map { [$0.part, $0.order] }).count)
            try queue.add([
                Upload(id: DeliveryID.make("completion", of: session.id), session: session, content: .completion(facts))
            ])
        }
        if let problem { throw problem }
    }

    /// The same whenever it is asked: what is enqueued again must be what was enqueued.
    private static func writtenAt(_ path: String) -> String {
        var status = stat()
        guard stat(path, &status) == 0 else { return WallTime.now.utc }
        return WallTime(secondsSince1970: status.st_mtim.tv_sec).utc
    }

    /// Enqueues whatever of the marked sessions on a shelf is not in the queue: after a full disk, a kill, a lost journal.
    ///
    /// Of a session that can still be gone on with, the answers that are stored by now; one that is held by a program is that
    /// program's business.
    ///
    /// - Returns: what kept sessions from it, one sentence each.
    public static func catchUp(_ shelf: SessionShelf, into queue: DeliveryQueue) -> [Problem] {
        var problems: [Problem] = []
        // A look at a session reads its whole log: only where there is reason to.
        for folder in shelf.folders() where access(folder.delivery, F_OK) == 0 {
            do throws(Problem) {
                guard try id(of: folder, at: queue.destination) != nil else { continue }
                let summary = SessionSummary(folder)
                switch summary.state {
                case .inUse: continue
                case .over, .broken:
                    guard let manifest = try folder.readManifest() else { continue }
                    try SessionDelivery(of: folder, into: queue).complete(manifest)
                case .resumable:
                    let delivery = try SessionDelivery(of: folder, into: queue)
                    for take in summary.takes where take.file.hasSuffix(".opus") { try delivery.add(take) }
                }
            } catch {
                problems.append(error)
            }
        }
        return problems
    }
}
