import Backends
import ExamKit
import Glibc
import SessionUploads
import SystemSupport
import UploadQueue

/// For how long this user keeps sessions, and what that means for those on the shelf.
struct RetentionSetting {
    static let path = UserFolders.data + "/retention.json"

    let shelf: SessionShelf

    /// A session that is older than it is kept for: it goes, or it stays for a reason.
    struct Verdict: Encodable {
        var session: String
        /// nil: it is erased.
        var keptBecause: String?
    }

    /// nil: sessions are kept until somebody erases them.
    static func read() throws(Problem) -> SessionRetention? { try .read(from: path) }

    static func set(_ retention: SessionRetention?) throws(Problem) {
        if let retention { return try retention.write(to: path) }
        guard unlink(path) == 0 || errno == ENOENT else { throw PrivateFile.unwritable(path) }
    }

    /// The sessions that are too old, the newest first.
    func verdicts(_ retention: SessionRetention) -> [(SessionSummary, Verdict)] {
        let waits = DeliveryWaits()
        return shelf.list().filter { retention.isOver($0) }.map { session in
            let reason = session.isInUse ? "it is in use" : waits.reason(to: session)
            return (session, Verdict(session: session.id, keptBecause: reason))
        }
    }
}

/// What of a session is still to reach a destination that it was meant for.
private struct DeliveryWaits {
    private let home = UploadsHome()

    /// nil: nothing waits. Where the queue cannot be asked, everything might.
    func reason(to session: SessionSummary) -> String? {
        guard access(session.folder.delivery, F_OK) == 0 else { return nil }
        do throws(Problem) {
            var isKnown = false
            for destination in home.destinations() {
                guard let id = try SessionDelivery.id(of: session.folder, at: destination.name) else { continue }
                isKnown = true
                let entries = try home.queue(to: destination).entries().filter { $0.upload?.session.id == id }
                let open = entries.count { $0.state != .delivered && $0.state != .dropped }
                if open > 0 { return "\(open.of("upload")) of it wait for \(destination.place)" }
                // What was dropped by hand is not meant to arrive. Without a line that says the session is complete, there may be more.
                let isComplete = entries.contains { $0.upload?.stage == .completion }
                if !isComplete { return "not all of it was sent to \(destination.place) yet" }
            }
            return isKnown ? nil : "it was meant for a destination that is not known here any more"
        } catch {
            return error.sentence
        }
    }
}
