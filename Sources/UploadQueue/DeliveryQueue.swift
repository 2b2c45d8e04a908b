public import Foundation
import Glibc
import Synchronization
public import SystemSupport

/// Answers on their way to a backend: what was added is on disk, and arrives.
///
/// ```swift
/// let queue = try DeliveryQueue(folder: "/var/lib/exams/uploads")
/// try SessionDelivery(of: folder, into: queue).complete(result.manifest)  // On disk when it returns.
/// try FolderUploader.setUp("/srv/answers")                                // Once, when somebody chooses it.
/// try await queue.send(through: FolderUploader(folder: "/srv/answers"), until: .atRest)
/// ```
///
/// Its promise: at least once, with ids made here and writes that can be repeated, so that the effect is there once; no order but
/// the one a backend needs; nothing is given up, and no file removed, before the backend has confirmed it. Any thread may call
/// any of it; several processes may have the same folder open.
public final class DeliveryQueue: Sendable {
    /// Where journal and sealed recordings lie; for their owner only.
    public let folder: String
    /// Where its uploads go, by a name: a session that goes to two destinations is another delivery, with other ids, at each.
    public let destination: String
    /// What became of a journal that was damaged; nil where it was whole.
    public let recovery: JournalRecovery?
    let journal: Journal
    private let senders = Mutex<[Int: (tell: @Sendable ([Delivery.Item]) -> Void, lookAgain: @Sendable () -> Void)]>([:]
    )

    /// Opens the queue in a folder, made if need be, for its owner only. A damaged journal is kept aside, and what can be read of it
    /// is taken over.
    ///
    /// What arrived at one destination says nothing about another: each has a queue of its own, and so has each account.
    ///
    /// - Parameter destination: letters, digits and `-` (`Destination.name`); empty where there is only ever one.
    /// - Throws: `Problem`: `malformed` where a newer version wrote it; `occupied` where it is damaged and in use; `unwritable`.
    public init(folder: String, destination: String = "") throws(Problem) {
        self.folder = folder
        self.destination = destination
        (journal, recovery) = try DamagedJournal.open(folder)
    }

    // MARK: Adding

    /// Adds uploads, all or none. Those that were added before, by their ids, stay as they are.
    ///
    /// - Returns: how many are new. When it returns they are on disk, and survive a kill and a power cut.
    /// - Throws: `Problem.unwritable`: none was added.
    @discardableResult
    public func add(_ uploads: [Upload]) throws(Problem) -> Int {
        let items = try journal.add(uploads)
        for sender in senders.withLock({ Array($0.values) }) { sender.tell(items) }
        return items.count
    }

    /// Whether there is room for another session's answers (P5): asked before an exam begins, so that none ends for want of it.
    ///
    /// - Throws: `Problem.occupied` with what to do about it.
    public func admitSession(within room: QueueRoom = QueueRoom()) throws(Problem) {
        try room.check(waiting: try journal.waitingBytes(), folder: folder)
    }

    // MARK: Looking

    /// All uploads in the order they were added; delivered ones too, until their session is erased.
    public func entries() throws(Problem) -> [UploadEntry] { try journal.entries() }

    /// Whether an upload was ever added, whatever became of it.
    public func knows(_ id: UUID) throws(Problem) -> Bool { try journal.knows(id) }

    /// How many uploads are in which state, by the journal.
    ///
    /// - Throws: `Problem`: `unwritable`, `malformed`.
    public func counts() throws(Problem) -> UploadCounts { try journal.counts() }

    // MARK: By hand

    /// Lets parked uploads go again, as if they were new, and waiting ones at once.
    ///
    /// - Parameter ids: nil for all.
    /// - Returns: how many there were.
    @discardableResult
    public func retry(_ ids: [UUID]? = nil) throws(Problem) -> Int {
        defer { lookAgain() }
        return try journal.retry(ids)
    }

    /// Lets what waits go at once, whichever process sends: something has changed for the better, somebody signed in say.
    public func wake() throws(Problem) {
        defer { lookAgain() }
        try journal.wake()
    }

    /// Gives uploads up, for good: they are not sent, and not enqueued again. Their recordings stay where they are.
    @discardableResult
    public func drop(_ ids: [UUID]) throws(Problem) -> Int {
        defer { lookAgain() }
        return try journal.drop(ids)
    }

    /// Forgets a session and all of its uploads, arrived or not; nothing of it is left in the queue's files.
    ///
    /// - Returns: how many uploads there were. What has arrived at a backend stays there.
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

    /// Sends what is there and what comes, until the goal is reached or the task is cancelled; an upload on its way is then broken
    /// off, and goes again next time.
    ///
    /// - Parameters:
    ///   - deadline: how long at most.
    ///   - report: told how it goes, after each step and a few times a second, on no particular thread.
    /// - Returns: how things stand at the end.
    /// - Throws: `Problem`: `occupied` where another process sends already; `unwritable`, `malformed`: the journal.
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

/// When sending ends by itself.
public enum SendingGoal: Equatable, Sendable {
    /// When all has arrived, or what is left waits for a person: parked, behind something parked, or for a sign-in.
    case atRest
    /// Never: only when the task is cancelled.
    case cancelled
}

/// What a queue may take of a disk (P5).
public struct QueueRoom: Sendable {
    /// Bytes of recordings that wait: more than a hundred exams.
    public var most = 512 << 20
    /// Bytes that must be free on the disk.
    public var free = 200 << 20

    /// The room that `oracy` itself allows.
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
