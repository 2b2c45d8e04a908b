import ExamCore
import Foundation
import Glibc
import SystemSupport
import UploadQueue
import Waiting

@testable import queue_probe

/// Checks a queue's promises from outside after a fault: opens it like any program, compares the ledger with the
/// acknowledged uploads, and sends the rest.
struct Promises {
    let place: Place
    /// The probe's home, unless its recordings are elsewhere.
    var home: ProbeHome
    let sessions: [ProbeSession]
    /// The uploads that must exist.
    var known: Set<UUID>
    /// Whether the program enqueues uploads again if it does not know whether the queue has them.
    var enqueuesAgain = false
    /// The number of programs that were killed or cut off, each possibly between the backend's confirmation and its own
    /// record.
    var crashes = 1
    /// Whether a journal may have been damaged.
    var mayBeDamaged = false
    /// Whether uploads may have been tried too often, so that a person has to retry them.
    var mayBeParked = false

    /// The uploads that are sent at once, and may therefore be repeated after a crash.
    private static let parallel = DeliveryLimits().parallel

    init(_ place: Place, after deed: Deed, _ end: RunningProbe.End?) {
        self.place = place
        home = place.home
        sessions = deed.sessions
        known = deed.known(end)
        enqueuesAgain = deed == .enqueue
        mayBeDamaged = deed == .recoverDamaged
    }

    init(_ place: Place, sessions: [ProbeSession], known: Set<UUID>) {
        self.place = place
        home = place.home
        self.sessions = sessions
        self.known = known
    }

    /// - Parameter what: The name of the fault for messages.
    func check(_ what: String, into tally: inout Tally) async {
        do {
            let queue = try DeliveryQueue(folder: home.queue)
            if let recovery = queue.recovery, !mayBeDamaged {
                tally.note(\.broken, "\(what): the journal is damaged, \(recovery.recovered) lines were recovered")
            }
            checkBefore(what, try queue.entries(), &tally)
            if enqueuesAgain { try ProbeSession.enqueue(sessions, in: home, to: queue) }
            if mayBeParked { try queue.retry() }
            let left = Set(try queue.entries().map(\.id))
            let end = try await sendOnceFree(queue)
            if end.open + end.parked > 0 {
                let stuck = try queue.entries().filter { $0.state != .delivered }
                let reasons = stuck.map { "\($0.state) \($0.failure?.kind.rawValue ?? "")" }
                tally.note(\.broken, "\(what): \(stuck.count) uploads do not go: \(reasons)")
            }
            checkLedger(what, expected: enqueuesAgain ? Set(sessions.flatMap(\.ids)) : left.union(known), &tally)
        } catch {
            tally.note(\.lost, "\(what): it cannot be used any more: \(error)")
        }
    }

    /// Sends the rest as soon as no other program is sending. The kernel may release a killed program's lock a moment
    /// after its end.
    private func sendOnceFree(_ queue: DeliveryQueue) async throws -> SendingProgress {
        var end: SendingProgress?
        _ = try await Patience.wait {
            do {
                end = try await queue.send(
                    through: Ledger.Inside(ledger: place.ledger), until: .atRest, deadline: .seconds(60), limits: .hasty
                )
                return true
            } catch let problem as Problem where problem.kind == .occupied {
                return false
            }
        }
        guard let end else { throw Problem(.occupied, "the lock of a killed program was never let go") }
        return end
    }

    private var uploads: [(Upload, ProbeSession)] {
        sessions.flatMap { session in
            session.ids.indices.map { (session.expected($0, in: home), session) }
        }
    }

    private func checkBefore(_ what: String, _ entries: [UploadEntry], _ tally: inout Tally) {
        let entries = Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
        let arrived = place.ledger.arrivals
        for (upload, session) in uploads {
            guard let entry = entries[upload.id] else {
                if known.contains(upload.id) { tally.note(\.lost, "\(what): \(Self.name(upload)) is not in the queue") }
                continue
            }
            if entry.upload != upload { tally.note(\.corrupted, "\(what): \(Self.name(upload)) is another one") }
            if entry.state == .delivered && arrived[upload.id] == nil {
                tally.note(\.lost, "\(what): \(Self.name(upload)) is called delivered and is not")
            }
            guard let file = upload.file else { continue }
            if let found = try? PrivateFile.digest(file.path) {
                if found != (file.byteCount, file.sha256) {
                    tally.note(\.corrupted, "\(what): the recording of \(Self.name(upload)) is not what it was")
                }
            } else if arrived[upload.id] == nil {
                tally.note(\.lost, "\(what): the recording of \(Self.name(upload)) is gone, and the ledger has none")
            } else if !session.goes || entry.state != .delivered {
                tally.note(\.broken, "\(what): the recording of \(Self.name(upload)) is gone too early")
            }
        }
        // Sessions are forgotten as a whole, or not at all.
        for session in sessions {
            let count = session.ids.count { entries[$0] != nil }
            if !enqueuesAgain && count != 0 && count != session.ids.count {
                tally.note(\.broken, "\(what): of session \(session.number) only \(count) uploads are there")
            }
        }
    }

    private func checkLedger(_ what: String, expected: Set<UUID>, _ tally: inout Tally) {
        let arrived = place.ledger.arrivals
        var repeated = 0
        for (upload, session) in uploads where expected.contains(upload.id) {
            guard let arrivals = arrived[upload.id], let first = arrivals.first else {
                tally.note(\.lost, "\(what): \(Self.name(upload)) has not arrived")
                continue
            }
            if first.upload != upload.asSent || first.sha256 != upload.file?.sha256 {
                tally.note(\.corrupted, "\(what): \(Self.name(upload)) arrived as another")
            }
            if arrivals.contains(where: { $0 != first }) {
                tally.note(\.duplicated, "\(what): \(Self.name(upload)) arrived again as another")
            }
            if arrivals.count - 1 > crashes {
                tally.note(\.broken, "\(what): \(Self.name(upload)) was sent \(arrivals.count) times")
            }
            repeated += arrivals.count - 1
            if session.goes, let path = upload.file?.path, access(path, F_OK) == 0 {
                tally.note(\.broken, "\(what): the recording of \(Self.name(upload)) should have gone")
            }
        }
        // With a damaged journal, it is unknown what has arrived.
        if repeated > crashes * Self.parallel && !mayBeDamaged {
            tally.note(\.broken, "\(what): \(repeated) sends were repeated for \(crashes) crashes")
        }
        tally.repeated += repeated
        for stranger in Set(arrived.keys).subtracting(uploads.map(\.0.id)) {
            tally.note(\.duplicated, "\(what): the ledger has a stranger, \(stranger)")
        }
    }

    private static func name(_ upload: Upload) -> String {
        switch upload.content {
        case .session: "\(upload.session.name)"
        case .answer(let facts, _): "\(upload.session.name)/\(facts.question)"
        case .completion: "\(upload.session.name)/completion"
        case .submission: "\(upload.session.name)/quiz"
        }
    }
}

extension Upload {
    /// The upload as a backend gets it: the queue adds the number of arrived answers to a completion.
    var asSent: Upload {
        guard case .completion(var facts) = content else { return self }
        var sent = self
        facts.delivered = facts.answers
        sent.content = .completion(facts)
        return sent
    }
}
