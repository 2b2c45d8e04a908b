import Foundation
import Glibc
import Synchronization
import SystemSupport

/// A running program and its process group. `end` is called once, on a thread of its own; `kill` from any thread.
final class ProgramProcess: Sendable {
    /// The id of the process and of its group. Nil after it was waited for, when it may belong to another process.
    private let pid: Mutex<pid_t?>
    /// The pipe of its output.
    private let output: Int32

    /// Starts a program in this process's environment. Nil if that fails.
    init?(_ command: [String], input: Int32) {
        guard let pipe = Pipe.open() else { return nil }
        let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        let child = SpawnedProgram.start(
            command, input: input, output: pipe.write, environment: environment, leadsGroup: true)
        close(pipe.write)
        guard let child else {
            close(pipe.read)
            return nil
        }
        pid = Mutex(child)
        output = pipe.read
    }

    deinit { close(output) }

    /// Kills the program and the programs that it started.
    func kill() { pid.withLock { if let id = $0 { _ = Glibc.kill(-id, SIGKILL) } } }

    /// Reads the output, and waits for the program's end. Programs that it started may keep the output open: they are
    /// not waited for, but killed.
    func end(within time: Duration, longest: Int) -> ProgramRun.End {
        let deadline = SteadyClock.now + time
        guard let exit = watchForExit() else {
            kill()
            reap()
            return .failed(nil)
        }
        defer { close(exit) }
        var said: [UInt8] = []
        var end: ProgramRun.End?
        while end == nil {
            let left = max(0, (deadline - SteadyClock.now) / .milliseconds(1))
            var watched = [output, exit].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let ready = poll(&watched, 2, Int32(min(left + 1, 1e6)))
            if ready < 0 && errno == EINTR { continue }
            if left == 0 && watched[1].revents == 0 {
                end = .timedOut
            } else if watched[0].revents != 0 {
                switch read(into: &said) {
                case true where said.count > longest: end = .tooLong
                case true: break
                // All writers closed their end: only the exit is left to come.
                case false: end = waits(for: exit, until: deadline) ? .said("") : .timedOut
                }
            } else if watched[1].revents != 0 {
                // It has exited, and everything that it wrote was read.
                end = .said("")
            }
        }
        // Its id is still reserved, because nothing has waited for it yet.
        kill()
        let status = reap()
        guard end == .said("") else { return end ?? .timedOut }
        guard status & 0x7f == 0 else { return .failed(nil) }
        return status >> 8 == 0
            ? String(validating: said, as: UTF8.self).map { .said($0) } ?? .failed(0) : .failed(status >> 8)
    }

    /// Reads what is there. Returns false at the end of the output.
    private func read(into said: inout [UInt8]) -> Bool {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, used in
            repeat { count = Glibc.read(output, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
            used = max(0, count)
        }
        said += bytes
        return count > 0
    }

    private func waits(for exit: Int32, until deadline: Duration) -> Bool {
        while true {
            let left = max(0, (deadline - SteadyClock.now) / .milliseconds(1))
            var watched = pollfd(fd: exit, events: Int16(POLLIN), revents: 0)
            if poll(&watched, 1, Int32(min(left + 1, 1e6))) > 0 { return true }
            if left == 0 { return false }
        }
    }

    /// Returns a descriptor that becomes readable when the program exits, without waiting for it as `reap` does. The
    /// caller closes it.
    private func watchForExit() -> Int32? {
        guard let id = pid.withLock({ $0 }), let pipe = Pipe.open() else { return nil }
        Thread.detachNewThread {
            var facts = siginfo_t()
            while waitid(P_PID, id_t(id), &facts, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
            close(pipe.write)
        }
        return pipe.read
    }

    /// Waits for the exit.
    ///
    /// - Returns: its status as in wait(2).
    @discardableResult private func reap() -> Int32 {
        guard let child = pid.withLock({ $0 }) else { return 0 }
        // `WNOWAIT` keeps its id reserved until it is waited for with the lock held.
        var facts = siginfo_t()
        while waitid(P_PID, id_t(child), &facts, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
        return pid.withLock { pid in
            pid = nil
            return SpawnedProgram.wait(for: child)
        }
    }

    /// A pipe whose ends other programs do not inherit.
    private struct Pipe {
        var read, write: Int32

        static func open() -> Pipe? {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { return nil }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return Pipe(read: ends[0], write: ends[1])
        }
    }
}
