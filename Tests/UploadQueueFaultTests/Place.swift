import ExamCore
import Foundation
import Glibc
import UploadQueue

@testable import queue_probe

/// The place of a fault, reused for the next one: a folder in memory with a probe's home, and a ledger.
final class Place: Sendable {
    /// The number of sessions that a probe enqueues.
    static let sessions = 2

    let path: String
    let home: ProbeHome
    let ledger: Ledger
    /// The build of the probe.
    let program: String

    /// - Parameters:
    ///   - disk: Another folder for the home than the place's own.
    ///   - fate: The ledger's decision about an upload.
    init(
        program: String = RunningProbe.program, disk: String? = nil,
        fate: @escaping @Sendable (Upload, _ before: Int) -> Ledger.Fate = { _, _ in .take }
    ) throws {
        // In memory a kill leaves the same as on a disk, and it is faster.
        let root = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        path = "\(root)/oracy-faults-\(UUID().uuidString)"
        home = ProbeHome(path: (disk ?? path) + "/home")
        ledger = try Ledger(fate: fate)
        self.program = program
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    func remove() {
        ledger.stop()
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Starts over: empties the ledger, and prepares the home for a deed.
    func prepare(_ deed: Deed) throws {
        ledger.forget()
        clear()
        guard deed != .enqueue else { return }
        let kept = "\(path)/\(deed)"
        if access(kept, F_OK) != 0 { try make(deed, in: kept) }
        try FileManager.default.copyItem(atPath: kept, toPath: home.path)
    }

    func clear() { try? FileManager.default.removeItem(atPath: home.path) }

    private func make(_ deed: Deed, in kept: String) throws {
        do {
            let queue = try DeliveryQueue(folder: home.queue)
            try ProbeSession.enqueue(deed.sessions, in: home, to: queue)
            // Copied while it is open, with a write-ahead log as a kill leaves it.
            if deed != .recoverDamaged { try FileManager.default.copyItem(atPath: home.path, toPath: kept) }
        }
        if deed == .recoverDamaged {
            var chance = SplitMix64(seed: 0)
            try Damage.anIndex.do(to: home, &chance)
            try FileManager.default.copyItem(atPath: home.path, toPath: kept)
        }
        clear()
    }

    /// Runs the probe to its end. Nothing that it has sent is in progress when this returns.
    func run(
        _ deed: Deed, under outer: [String] = [], environment: [String: String] = [:], options: [String] = []
    ) async throws -> RunningProbe.End {
        let end = try await RunningProbe.run(
            deed.words(on: self) + options, scratch: path, under: outer, environment: environment, program: program)
        if deed.sends { try await ledger.settle() }
        return end
    }
}

/// The work of a probe when something goes wrong.
enum Deed: String, CaseIterable, Sendable {
    case enqueue
    case drain
    /// The same, with recordings that are removed after delivery.
    case drainAndGo
    /// Opens a journal whose writer was killed.
    case recover
    /// Opens a damaged journal.
    case recoverDamaged
    /// Forgets the first session, and shrinks the journal.
    case forget

    var goes: Bool { self == .drainAndGo }
    var sends: Bool { self == .drain || self == .drainAndGo }

    var sessions: [ProbeSession] {
        (1...(self == .recoverDamaged ? 5 : Place.sessions)).map { ProbeSession($0, goes: goes) }
    }

    func words(on place: Place) -> [String] {
        switch self {
        case .enqueue: ["enqueue", place.home.path, "\(Place.sessions)"]
        case .drain, .drainAndGo: ["drain", place.home.path, "\(place.ledger.port)"]
        case .recover, .recoverDamaged: ["recover", place.home.path]
        case .forget: ["forget", place.home.path, "1"]
        }
    }

    /// Returns the uploads that must exist afterwards: after an enqueueing only the acknowledged ones.
    func known(_ end: RunningProbe.End?) -> Set<UUID> {
        switch self {
        case .enqueue: Set(end?.acknowledged ?? [])
        case .forget: Set(sessions.dropFirst().flatMap(\.ids))
        default: Set(sessions.flatMap(\.ids))
        }
    }
}
