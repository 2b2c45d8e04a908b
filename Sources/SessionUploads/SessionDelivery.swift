import ExamCore
public import Foundation
import Glibc
public import SessionFolders
public import SystemSupport
public import UploadQueue

/// Puts a session into the queue: its beginning, each answer as soon as it is stored, and its completion.
///
/// ```swift
/// let session = try Session(prepared, in: room, folder: folder) { take in
///     try? SessionDelivery(of: folder, into: queue).add(take)
/// }
/// let result = try await session.run()
/// try SessionDelivery(of: folder, into: queue).complete(result.manifest)
/// ```
///
/// An answer that could not be added because the disk was full is added by `complete`, or by `catchUp` at the next
/// start. The session's file `delivery` names its destinations and its id at each. So `catchUp` finds anything that did
/// not get into the queue, or was lost with it. Every step may be repeated, because ids are derived from the session's
/// own.
public struct SessionDelivery: Sendable {
    /// The facts about the session for the backend.
    public let session: SessionFacts
    private let folder: SessionFolder
    private let queue: DeliveryQueue
    private let withIntroductions: Bool

    /// Marks a session for delivery, and enqueues its beginning. Sessions that were never marked aren't sent.
    ///
    /// - Parameters:
    ///   - folder: the folder of a session that has begun, or that has an `exam.json`.
    ///   - withIntroductions: whether to deliver answers to introductions too. Use it only for a place that shows them
    ///     to the candidate alone, as `oracy-server` does with the exams that it holds. Otherwise they stay in the
    ///     folder.
    /// - Throws: `Problem`: `missing`, `malformed`, `unwritable`.
    public init(
        of folder: SessionFolder, into queue: DeliveryQueue, withIntroductions: Bool = false
    ) throws(Problem) {
        self.folder = folder
        self.queue = queue
        self.withIntroductions = withIntroductions
        let id = try DeliveryMarks.mark(folder, queue.destination)
        let exam = try folder.frozenExam()
        session = SessionFacts(
            id: id, name: folder.name, format: exam.format.id, paper: exam.paper.id,
            startedAt: try folder.readRecord()?.startedAt ?? Self.writtenAt(folder.exam))
        try queue.add([Upload(id: DeliveryID.make("session", of: id), session: session, content: .session)])
    }

    /// Returns the id under which a session is delivered; nil if it isn't to be delivered.
    ///
    /// - Parameter destination: `DeliveryQueue.destination`.
    /// - Throws: `Problem.malformed` if the file contains anything else.
    public static func id(of folder: SessionFolder, at destination: String = "") throws(Problem) -> UUID? {
        try DeliveryMarks(of: folder).id(at: destination)
    }

    /// Enqueues an answer; on disk when it returns. Nothing happens if it is an introduction that stays in the folder.
    ///
    /// - Throws: `Problem`: `missing` or `malformed` if the recording is missing or has changed; `unwritable`. The take
    ///   stays in its place, and `catchUp` tries again.
    public func add(_ take: StoredTake) throws(Problem) {
        if delivered([take]).isEmpty { return }
        let id = DeliveryID.make("part\(take.part)_q\(take.order)_a\(take.attempt)", of: session.id)
        // Sealing a file reads all of it, which a known upload doesn't need.
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

    private func delivered(_ takes: [StoredTake]) -> [StoredTake] { withIntroductions ? takes : takes.assessed }

    /// Enqueues the completion of an exam. Does nothing if the exam is not over, since it may be continued.
    ///
    /// - Throws: The errors of `add`, after it has enqueued every answer that it can.
    public func complete(_ manifest: Manifest) throws(Problem) {
        var problem: Problem?
        for take in manifest.takes {
            do throws(Problem) { try add(take) } catch { problem = problem ?? error }
        }
        if let outcome = manifest.outcome {
            let facts = CompletionFacts(
                completedAt: Self.writtenAt(folder.manifest), outcome: outcome.rawValue,
                // A question that was asked again has one answer.
                answers: Set(delivered(manifest.takes).map { [$0.part, $0.order] }).count)
            try queue.add([
                Upload(id: DeliveryID.make("completion", of: session.id), session: session, content: .completion(facts))
            ])
        }
        if let problem { throw problem }
    }

    /// Returns the file's time, which stays the same, because a repeated upload must equal the first.
    private static func writtenAt(_ path: String) -> String {
        var status = stat()
        guard stat(path, &status) == 0 else { return WallTime.now.utc }
        return WallTime(secondsSince1970: status.st_mtim.tv_sec).utc
    }

    /// Enqueues everything of a shelf's marked sessions that isn't in the queue, after a full disk, a kill or a lost
    /// journal.
    ///
    /// If a session can be resumed, only its stored answers are enqueued. A session in use is left to the program that
    /// holds it.
    ///
    /// - Returns: The problems with sessions, one sentence each.
    public static func catchUp(_ shelf: SessionShelf, into queue: DeliveryQueue) -> [Problem] {
        var problems: [Problem] = []
        // A session's summary reads its whole log, so it is made only for marked sessions.
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
