import Foundation
import Glibc
import Synchronization

/// Returns the seconds on the clock that dates everything live: CLOCK_MONOTONIC, which all processes here share.
func clockNow() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// A running program that receives input and whose output is read meanwhile.
///
/// Input and output go through pipes, or through a terminal of 100 × 30 if the program should draw a screen.
final class Child: Sendable {
    let pid: pid_t
    /// The time just before it was started.
    let startedAt: Double
    private let keys: Int32
    private let complained = Mutex<(first: Double?, text: String)>((nil, ""))

    enum Face { case pipe, terminal }

    /// - Parameter heard: Called with its output and the time of arrival, on its own thread.
    init(
        _ words: [String], environment: [String: String], face: Face = .pipe,
        heard: @escaping @Sendable (UnsafeRawBufferPointer, Double) -> Void = { _, _ in }
    ) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let errors = Self.pipe()
        posix_spawn_file_actions_adddup2(&actions, errors.write, STDERR_FILENO)
        let output: Int32
        var given = [errors.write]
        switch face {
        case .pipe:
            let (input, printed) = (Self.pipe(), Self.pipe())
            posix_spawn_file_actions_adddup2(&actions, input.read, STDIN_FILENO)
            posix_spawn_file_actions_adddup2(&actions, printed.write, STDOUT_FILENO)
            keys = input.write
            output = printed.read
            given += [input.read, printed.write]
        case .terminal:
            let terminal = Self.terminal()
            keys = terminal.keys
            output = keys
            for stream in [STDIN_FILENO, STDOUT_FILENO] {
                posix_spawn_file_actions_addopen(&actions, stream, terminal.name, O_RDWR | O_NOCTTY, 0)
            }
        }
        var arguments = words.map { strdup($0) } + [nil]
        var settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in arguments + settings { free(word) } }
        var pid: pid_t = 0
        startedAt = clockNow()
        guard posix_spawnp(&pid, words[0], &actions, nil, &arguments, &settings) == 0 else {
            fail("this cannot be started: \(words.joined(separator: " "))")
        }
        self.pid = pid
        for end in given { close(end) }
        Self.listen(to: output, heard)
        Self.listen(to: errors.read) { [self] bytes, at in
            complained.withLock { $0 = ($0.first ?? at, $0.text + String(decoding: bytes, as: UTF8.self)) }
        }
    }

    /// The output on stderr.
    var complaints: String { complained.withLock { $0.text } }
    /// The time of its first output on stderr.
    var complainedAt: Double? { complained.withLock { $0.first } }

    func type(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        _ = write(keys, bytes, bytes.count)
    }

    /// Returns the exit status and CPU time if it has ended.
    func ended() -> (status: Int32, cpu: Double)? {
        var status: Int32 = 0
        var usage = rusage()
        guard wait4(pid, &status, WNOHANG, &usage) == pid else { return nil }
        return (status, seconds(usage.ru_utime) + seconds(usage.ru_stime))
    }

    /// The peak of its resident memory so far in MB; nil once it is ending.
    ///
    /// `ru_maxrss` would be wrong: in a spawned program it begins with the parent's value, because execve doesn't reset
    /// it.
    var peakMemory: Double? {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let size = line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap({ Double($0) })
        else { return nil }
        return size / 1024
    }

    /// Kills the process and waits for its end.
    func stop() {
        kill(pid, SIGKILL)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
    }

    // MARK: - Ends of pipes. No other child may inherit a copy

    private static func pipe() -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { fail("no pipe could be made") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Opens a terminal like `openpty`, which Swift can't see: unlocks the new terminal (TIOCSPTLCK) and gets its
    /// number (TIOCGPTN).
    private static func terminal() -> (keys: Int32, name: String) {
        let keys = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (lock, number): (Int32, Int32) = (0, 0)
        var size = winsize(ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
        guard keys >= 0, ioctl(keys, 0x4004_5431, &lock) == 0, ioctl(keys, 0x8004_5430, &number) == 0,
            ioctl(keys, UInt(TIOCSWINSZ), &size) == 0
        else { fail("no terminal could be made") }
        return (keys, "/dev/pts/\(number)")
    }

    /// Reads until all writers are gone. The end stays open, because a terminal's end also receives the keys.
    private static func listen(to end: Int32, _ heard: @escaping @Sendable (UnsafeRawBufferPointer, Double) -> Void) {
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = read(end, &buffer, buffer.count)
                let at = clockNow()
                guard count > 0 else { return }
                buffer.withUnsafeBytes { heard(UnsafeRawBufferPointer(rebasing: $0[..<count]), at) }
            }
        }
    }
}

func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
