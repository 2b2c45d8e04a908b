import Glibc
import SystemSupport

/// The right to load a model. One process of the machine has it at a time, because each needs 200 MB and a processor.
/// It ends with this value, or with the process.
final class ModelLock: Sendable {
    private let file: Int32

    /// The time between two tries, while another process has the right.
    private static let step = Duration.milliseconds(200)

    /// Waits for the right.
    ///
    /// - Parameters:
    ///   - path: the file to lock. It need not be writable: the model itself will do.
    ///   - isWaiting: called once if another process has the right.
    /// - Throws: `CancellationError`; `Problem` if the file cannot be read.
    static func obtain(_ path: String, isWaiting: @Sendable () -> Void = {}) async throws -> ModelLock {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Problem(.missing, "\(path): cannot be read") }
        let lock = ModelLock(file)
        var hasTold = false
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            if !hasTold { isWaiting() }
            hasTold = true
            try await Task.sleep(for: step)
        }
        return lock
    }

    private init(_ file: Int32) { self.file = file }

    deinit { FileLock.end(file) }
}
