import Dispatch
import ExamKit
import Synchronization

/// Writes a candidate's notes to the session as they are typed, on a thread of its own: a slow disk must not hold up the keys.
///
/// Whatever is typed while a write is under way is written by the next one, all of it at once.
final class NotesKeeper: Sendable {
    private let folder: SessionFolder
    private let queue = DispatchQueue(label: "oracy.notes")
    private let unwritten = Mutex<String?>(nil)

    init(_ folder: SessionFolder) {
        self.folder = folder
    }

    /// - Parameter notes: all of them.
    func keep(_ notes: String) {
        let isWaiting = unwritten.withLock { unwritten in
            defer { unwritten = notes }
            return unwritten != nil
        }
        if !isWaiting { queue.async { [self] in write() } }
    }

    /// Returns when everything that was typed so far is on disk.
    func finish() { queue.sync {} }

    private func write() {
        guard let notes = unwritten.withLock({ $0.take() }) else { return }
        // Notes that cannot be kept are still on the screen; a full disk is told of when an answer meets it.
        try? folder.keep(notes: notes)
    }
}
