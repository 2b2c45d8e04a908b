public import Foundation
import Glibc
import Synchronization
public import SystemSupport

/// A durable queue of answers for a backend. Everything that was added is on disk, and will arrive.
///
/// ```swift
/// let queue = try DeliveryQueue(folder: "/var/lib/exams/uploads")
/// try SessionDelivery(of: folder, into: queue).complete(result.manifest)  // On disk when it returns.
/// try FolderUploader.setUp("/srv/answers")                                // Once, when the user chooses it.
/// try await queue.send(through: FolderUploader(folder: "/srv/answers"), until: .atRest)
/// ```
///
/// The queue delivers at least once. Since it makes the ids and every write can be repeated, the effect is that of a
/// single delivery. It keeps only the order that a backend needs. It gives up no upload, and removes no file, before
/// the backend has confirmed it. Call it from any thread. Several processes may have the same folder open.
public final class DeliveryQueue: Sendable {
    /// The folder of the journal and of sealed recordings. Only its owner can read it.
    public let folder: String
    /// The name of its destination. If a session goes to two destinations, these are two deliveries with different ids.
    public let destination: String
    /// The recovery of a damaged journal; nil if the journal was intact.
    public let recovery: JournalRecovery?
    let journal: Journal
    private let senders = Mutex<[Int: (tell: @Sendable ([Delivery.Item]) -> Void, lookAgain: @Sendable () -> Void)]>([:]
    )

    /// Opens the queue in a folder, which is created if necessary, for its owner only. A damaged journal is set aside,
    /// and its readable part is recovered.
    ///
    /// Each destination, and each account there, has its own queue, because what has arrived at one may be missing at
    /// another.
    ///
    /// - Parameter destination: Letters, digits and `-` (`Destination.name`); empty if there is only ever one.
    /// - Throws: `Problem`: `malformed` if a newer version wrote it; `occupied` if it is damaged and in use;
    ///   `unwritable`.
    public init(folder: String, destination: String = "") throws(Problem) {
        self.folder = folder
        self.destination = destination
        (journal, recovery) = try DamagedJournal.open(folder)
    }

    // MARK: Adding

    /// Adds uploads, all or none. An upload whose id is known stays as it is.
    ///
    /// - Returns: The number of new uploads. They are on disk and survive a kill and a power cut.
    /// - Throws: `Problem.unwritable`: none was added.
    @discardableResult
    public func add(_ uploads: [Upload]) throws(Problem) -> Int {
        let items = try journal.add(uploads)
        for sender in senders.withLock({ Array($0.values) }) { sender.tell(items) }
        return items.count
    }

    /// Checks whether there is room for another session's answers. Call it before an exam begins, so that the exam
    /// doesn't end for lack of room.
    ///
    /// - Throws: `Problem.occupied` with advice.
    public func admitSession(within room: QueueRoom = QueueRoom()) throws(Problem) {
        try room.check(waiting: try journal.waitingBytes(), folder: folder)
    }

    // MARK: Reading

    /// Returns all uploads in the order in which they were added. Delivered ones are included until their session is
    /// erased.
    public func entries() throws(Problem) -> [UploadEntry] { try journal.entries() }

    /// Returns whether an upload was ever added, in any state.
    public func knows(_ id: UUID) throws(Problem) -> Bool { try journal.knows(id) }

    /// Returns the number of uploads in each state, according to the journal.
    ///
    /// - Throws: `Problem`: `unwritable`, `malformed`.
    public func counts() throws(Problem) -> UploadCounts { try journal.counts() }

    // MARK: By hand

    /// Sends parked uploads again as if they were new, and waiting ones at once.
    ///
    /// - Parameter ids: nil for all.
    /// - Returns: The number of uploads.
    @discardableResult
    public func retry(_ ids: [UUID]? = nil) throws(Problem) -> Int {
        defer { lookAgain() }
        return try journal.retry(ids)
    }

    /// Sends waiting uploads at once, in the process that is sending, because something has improved: for example, the
    /// user signed in.
    public func wake() throws(Problem) {
        defer { lookAgain() }
        try journal.wake()
    }

    /// Gives uploads up for good. They are neither sent nor enqueued again. Their recordings stay in their places.
    @discardableResult
    public func drop(_ ids: [UUID]) throws(Problem) -> Int {
        defer { lookAgain() }
        return try journal.drop(ids)
    }

    /// Forgets a session and all of its uploads, delivered or not, and leaves no trace of it in the queue's files.
    ///
    /// - Returns: The number of its uploads. Copies that have arrived at a backend stay there.
    @discardableResult
    public func forget(session: UUID) throws(Problem) -> Int {
        defer { lookAgain() }
        return try journal.forget(session: session)
    }

    /// Tells every sender of this process to read the journal again.
    private func lookAgain() {
        for sender in senders.withLock({ Array($0.values) }) { sender.lookAgain() }
    }

    // MARK: Sending

    /// Sends existing and new uploads until the goal is reached or the task is cancelled. An upload in progress is then
    /// interrupted, and sent again next time.
    ///
    /// - Parameters:
    ///   - deadline: The longest time to send.
    ///   - report: Called with the progress after each step and a few times a second, on any thread.
    /// - Returns: The state at the end.
    /// - Throws: `Problem`: `occupied` if another process is sending; `unwritable`, `malformed` for the journal.
    @discardableResult
    public func send(
        through uploader: any Uploader,
        until goal: SendingGoal,
        deadline: Duration? = nil,
        limits: DeliveryLimits = DeliveryLimits(),
        report: @escaping @Sendable (SendingProgress) -> Void = { _ in }
    ) async throws(Problem) -> SendingProgress {
        let lock = try SenderLock(folder: folder)
        defer { withExtendedLifetime(lock) {} }
        try journal.removeLeftovers()
        let sender = Sender(journal: journal, uploader: uploader, limits: limits, report: report)
        let number = senders.withLock { senders in
            let number = (senders.keys.max() ?? 0) + 1
            senders[number] = (sender.tell, sender.lookAgain)
            return number
        }
        defer { senders.withLock { $0[number] = nil } }
        return try await sender.run(until: goal, deadline: deadline.map { SteadyClock.now + $0 })
    }
}

/// The condition under which sending ends by itself.
public enum SendingGoal: Equatable, Sendable {
    /// Everything has arrived, or the rest waits for the user: it is parked, behind a parked upload, or waits for a
    /// sign-in.
    case atRest
    /// Never: sending ends only when the task is cancelled.
    case cancelled
}

/// The room that a queue may use on a disk.
public struct QueueRoom: Sendable {
    /// The limit for the bytes of waiting recordings: more than a hundred exams.
    public var most = 512 << 20
    /// The bytes that must stay free on the disk.
    public var free = 200 << 20

    /// The limits of `oracy`.
    public init() {}

    func check(waiting: Int, folder: String) throws(Problem) {
        guard waiting < most else {
            throw Problem(
                .occupied,
                "\(waiting >> 20) MB of answers wait to be uploaded, \(most >> 20) MB may: send them first (oracy uploads watch)"
            )
        }
        var disk = statvfs()
        guard statvfs(folder, &disk) == 0 else { return }
        let left = Int(disk.f_bavail) * Int(disk.f_frsize)
        guard left >= free else {
            throw Problem(
                .occupied, "\(folder): only \(left >> 20) MB are free; an exam needs \(free >> 20) MB: make room first")
        }
    }
}
