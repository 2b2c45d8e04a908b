import Backends
import ExamKit
import SessionUploads
import Synchronization
import UploadQueue

/// The answers of an exam on their way while it is held. The exam never waits for it, and nothing here can end an exam.
final class LiveDelivery: Sendable {
    private let queue: DeliveryQueue
    private let uploader: any Uploader
    let place: String
    private let state = Mutex<(delivery: SessionDelivery?, sending: Task<Void, Never>?, problem: Problem?)>(
        (nil, nil, nil))

    /// How long is waited at the end of an exam for what is still on its way (C8).
    private static let lastWait = Duration.seconds(30)

    /// - Returns: nil if no destination was chosen.
    /// - Throws: `Problem`: `occupied` where so much waits, or the disk is so full, that no exam should begin; `malformed` where the
    ///   destination cannot be used.
    static func prepare(home: UploadsHome = UploadsHome()) throws(Problem) -> LiveDelivery? {
        guard let destination = try home.destination() else { return nil }
        let queue = try home.completeQueue()
        try queue.admitSession()
        return LiveDelivery(queue: queue, uploader: try home.uploader(to: destination), place: destination.place)
    }

    init(queue: DeliveryQueue, uploader: any Uploader, place: String) {
        self.queue = queue
        self.uploader = uploader
        self.place = place
    }

    /// Begins to deliver a session whose `exam.json` is there, and to send whatever waits.
    ///
    /// - Parameter isNew: a session that was held before is delivered only if it was meant to be then.
    func begin(_ folder: SessionFolder, isNew: Bool) {
        guarded { () throws(Problem) in
            let isMeant = try SessionDelivery.id(of: folder) != nil
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
    /// - Returns: a line for the summary; nil where this session is not to be delivered.
    func finish(_ manifest: Manifest?, _ report: @escaping @Sendable (SendingProgress) -> Void) async -> String? {
        let (delivery, sending) = state.withLock { ($0.delivery, $0.sending) }
        if let manifest { guarded { () throws(Problem) in try delivery?.complete(manifest) } }
        sending?.cancel()
        await sending?.value
        guard delivery != nil else { return nil }
        _ = try? await queue.send(through: uploader, until: .atRest, deadline: Self.lastWait, report: report)
        let problem = state.withLock { $0.problem }.map { "; \($0.sentence)" } ?? ""
        guard let counts = try? queue.counts(), counts.open + counts.parked > 0 else {
            return "uploads  everything has arrived at \(place)\(problem)"
        }
        return
            "uploads  \((counts.open + counts.parked).of("upload")) still to go to \(place): oracy uploads watch\(problem)"
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
