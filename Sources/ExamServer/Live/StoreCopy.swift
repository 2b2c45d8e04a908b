import ExamKit
import ExamStore
import Foundation
import Synchronization
import SystemSupport

/// Keeps the store's copy of a session's log and notes, as they grow: any node can go on with the session from it.
///
/// It runs as a task of its own, so that no exam waits for the store; where the store is away it is tried again later.
final class StoreCopy: Sendable {
    private let folder: SessionFolder
    private let session: UUID
    private let store: ServiceStore
    private let log: LogShipping
    private let (wakes, waking) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// What is written on the card.
    private enum Notes {
        case copied(String)
        case changed(String)

        var text: String {
            switch self {
            case .copied(let text), .changed(let text): text
            }
        }
    }

    private struct State {
        var notes: Notes
        /// Whether the store has what it could have.
        var standing = Standing.even
    }

    private enum Standing { case even, behind }

    private let state: Mutex<State>

    init(_ ready: SessionRestore.Ready, of session: UUID, node: String, store: ServiceStore) {
        folder = ready.folder
        self.session = session
        self.store = store
        log = LogShipping(
            ready.folder, session: session, node: node, store: store, shipped: ready.lines, stored: ready.takes)
        state = Mutex(State(notes: .copied(ready.folder.readNotes())))
    }

    var notes: String { state.withLock { $0.notes.text } }

    func keep(notes text: String) {
        state.withLock { $0.notes = .changed(text) }
        wake()
    }

    func take(isStored name: String) async {
        await log.take(isStored: name)
        wake()
    }

    /// The log may have grown.
    func wake() { waking.yield() }

    /// Time has passed: where the store was away it may be back.
    func tryAgain() {
        if state.withLock({ $0.standing }) == .behind { wake() }
    }

    /// How copying came to its end.
    enum Ending { case stopped, conflict }

    /// Copies until it is stopped, or the session turns out to be another node's.
    func run() async -> Ending {
        for await _ in wakes {
            do {
                try await copyNotes()
                try await log.ship()
                state.withLock { $0.standing = .even }
            } catch  where error.kind == .conflict {
                return .conflict
            } catch {
                state.withLock { $0.standing = .behind }
            }
        }
        return .stopped
    }

    func stop() { waking.finish() }

    /// Copies what is left, once it was stopped, if the store is there.
    func finish() async {
        try? await copyNotes()
        try? await log.ship()
    }

    private func copyNotes() async throws(StoreError) {
        let changed: String? = state.withLock { state in
            guard case .changed(let text) = state.notes else { return nil }
            state.notes = .copied(text)
            return text
        }
        guard let text = changed else { return }
        try? folder.keep(notes: text)
        do {
            try await store.put("notes.txt", Array(text.utf8), session: session)
        } catch {
            state.withLock { if case .copied(text) = $0.notes { $0.notes = .changed(text) } }
            throw error
        }
    }
}
