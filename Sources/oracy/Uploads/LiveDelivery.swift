import Backends
import FoundationEssentials
import SessionFolders
import SessionUploads
import Synchronization
import SystemSupport
import UploadQueue

/// Delivers the answers of an exam while it is held. The exam never waits for it, and no failure here can end an exam.
final class LiveDelivery: Sendable {
    private let queue: DeliveryQueue
    private let uploader: any Uploader
    private let destination: Destination
    var place: String { destination.place }
    private let state = Mutex<(delivery: SessionDelivery?, sending: Task<Void, Never>?, problem: Problem?)>(
        (nil, nil, nil))

    /// The time to wait at the end of an exam for answers that are still being sent.
    private let lastWait: Duration

    /// - Returns: nil if no destination was chosen.
    /// - Throws: `Problem`: `occupied` if too much is waiting, or the disk is too full, to begin an exam; `malformed`
    ///   if the destination is unusable.
    static func prepare(home: UploadsHome = UploadsHome()) throws(Problem) -> LiveDelivery? {
        guard let destination = try home.destination() else { return nil }
        let queue = try home.completeQueue()
        try queue.admitSession()
        return LiveDelivery(queue: queue, uploader: try home.uploader(to: destination), to: destination)
    }

    init(
        queue: DeliveryQueue, uploader: any Uploader, to destination: Destination, lastWait: Duration = .seconds(30)
    ) {
        self.lastWait = lastWait
        self.queue = queue
        self.uploader = uploader
        self.destination = destination
    }

    /// Begins to deliver a session whose `exam.json` exists, and to send all waiting uploads.
    ///
    /// - Parameters:
    ///   - isNew: Whether the session is new. An earlier session is delivered only if that was chosen at the time.
    ///   - report: Called with the progress a few times a second, on any thread.
    func begin(
        _ folder: SessionFolder, isNew: Bool, _ report: @escaping @Sendable (SendingProgress) -> Void = { _ in }
    ) {
        guarded { () throws(Problem) in
            let isMeant = try SessionDelivery.id(of: folder, at: queue.destination) != nil
            guard isNew || isMeant else { return }
            let delivery = try SessionDelivery(of: folder, into: queue)
            state.withLock { $0.delivery = delivery }
        }
        let sending = Task { [queue, uploader] in
            while !Task.isCancelled {
                // Another program is sending, or the disk is full. Both will pass.
                _ = try? await queue.send(through: uploader, until: .cancelled, report: report)
                try? await Task.sleep(for: .seconds(5))
            }
        }
        state.withLock { $0.sending = sending }
    }

    /// Queues a stored answer. Called on the encoder's thread.
    @Sendable func add(_ take: StoredTake) {
        guarded { () throws(Problem) in try state.withLock { $0.delivery }?.add(take) }
    }

    /// Ends the delivery of an exam that is over or was left before its end. Waits briefly for uploads in progress.
    ///
    /// - Parameter manifest: nil if the exam did not end properly.
    /// - Returns: The state of this session's delivery; nil if it is not to be delivered.
    func finish(_ manifest: Manifest?, _ report: @escaping @Sendable (SendingProgress) -> Void) async -> End? {
        let (delivery, sending) = state.withLock { ($0.delivery, $0.sending) }
        if let manifest { guarded { () throws(Problem) in try delivery?.complete(manifest) } }
        sending?.cancel()
        await sending?.value
        guard let delivery else { return nil }
        let sent = try? await queue.send(through: uploader, until: .atRest, deadline: lastWait, report: report)
        let problem = state.withLock { $0.problem }.map { "; \($0.sentence)" } ?? ""
        // nil if the journal cannot be read, so that the state is unknown.
        let left = try? queue.entries().filter(\.isLeft)
        let isLeft = left.map { $0.contains { $0.upload?.session.id == delivery.session.id } } ?? true
        let count = left?.count ?? 0
        return End(
            sent: sent,
            line: count == 0
                ? "uploads  everything has arrived at \(place)\(problem)"
                : "uploads  \(count.of("upload")) still waiting for \(place); to send: oracy uploads watch\(problem)",
            arrived: isLeft ? nil : (delivery.session.id, destination))
    }

    /// The state of a session's delivery at the end of its exam.
    struct End {
        /// The uploads sent after the exam; nil if another program is sending.
        var sent: SendingProgress?
        /// The line for the summary.
        var line: String
        /// The session's id at the destination, once all of it has arrived.
        var arrived: (session: UUID, at: Destination)?
    }

    /// Collects a problem for the end of the exam. The answers are on disk, and the next start finds them.
    private func guarded(_ body: () throws(Problem) -> Void) {
        do throws(Problem) {
            try body()
        } catch {
            state.withLock { $0.problem = $0.problem ?? error }
        }
    }
}
