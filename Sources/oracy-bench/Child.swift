import Foundation
import Glibc
import Synchronization

/// Seconds on the clock that everything live is dated by: CLOCK_MONOTONIC, which every process here shares.
func clockNow() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// A program under way that is typed to and listened to while it runs.
///
/// What it gets and what it prints goes through pipes, or through a terminal of 100 × 30 where it is to draw a screen.
final class Child: Sendable {
    let pid: pid_t
    /// Just before it was started.
    let startedAt: Double
    private let keys: Int32
    private let complained = Mutex<(first: Double?, text: String)>((nil, ""))

    enum Face { case pipe, terminal }

    /// - Parameter heard: gets what it prints and when it was there, on a thread of its own.
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

    /// All that it said on stderr.
    var complaints: String { complained.withLock { $0.text } }
    /// When it first did.
    var complainedAt: Double? { complained.withLock { $0.first } }

    func type(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        _ = write(keys, bytes, bytes.count)
    }

    /// Whether it still runs; what it used where it has ended.
    func ended() -> (status: Int32, cpu: Double)? {
        var status: Int32 = 0
        var usage = rusage()
        guard wait4(pid, &status, WNOHANG, &usage) == pid else { return nil }
        return (status, seconds(usage.ru_utime) + seconds(usage.ru_stime))
    }

    /// Its peak resident memory so far, MB; nil once it is ending.
    ///
    /// Not `ru_maxrss`: that of a spawned program begins with what its parent had (it is not forgotten by execve).
    var peakMemory: Double? {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let size = line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap({ Double($0) })
        else { return nil }
        return size / 1024
    }

    /// Ends it and takes note.
    func stop() {
        kill(pid, SIGKILL)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
    }

    // MARK: - Ends of pipes, of which no other child may have a copy

    private static func pipe() -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { fail("no pipe could be made") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// As `openpty` does it, which Swift does not see: unlock the new terminal (TIOCSPTLCK), ask its number (TIOCGPTN).
    private static func terminal() -> (keys: Int32, name: String) {
        let keys = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (lock, number): (Int32, Int32) = (0, 0)
        var size = winsize(ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
        guard keys >= 0, ioctl(keys, 0x4004_5431, &lock) == 0, ioctl(keys, 0x8004_5430, &number) == 0,
            ioctl(keys, UInt(TIOCSWINSZ), &size) == 0
        else { fail("no terminal could be made") }
        return (keys, "/dev/pts/\(number)")
    }

    /// Until nobody can say anything more. The end stays open: a terminal's takes the keys, too.
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
