import Dispatch
import SessionFolders
import Synchronization

/// Writes a candidate's notes to the session as they are typed, on its own thread, so that a slow disk doesn't hold up
/// the keys.
///
/// Text that is typed during a write is saved all at once by the next one.
final class NotesKeeper: Sendable {
    private let folder: SessionFolder
    private let queue = DispatchQueue(label: "oracy.notes")
    private let unwritten = Mutex<String?>(nil)

    init(_ folder: SessionFolder) {
        self.folder = folder
    }

    /// - Parameter notes: The complete notes.
    func keep(_ notes: String) {
        let isWaiting = unwritten.withLock { unwritten in
            defer { unwritten = notes }
            return unwritten != nil
        }
        if !isWaiting { queue.async { [self] in write() } }
    }

    /// Waits until everything typed so far is on disk.
    func finish() { queue.sync {} }

    private func write() {
        guard let notes = unwritten.withLock({ $0.take() }) else { return }
        // Notes that cannot be saved are still on the screen. A full disk is reported when it affects an answer.
        try? folder.keep(notes: notes)
    }
}
