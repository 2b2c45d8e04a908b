import Backends
import ExamKit
import FoundationEssentials
import SessionUploads
import Synchronization
import UploadQueue

/// The answers of an exam on their way while it is held. The exam never waits for it, and nothing here can end an exam.
final class LiveDelivery: Sendable {
    private let queue: DeliveryQueue
    private let uploader: any Uploader
    private let destination: Destination
    var place: String { destination.place }
    private let state = Mutex<(delivery: SessionDelivery?, sending: Task<Void, Never>?, problem: Problem?)>(
        (nil, nil, nil))

    /// How long is waited at the end of an exam for what is still on its way (C8).
    private let lastWait: Duration

    /// - Returns: nil if no destination was chosen.
    /// - Throws: `Problem`: `occupied` where so much waits, or the disk is so full, that no exam should begin; `malformed` where the
    ///   destination cannot be used.
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

    /// Begins to deliver a session whose `exam.json` is there, and to send whatever waits.
    ///
    /// - Parameter isNew: a session that was held before is delivered only if it was meant to be then.
    func begin(_ folder: SessionFolder, isNew: Bool) {
        guarded { () throws(Problem) in
            let isMeant = try SessionDelivery.id(of: folder, at: queue.destination) != nil
            guard isNew || isMeant else { return }
            let delivery = try SessionDelivery(of: folder, into: queue)
            state.withLock { $0.delivery = delivery }
        }
        let sending = Task { [queue, uploader] in
            while !Task.isCancelled {
                // Another program sends, or the disk is full: neither lasts for ever.
                _ = try? await queue.send(through: uploader, until: .cancelled)
                try? await Task.sleep(for: .seconds(5))
            }
        }
        state.withLock { $0.sending = sending }
    }

    /// An answer is stored: on the encoder's thread.
    @Sendable func add(_ take: StoredTake) {
        guarded { () throws(Problem) in try state.withLock { $0.delivery }?.add(take) }
    }

    /// The exam is over, or was left: waits a little for what is on its way.
    ///
    /// - Parameter manifest: nil where the exam could not be ended as it should.
    /// - Returns: how it stands with this session; nil where it is not to be delivered.
    func finish(_ manifest: Manifest?, _ report: @escaping @Sendable (SendingProgress) -> Void) async -> End? {
        let (delivery, sending) = state.withLock { ($0.delivery, $0.sending) }
        if let manifest { guarded { () throws(Problem) in try delivery?.complete(manifest) } }
        sending?.cancel()
        await sending?.value
        guard let delivery else { return nil }
        let sent = try? await queue.send(through: uploader, until: .atRest, deadline: lastWait, report: report)
        let problem = state.withLock { $0.problem }.map { "; \($0.sentence)" } ?? ""
        // nil: the journal cannot be read, so nobody knows.
        let left = try? queue.entries().filter(\.isLeft)
        let isLeft = left.map { $0.contains { $0.upload?.session.id == delivery.session.id } } ?? true
        let count = left?.count ?? 0
        return End(
            sent: sent,
            line: count == 0
                ? "uploads  everything has arrived at \(place)\(problem)"
                : "uploads  \(count.of("upload")) still to go to \(place): oracy uploads watch\(problem)",
            arrived: isLeft ? nil : (delivery.session.id, destination))
    }

    /// How a session's delivery stands when its exam is over.
    struct End {
        /// What was sent after the exam; nil where another program sends.
        var sent: SendingProgress?
        /// For the summary.
        var line: String
        /// The session's id there and where that is, once all of it has arrived.
        var arrived: (session: UUID, at: Destination)?
    }

    /// What goes wrong is said at the end: the answers are on disk, and the next start finds them.
    private func guarded(_ body: () throws(Problem) -> Void) {
        do throws(Problem) {
            try body()
        } catch {
            state.withLock { $0.problem = $0.problem ?? error }
        }
    }
}
