package import Glibc
import Synchronization

/// A worker process, and the socket over which it gets requests and sends answers. The worker inherits nothing else
/// from this process.
///
/// Its calls block, and only one at a time may send or read. `kill` may be called from any thread.
package final class WorkerSocket: Sendable {
    /// The reason why a worker has no answer.
    package enum End: Error, Equatable {
        /// The time ran out, so the worker was killed.
        case timedOut
        /// The worker ended, with this status as in wait(2); 0 if an earlier call already waited for it.
        case ended(status: Int32)
        /// A line is too long, so the worker was killed: it can no longer be trusted.
        case malformed
        /// This machine cannot start a process.
        case unstarted
    }

    private let pid: Mutex<pid_t?>
    private let stream: Int32
    /// The bytes that were read beyond the last line.
    private let rest = Mutex<[UInt8]>([])

    /// Starts a worker.
    ///
    /// - Parameters:
    ///   - program: the program's path, then its arguments.
    ///   - environment: its whole environment, each entry as `NAME=value`.
    package init(_ program: [String], environment: [String]) throws(End) {
        var ends: [Int32] = [-1, -1]
        // Close-on-exec from the start. Otherwise other children would keep these sockets open.
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .unstarted }
        let child = SpawnedProgram.start(
            program, input: ends[1], output: ends[1], environment: environment, leadsGroup: true)
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
    package func end() {
        kill()
        reap()
    }

    /// Ends the worker's input, so that it may end by itself, and waits for its exit.
    package func endInput() {
        shutdown(stream, Int32(SHUT_WR))
        reap()
    }

    /// The id of the process while it exists.
    package var id: pid_t? { pid.withLock { $0 } }

    /// Kills the process and its children immediately.
    package func kill() { pid.withLock { if let id = $0 { _ = Glibc.kill(-id, SIGKILL) } } }

    /// Sends bytes.
    ///
    /// - Parameter end: the time of `SteadyClock` at which the worker is killed if it has not taken them.
    package func send(_ bytes: [UInt8], until end: Duration) throws(End) {
        var at = 0
        while at < bytes.count {
            try wait(for: POLLOUT, until: end)
            let count = bytes[at...].withUnsafeBytes {
                Glibc.send(stream, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            guard count > 0 else { throw .ended(status: reap()) }
            at += count
        }
    }

    /// Reads a line.
    ///
    /// - Parameters:
    ///   - longest: the most bytes of the line.
    ///   - end: the time of `SteadyClock` at which the worker is killed if the line is not complete.
    /// - Returns: the line without its end.
    package func readLine(longest: Int, until end: Duration) throws(End) -> [UInt8] {
        var received = rest.withLock { rest in
            defer { rest = [] }
            return rest
        }
        var searched = 0
        while true {
            if let newline = received[searched...].firstIndex(of: 10) {
                let after = Array(received[(newline + 1)...])
                rest.withLock { $0 = after }
                return Array(received[..<newline])
            }
            searched = received.count
            guard received.count < longest else {
                self.end()
                throw .malformed
            }
            received += try read(until: end)
        }
    }

    /// Reads bytes that follow a line.
    package func readBytes(_ count: Int, until end: Duration) throws(End) -> [UInt8] {
        var bytes = rest.withLock { rest in
            defer { rest = [] }
            return rest
        }
        while bytes.count < count { bytes += try read(until: end) }
        let after = Array(bytes[count...])
        rest.withLock { $0 = after }
        return Array(bytes[..<count])
    }

    private func read(until end: Duration) throws(End) -> [UInt8] {
        while true {
            try wait(for: POLLIN, until: end)
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, used in
                count = Glibc.read(stream, buffer.baseAddress, buffer.count)
                used = max(0, count)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw .ended(status: reap()) }
            return bytes
        }
    }

    private func wait(for event: Int32, until end: Duration) throws(End) {
        while true {
            let left = (end - SteadyClock.now) / .milliseconds(1)
            guard left > 0 else {
                self.end()
                throw .timedOut
            }
            var watched = pollfd(fd: stream, events: Int16(event), revents: 0)
            if poll(&watched, 1, Int32(min(left + 1, 1e6))) > 0 { return }
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
