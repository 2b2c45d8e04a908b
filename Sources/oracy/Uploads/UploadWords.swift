import Backends
import ExamKit
import FoundationEssentials
import UploadQueue

// Uploads in words for people and in fields for programs.

extension Upload {
    /// `part1_q3`, `session`, `completion`: unique in its session.
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
    /// Neither arrived nor dropped: it still goes, or waits for a person.
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
        let lines = ([["upload", "size", "tries", "state"]] + rows).columns(right: 1...2, shrinking: 3)
        var table = [lines[0]]
        for (entry, line) in zip(entries, lines.dropFirst()) {
            // Its session's name stands above the columns, not in one.
            if table.count == 1 || entry.session != session { table.append(entry.session) }
            session = entry.session
            table.append(line)
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
        case .sending: return "on its way"
        case .delivered: return "arrived"
        case .parked: return "parked: \(failure?.shortWords ?? "")"
        case .dropped: return "dropped"
        }
    }

    /// Why it is parked, with the backend's own words.
    var explanation: String {
        let code = failure.flatMap { $0.code.isEmpty ? nil : " (\($0.code))" } ?? ""
        let message = failure.flatMap { $0.message.isEmpty ? nil : ": \($0.message)" } ?? ""
        return "\(session)/\(name): \(failure?.shortWords ?? "parked")\(code)\(message)"
    }
}

extension DeliveryFailure {
    /// Short enough for a table; the code is told beside it.
    var shortWords: String {
        switch kind {
        case .unreachable: "cannot be reached"
        case .transient: "backend failed"
        case .timedOut: "no answer in time"
        case .parentMissing: "session not there"
        case .signInNeeded: "nobody is signed in"
        case .refused: "refused by the backend"
        case .fileMissing: "its recording is gone"
        case .fileAltered: "its recording was changed"
        case .unwritable: "the disk is full"
        case .cancelled: "interrupted"
        }
    }
}

extension Account {
    /// Whose it is, for a headline; nil where nobody has to sign in.
    var words: String? {
        let name = accountName ?? user
        if isSignedIn { return name ?? "the bearer of its token" }
        return name.map { "\($0), who is not signed in" }
    }
}

extension Duration {
    /// `45 s`, `12 min`, `3 h`.
    var inWords: String {
        let seconds = max(components.seconds, 1)
        return seconds < 120 ? "\(seconds) s" : seconds < 7200 ? "\(seconds / 60) min" : "\(seconds / 3600) h"
    }
}

extension DeliveryQueue {
    /// Uploads by what a person calls them.
    ///
    /// - Parameter isMeant: whether one may be meant at all.
    /// - Throws: `Problem.missing` where a name means none.
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
                throw Problem(.missing, "\"\(name)\": \(several); `oracy uploads` lists them")
            }
            chosen += meant.filter { entry in !chosen.contains { $0.id == entry.id } }
        }
        return chosen
    }
}

/// What `--json` prints.
struct UploadsReport: Encodable {
    var destination: String?
    /// Whose account is in use there.
    var account: String?
    /// Where else uploads wait.
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
            return "  \(waiting.of("upload")) for \(destination)\(who) wait until you choose it again: oracy uploads to"
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
        /// Seconds from now.
        var nextTryIn: Double?
        /// The kind of the last failure, its code, and the backend's own message.
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
        guard let place else { return "uploads go nowhere yet (oracy uploads to --help)" }
        let whereTo = "to \(place)" + (account.map { " as \($0)" } ?? "")
        var parts = ["\(counts.open) waiting (\(counts.openBytes.bytes))", "\(counts.delivered) arrived"]
        if counts.parked > 0 { parts.append("\(counts.parked) parked") }
        if counts.dropped > 0 { parts.append("\(counts.dropped) dropped") }
        return "uploads \(whereTo): " + parts.joined(separator: ", ")
    }
}
