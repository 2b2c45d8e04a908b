import Backends
import ExamCore
import FoundationEssentials
import SystemSupport
import UploadQueue

// Uploads in words for people and in fields for programs.

extension Upload {
    /// The name of the upload, unique in its session: `part1_q3`, `session`, `completion`.
    var name: String {
        switch content {
        case .session: "session"
        case .answer(let facts, _):
            facts.name
        case .completion: "completion"
        case .submission: "submission"
        }
    }
}

extension UploadEntry {
    /// Whether it has neither arrived nor been dropped. It will be sent, or waits for a decision of the user.
    var isLeft: Bool {
        switch state {
        case .waiting, .sending, .parked: true
        case .delivered, .dropped: false
        }
    }

    var session: String { upload?.session.name ?? "?" }
    var name: String { upload?.name ?? "damaged entry" }

    static func table(_ entries: [UploadEntry], at now: Duration) -> [String] {
        var session = ""
        let rows = entries.map { entry -> [String] in
            let size = entry.upload?.file.map(\.byteCount.bytes) ?? ""
            let tries = entry.attempts > 0 ? String(entry.attempts) : ""
            return ["  " + entry.name, size, tries, entry.stateWords(at: now)]
        }
        let lines = ([["upload", "size", "tries", "state"]] + rows).rowLines(right: 1...2, shrinking: 3)
        var table = lines[0]
        for (entry, line) in zip(entries, lines.dropFirst()) {
            // The session's name stands above the columns.
            if table.count == lines[0].count || entry.session != session { table.append(entry.session) }
            session = entry.session
            table += line
        }
        return table
    }

    func stateWords(at now: Duration) -> String {
        switch state {
        case .waiting:
            guard let failure else { return "waiting" }
            let code = failure.kind == .transient && !failure.code.isEmpty ? " (\(failure.code))" : ""
            let next = due.map { $0 - now }.flatMap { $0 > .zero ? "retry in \($0.inWords)" : nil } ?? "waiting"
            return "\(failure.shortWords)\(code), \(next)"
        case .sending: return "being sent"
        case .delivered: return "arrived"
        case .parked: return "parked: \(failure?.shortWords ?? "")"
        case .dropped: return "dropped"
        }
    }

    /// The reason why it is parked, with the backend's own words.
    var explanation: String {
        let code = failure.flatMap { $0.code.isEmpty ? nil : " (\($0.code))" } ?? ""
        let message = failure.flatMap { $0.message.isEmpty ? nil : ": \($0.message)" } ?? ""
        return "\(session)/\(name): \(failure?.shortWords ?? "parked")\(code)\(message)"
    }
}

extension DeliveryFailure {
    /// A text that is short enough for a table. The code is shown beside it.
    var shortWords: String {
        switch kind {
        case .unreachable: "cannot be reached"
        case .transient: "backend failed"
        case .timedOut: "no answer in time"
        case .parentMissing: "session not found"
        case .signInNeeded: "you are not signed in"
        case .refused: "refused by the backend"
        case .fileMissing: "its recording is missing"
        case .fileAltered: "its recording was changed"
        case .unwritable: "the disk is full"
        case .cancelled: "interrupted"
        }
    }
}

extension Account {
    /// The account's name for a headline; nil if the destination needs no account.
    var words: String? {
        let name = accountName ?? user
        if isSignedIn { return name ?? "the bearer of its token" }
        return name.map { "\($0), who is not signed in" }
    }
}

extension Duration {
    /// The duration in words: `45 s`, `12 min`, `3 h`.
    var inWords: String {
        let seconds = max(components.seconds, 1)
        return seconds < 120 ? "\(seconds) s" : seconds < 7200 ? "\(seconds / 60) min" : "\(seconds / 3600) h"
    }
}

extension DeliveryQueue {
    /// Returns uploads by the names that people type.
    ///
    /// - Parameter isMeant: Returns whether an upload may be chosen at all.
    /// - Throws: `Problem.missing` if a name matches no upload.
    func named(_ names: [String], where isMeant: (UploadEntry) -> Bool) throws(Problem) -> [UploadEntry] {
        let entries = try entries()
        let newest = entries.compactMap(\.upload?.session.name).max()
        var chosen: [UploadEntry] = []
        for name in names {
            let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
            let meant = entries.filter { entry in
                guard let session = parts.first else { return false }
                let isItsSession = session == "last" ? entry.session == newest : entry.session.hasPrefix(session)
                return isItsSession && (parts.count == 1 || entry.name == parts[1]) && isMeant(entry)
            }
            guard Set(meant.map(\.session)).count == 1 else {
                let several =
                    meant.isEmpty ? "no waiting or parked upload has that name" : "several sessions begin with this"
                throw Problem(.missing, "\"\(name)\": \(several); `oracy uploads` lists uploads")
            }
            chosen += meant.filter { entry in !chosen.contains { $0.id == entry.id } }
        }
        return chosen
    }
}

/// The output of `--json`.
struct UploadsReport: Encodable {
    var destination: String?
    /// The account in use there.
    var account: String?
    /// The other destinations with waiting uploads.
    var others: [Other]
    var waiting: Int
    var waitingBytes: Int
    var parked: Int
    var delivered: Int
    var dropped: Int
    var uploads: [Entry]

    struct Other: Encodable {
        var destination: String
        var account: String?
        var waiting: Int

        var words: String {
            let who = account.map { " (\($0))" } ?? ""
            return "  \(waiting.of("upload")) for \(destination)\(who) wait until you choose it again "
                + "with `oracy uploads to`"
        }
    }

    struct Entry: Encodable {
        var id: String
        var session: String?
        var name: String
        var state: UploadEntry.State
        var attempts: Int
        var byteCount: Int?
        var addedAt: String
        var arrivedAt: String?
        /// The seconds from now.
        var nextTryIn: Double?
        /// The kind of the last failure. Its code and the backend's own message follow.
        var failure: String?
        var code: String?
        var message: String?
    }

    init(
        destination: String?, account: String? = nil, others: [Other] = [], entries: [UploadEntry],
        counts: UploadCounts
    ) {
        self.destination = destination
        self.account = account
        self.others = others
        waiting = counts.open
        waitingBytes = counts.openBytes
        parked = counts.parked
        delivered = counts.delivered
        dropped = counts.dropped
        let now = SteadyClock.now
        uploads = entries.map { entry in
            Entry(
                id: entry.id.name, session: entry.upload?.session.name, name: entry.name,
                state: entry.state,
                attempts: entry.attempts, byteCount: entry.upload?.file?.byteCount, addedAt: entry.addedAt,
                arrivedAt: entry.endedAt, nextTryIn: entry.due.map { max(Double(($0 - now).components.seconds), 0) },
                failure: entry.failure?.kind.rawValue, code: entry.failure?.code, message: entry.failure?.message)
        }
    }

    static func headline(_ counts: UploadCounts, to place: String?, account: String? = nil) -> String {
        guard let place else { return "uploads go nowhere yet; see oracy uploads to --help" }
        let whereTo = "to \(place)" + (account.map { " as \($0)" } ?? "")
        var parts = ["\(counts.open) waiting (\(counts.openBytes.bytes))", "\(counts.delivered) arrived"]
        if counts.parked > 0 { parts.append("\(counts.parked) parked") }
        if counts.dropped > 0 { parts.append("\(counts.dropped) dropped") }
        return "uploads \(whereTo): " + parts.joined(separator: ", ")
    }
}
