import ExamCore
package import ExamStore
package import Foundation
import Synchronization
import SystemSupport
import UploadQueue

/// The sessions that this node may write because it holds their leases in the store, and the use of each.
///
/// ```
///            open ──────▶ opening ── opened ──▶ an exam's ── release ──▶ free
/// free ──────┤                └── failed ────────────────────────────────▲
///            └ borrow ──▶ borrowed for one upload ── stored ─────────────┘
/// ```
/// Other nodes wait until a lease is released or has ended. This class knows nothing about exams and uploads, only
/// about turns.
package final class ExamLeases: Sendable {
    /// The use for which this node holds a session.
    private enum Use {
        /// An exam is being opened. It reads what is stored, and must not miss anything stored meanwhile.
        case opening(Task<Void, Never>)
        /// An exam that runs here.
        case exam
        /// One upload of a session whose exam does not run here.
        case upload(Task<Void, any Error>)
    }

    private struct State {
        var uses: [UUID: Use] = [:]
        /// The task that releases the leases of an earlier process in this folder.
        var releasingTheLast: Task<Void, any Error>?
        var renewedAt = SteadyClock.now
    }

    /// This node's name in leases, which belongs to its folder.
    package let node: String
    private let store: ServiceStore
    private let url: String
    private let times: LiveTimes
    private let state = Mutex(State())

    /// Creates the leases.
    ///
    /// - Parameter url: the address to which other nodes send clients of these sessions. Empty if clients cannot reach
    ///   this node directly.
    init(node: String, url: String, store: ServiceStore, times: LiveTimes) {
        self.node = node
        self.url = url
        self.store = store
        self.times = times
    }

    // MARK: - For exams

    /// Takes a session's lease and opens its exam.
    ///
    /// - Parameter open: opens the exam. It runs after this node has stored everything that it had of the session, and
    ///   only once at a time for a session.
    /// - Throws: `CloseReason` if another node has it or it was erased, `StoreError`, and the errors of `open`.
    package func open<Opened: Sendable>(
        _ session: UUID, _ open: @escaping @Sendable () async throws -> Opened
    ) async throws -> Opened {
        while true {
            let (opening, upload) = state.withLock { state -> (Task<Opened, any Error>?, Task<Void, any Error>?) in
                if case .upload(let task) = state.uses[session] { return (nil, task) }
                let opening = Task(executorPreference: ExamThreads.shared) { try await self.opened(session, open) }
                state.uses[session] = .opening(Task { _ = try? await opening.value })
                return (opening, nil)
            }
            if let opening { return try await opening.value }
            _ = try? await upload?.value
        }
    }

    private func opened<Opened: Sendable>(
        _ session: UUID, _ open: @Sendable () async throws -> Opened
    ) async throws -> Opened {
        do {
            try await releaseTheLast()
            switch try await take(session) {
            case .taken: break
            case .heldBy(let url): throw CloseReason.elsewhere(url.isEmpty ? nil : url)
            case .noSuchSession: throw CloseReason.noExam
            }
        } catch {
            state.withLock { $0.uses[session] = nil }
            throw error
        }
        do {
            let opened = try await open()
            state.withLock { $0.uses[session] = .exam }
            return opened
        } catch {
            await release(session)
            throw error
        }
    }

    /// Releases the session of an exam that ended here, so that any node may take it.
    func release(_ session: UUID) async {
        try? await store.releaseLease(session, node: node)
        forget(session)
    }

    /// Forgets a session that no longer belongs to this node.
    package func forget(_ session: UUID) {
        state.withLock { $0.uses[session] = nil }
    }

    /// Returns whether the session is used by an exam, or by one that is being opened.
    func isForExam(_ session: UUID) -> Bool {
        state.withLock { state in
            switch state.uses[session] {
            case .opening, .exam: true
            case .upload, nil: false
            }
        }
    }

    // MARK: - For uploads

    /// Runs `work`, which stores data of a session, while this node holds the session's lease. If its exam does not run
    /// here, the lease is borrowed for the work.
    ///
    /// - Throws: `DeliveryFailure` if another node has it, and the errors of `work`.
    package func during(_ session: UUID, _ work: @escaping @Sendable () async throws -> Void) async throws {
        enum Turn {
            case now
            case borrowed(Task<Void, any Error>)
            case after(Task<Void, Never>)
        }
        while true {
            let turn: Turn = state.withLock { state in
                switch state.uses[session] {
                case .opening(let opening): return .after(opening)
                case .exam: return .now
                case .upload, nil:
                    let task = Task { try await self.borrow(session, work) }
                    state.uses[session] = .upload(task)
                    return .borrowed(task)
                }
            }
            switch turn {
            case .now: return try await work()
            case .borrowed(let task): return try await task.value
            case .after(let opening): await opening.value
            }
        }
    }

    private func borrow(_ session: UUID, _ work: @Sendable () async throws -> Void) async throws {
        defer {
            state.withLock { state in
                if case .upload = state.uses[session] { state.uses[session] = nil }
            }
        }
        if case .heldBy = try await take(session) {
            throw DeliveryFailure(.refused, message: "another node has continued this session")
        }
        do {
            try await work()
        } catch {
            try? await store.releaseLease(session, node: node)
            throw error
        }
        try await store.releaseLease(session, node: node)
    }

    private func take(_ session: UUID) async throws(StoreError) -> Lease {
        try await store.takeLease(session, node: node, url: url, seconds: times.lease.inSeconds)
    }

    // MARK: - Over time

    /// Releases an earlier process's leases, once and before an exam is opened, because later they could not be
    /// distinguished from this process's own.
    func releaseTheLast() async throws {
        let task = state.withLock { state in
            if let task = state.releasingTheLast { return task }
            let (store, node, seconds) = (store, node, times.lease.inSeconds)
            let task = Task {
                for session in try await store.renewLeases(node: node, seconds: seconds) {
                    try await store.releaseLease(session, node: node)
                }
            }
            state.releasingTheLast = task
            return task
        }
        do {
            try await task.value
        } catch {
            // The store is unavailable. Try again with the next exam.
            state.withLock { if $0.releasingTheLast == task { $0.releasingTheLast = nil } }
            throw error
        }
    }

    /// The result of renewing leases.
    package enum Renewal {
        /// These sessions are still this node's.
        case ours(Set<UUID>)
        /// The store is unavailable. Leases remain valid for a while.
        case unknown(StoreError)
        /// The store has been unavailable for so long that another node may have any of the sessions.
        case expired(StoreError)
    }

    /// Renews this node's leases if it is time. Otherwise returns nil.
    package func renew(at now: Duration) async -> Renewal? {
        let (renewedAt, isIdle) = state.withLock { ($0.renewedAt, $0.uses.isEmpty) }
        guard now - renewedAt >= times.renewal else { return nil }
        if isIdle {
            state.withLock { $0.renewedAt = now }
            return .ours([])
        }
        do {
            let ours = try await store.renewLeases(node: node, seconds: times.lease.inSeconds)
            state.withLock { $0.renewedAt = now }
            return .ours(Set(ours))
        } catch {
            let age = SteadyClock.now - state.withLock { $0.renewedAt }
            return age >= times.lease ? .expired(error) : .unknown(error)
        }
    }
}
