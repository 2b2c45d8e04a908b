import ExamKit
import FoundationEssentials
import Glibc
import Synchronization

/// Where the sessions of many replays lie: in a folder that a person named, or in one that is gone when all is over.
///
/// Whatever ends the program early (Ctrl-C, `kill`), no half of a session stays behind.
final class ReplayPlace: Sendable {
    private let folder: String
    private let isTemporary: Bool
    /// The sessions that are being held now.
    private let lent = Mutex<Set<String>>([])
    private let signals: Mutex<[InterruptSource]> = Mutex([])

    /// - Parameter folder: an empty one or a new one; nil: sessions are not kept.
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
        // What is printed into a pipe that nobody reads is an error like any other.
        signal(SIGPIPE, SIG_IGN)
        signals.withLock { signals in
            signals = [SIGINT, SIGTERM, SIGHUP].map { number in InterruptSource(number) { self.end(by: number) } }
        }
    }

    /// Lends a folder for a session; afterwards it is kept, or gone.
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
            // The session says where it kept what it has, and here it is kept nowhere.
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

    /// Ends the program at once, by the signal that asked for it, so that whoever waits for it knows.
    private func end(by number: Int32) {
        // Never given back: no other session begins.
        lent.withLock { lent in
            for path in isTemporary ? [folder] : lent { Self.erase(path) }
            signal(number, SIG_DFL)
            kill(getpid(), number)
            while true { pause() }
        }
    }

    /// Again where a file came while it was being erased: sessions go on until the program ends.
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
