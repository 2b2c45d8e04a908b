import ExamStore
import Foundation
import SessionFolders
import Synchronization

/// Copies a session's log and notes to the store as they grow. Any node can continue the session from the copy.
///
/// It runs as a separate task, so that no exam waits for the store. If the store is unavailable, it tries again later.
final class StoreCopy: Sendable {
    private let folder: SessionFolder
    private let session: UUID
    private let store: ServiceStore
    private let log: LogShipping
    private let (wakes, waking) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// The notes on the card.
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
        /// Whether the copy in the store is up to date.
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

    /// Wakes the copying, because the log may have grown.
    func wake() { waking.yield() }

    /// Tries again if the store was unavailable.
    func tryAgain() {
        if state.withLock({ $0.standing }) == .behind { wake() }
    }

    /// The reason why copying ended.
    enum Ending { case stopped, conflict }

    /// Copies until it is stopped, or another node has the session.
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

    /// Copies what is left after the end of the exam, if the store is available.
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
