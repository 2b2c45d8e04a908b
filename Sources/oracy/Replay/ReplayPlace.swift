import FoundationEssentials
import Glibc
import Synchronization
import SystemSupport

/// The folder for the sessions of many replays: one that the user named, or a temporary one that is removed at the end.
///
/// If a signal ends the program early (Ctrl-C, `kill`), no partial session stays behind.
final class ReplayPlace: Sendable {
    private let folder: String
    private let isTemporary: Bool
    /// The sessions in progress.
    private let lent = Mutex<Set<String>>([])
    private let signals: Mutex<[InterruptSource]> = Mutex([])

    /// - Parameter folder: An empty or new folder; nil if sessions are not kept.
    /// - Throws: `Problem`: `occupied`, `unwritable`.
    init(keptIn folder: String?) throws(Problem) {
        isTemporary = folder == nil
        if let folder {
            guard (try? FileManager.default.contentsOfDirectory(atPath: folder))?.isEmpty ?? true else {
                throw Problem(.occupied, "\(folder): already holds files; name a folder that is empty or new")
            }
            do {
                try PrivateFile.createFolder(folder)
            } catch {
                throw Problem(.occupied, error.sentence)
            }
            self.folder = folder
        } else {
            self.folder = try Self.makeTemporaryFolder()
        }
        // Printing into a closed pipe becomes an ordinary error.
        signal(SIGPIPE, SIG_IGN)
        signals.withLock { signals in
            signals = [SIGINT, SIGTERM, SIGHUP].map { number in InterruptSource(number) { self.end(by: number) } }
        }
    }

    /// Lends a folder for a session. Afterwards the session is kept or removed.
    func lend<Value: Sendable>(to name: String, _ work: (String) async throws -> Value) async throws -> Value {
        let path = "\(folder)/\(name)"
        _ = lent.withLock { $0.insert(path) }
        defer {
            if isTemporary { Self.erase(path) }
            _ = lent.withLock { $0.remove(path) }
        }
        do {
            return try await work(path)
        } catch var problem as Problem where isTemporary {
            // The session's error names the place of its recordings, but here they are not kept.
            problem.sentence.replace(/; what was recorded until then .*/, with: "")
            throw problem
        }
    }

    func close() {
        signals.withLock { signals in
            for signal in signals { signal.cancel() }
            signals = []
        }
        if isTemporary { Self.erase(folder) }
    }

    /// Ends the program at once with the signal that asked for it, so that the parent process learns the reason.
    private func end(by number: Int32) {
        // The lock is never released, so that no other session begins.
        lent.withLock { lent in
            for path in isTemporary ? [folder] : lent { Self.erase(path) }
            signal(number, SIG_DFL)
            kill(getpid(), number)
            while true { pause() }
        }
    }

    /// Erases a folder. Tries again if a file appears meanwhile, because sessions run until the program ends.
    private static func erase(_ path: String) {
        for _ in 0..<100 {
            try? FileManager.default.removeItem(atPath: path)
            if access(path, F_OK) != 0 { return }
        }
    }

    private static func makeTemporaryFolder() throws(Problem) -> String {
        let parent = UserFolders.environment("TMPDIR") ?? "/tmp"
        var path = Array("\(parent)/oracy-replays.XXXXXX".utf8CString)
        guard mkdtemp(&path) != nil else { throw Problem(.occupied, "\(parent): \(systemWords(errno))") }
        return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
