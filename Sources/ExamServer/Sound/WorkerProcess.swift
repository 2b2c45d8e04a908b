import Foundation
import Glibc
import Synchronization
import SystemSupport

/// A worker process, seen from its server. It gets one request at a time, and is killed if that takes too long.
///
/// Its calls block; `kill` may be called from any thread.
final class WorkerProcess: Sendable {
    /// The reason why a request has no answer.
    enum End: Error, Equatable {
        /// The worker used up its processor time or its wall-clock time.
        case overLimit
        /// The worker ended for another reason: it was killed, or crashed.
        case died
        /// This machine cannot start a process, or cannot filter its system calls.
        case unstarted
    }

    private let pid: Mutex<pid_t?>
    private let stream: Int32

    /// The most bytes of a line: two hours of measures and peaks.
    private static let longestLine = 32 << 20
    /// The most bytes of an MP3: two hours.
    private static let longestBytes = 32 << 20

    /// - Parameter program: the program's path, then its arguments.
    init(_ program: [String]) throws(End) {
        var ends: [Int32] = [-1, -1]
        // Close-on-exec from the start. Otherwise other children would keep these sockets open.
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .unstarted }
        let kept = ["PATH", "TMPDIR", "LD_LIBRARY_PATH"].compactMap { name in
            UserFolders.environment(name).map { "\(name)=\($0)" }
        }
        // Only one arena, since each maps 64 MB of the worker's allowed memory.
        let child = SpawnedProgram.start(
            program, input: ends[1], output: ends[1], environment: kept + ["LC_ALL=C", "MALLOC_ARENA_MAX=1"],
            leadsGroup: true)
        close(ends[1])
        guard let child else {
            close(ends[0])
            throw .unstarted
        }
        pid = Mutex(child)
        stream = ends[0]
    }

    deinit {
        end()
        close(stream)
    }

    /// Ends the process and waits for its exit.
    func end() {
        kill()
        reap()
    }

    /// The id of the process while it exists.
    var id: pid_t? { pid.withLock { $0 } }

    /// Kills the process and its children immediately.
    func kill() { pid.withLock { if let id = $0 { _ = Glibc.kill(-id, SIGKILL) } } }

    /// Asks the worker to decode one recording.
    ///
    /// - Parameter seconds: the allowed wall-clock time.
    func ask(
        _ request: SoundWorker.Request, seconds: Double
    ) throws(End) -> (answer: SoundWorker.Answer, bytes: [UInt8]) {
        let end = SteadyClock.now + .seconds(seconds)
        guard var line = try? JSONEncoder().encode(request) else { throw .died }
        line.append(10)
        guard send(Array(line)) else { throw whyEnded() }
        var received: [UInt8] = []
        var searched = 0
        while true {
            if let newline = received[searched...].firstIndex(of: 10) {
                guard
                    let answer = try? JSONDecoder().decode(
                        SoundWorker.Answer.self, from: Data(received[..<newline]))
                else { throw broken() }
                let count = answer.found?.byteCount ?? 0
                guard (0...Self.longestBytes).contains(count) else { throw broken() }
                var bytes = Array(received[(newline + 1)...])
                while bytes.count < count { bytes += try read(until: end) }
                return (answer, bytes)
            }
            searched = received.count
            guard received.count < Self.longestLine else { throw broken() }
            received += try read(until: end)
        }
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        var at = 0
        while at < bytes.count {
            let count = bytes[at...].withUnsafeBytes {
                Glibc.send(stream, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            at += count
        }
        return true
    }

    private func read(until end: Duration) throws(End) -> [UInt8] {
        while true {
            let left = (end - SteadyClock.now) / .milliseconds(1)
            guard left > 0 else {
                self.end()
                throw .overLimit
            }
            var watched = pollfd(fd: stream, events: Int16(POLLIN), revents: 0)
            let ready = poll(&watched, 1, Int32(min(left + 1, 1e6)))
            if ready < 0 && errno == EINTR || ready == 0 { continue }
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, used in
                count = Glibc.read(stream, buffer.baseAddress, buffer.count)
                used = max(0, count)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw whyEnded() }
            return bytes
        }
    }

    /// Kills a worker whose answer is malformed: it can no longer be trusted.
    private func broken() -> End {
        end()
        return .died
    }

    private func whyEnded() -> End {
        switch reap() {
        case SIGXCPU, SIGXFSZ: .overLimit
        case SoundWorker.unguarded << 8: .unstarted
        default: .died
        }
    }

    /// Waits for the exit of the process.
    ///
    /// - Returns: its status; 0 if an earlier call already waited for it.
    @discardableResult private func reap() -> Int32 {
        guard let child = id else { return 0 }
        // The process closed its stream or was killed, so this doesn't take long. `WNOWAIT` keeps its id reserved until
        // it is reaped with the lock held. After that the id may belong to another process, which `kill` must not hit.
        var facts = siginfo_t()
        while waitid(P_PID, id_t(child), &facts, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
        return pid.withLock { pid in
            guard pid != nil else { return 0 }
            pid = nil
            return SpawnedProgram.wait(for: child)
        }
    }
}
