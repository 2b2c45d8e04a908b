import Backends
import Glibc
import SessionFolders
import SessionUploads
import SystemSupport
import UploadQueue

/// The user's choice of how long to keep sessions, applied to those on the shelf.
struct RetentionSetting {
    static let path = UserFolders.data + "/retention.json"

    let shelf: SessionShelf

    /// The decision on a session that is too old: erase it, or keep it for a reason.
    struct Verdict: Encodable {
        var session: String
        /// Nil if it is erased.
        var keptBecause: String?
    }

    /// Reads the choice; nil if sessions are kept until the user erases them.
    static func read() throws(Problem) -> SessionRetention? { try .read(from: path) }

    static func set(_ retention: SessionRetention?) throws(Problem) {
        if let retention { return try retention.write(to: path) }
        guard unlink(path) == 0 || errno == ENOENT else { throw PrivateFile.unwritable(path) }
    }

    /// Returns the sessions that are too old, the newest first.
    func verdicts(_ retention: SessionRetention) -> [(SessionSummary, Verdict)] {
        let waits = DeliveryWaits()
        return shelf.list().filter { retention.isOver($0) }.map { session in
            let reason = session.isInUse ? "it is in use" : waits.reason(to: session)
            return (session, Verdict(session: session.id, keptBecause: reason))
        }
    }
}

/// The deliveries of a session that have not yet reached their destination.
private struct DeliveryWaits {
    private let home = UploadsHome()

    /// Returns the reason to keep a session; nil if no delivery is waiting. If the queue can't be read, the session is
    /// kept.
    func reason(to session: SessionSummary) -> String? {
        guard access(session.folder.delivery, F_OK) == 0 else { return nil }
        do throws(Problem) {
            var isKnown = false
            for destination in home.destinations() {
                guard let id = try SessionDelivery.id(of: session.folder, at: destination.name) else { continue }
                isKnown = true
                let entries = try home.queue(to: destination).entries().filter { $0.upload?.session.id == id }
                let open = entries.count { $0.state != .delivered && $0.state != .dropped }
                if open > 0 { return "\(open.of("upload")) waiting for \(destination.place)" }
                // Entries dropped by hand need not arrive. Without an entry for the session's completion, more may
                // follow.
                let isComplete = entries.contains { $0.upload?.stage == .completion }
                if !isComplete { return "it has not been fully sent to \(destination.place) yet" }
            }
            return isKnown ? nil : "it was queued for a destination that is no longer set up here"
        } catch {
            return error.sentence
        }
    }
}
