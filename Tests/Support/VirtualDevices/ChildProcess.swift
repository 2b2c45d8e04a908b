import Glibc
import Synchronization
import Waiting

/// A child process. Its pid is valid until its end has been collected, so a signal never reaches another process.
///
/// Foundation's `Process` isn't used, because it doesn't allow a choice of process group. Call it from any thread.
final class ChildProcess: Sendable {
    let pid: pid_t
    /// The wait status, once the process has ended and been collected.
    private let end = Mutex<Int32?>(nil)

    /// The destinations of a child's standard streams.
    struct Streams {
        /// A file descriptor to read from; nil for /dev/null.
        var input: Int32? = nil
        /// Files to append to, created with mode 0600.
        var output: String
        var errors: String
    }

    /// Starts `program`, found in `PATH`, with this environment and nothing else of this process: no other descriptor
    /// and no blocked signal. (A Dispatch thread blocks all signals, and a daemon started there would never receive
    /// SIGTERM.)
    /// - Parameter group: The process group to join; 0 to lead a new one.
    /// - Parameter carriesSound: Whether sound depends on it. It then gets priority for the processor if possible.
    init(
        _ program: String, _ arguments: [String], environment: [String: String], streams: Streams, group: pid_t,
        carriesSound: Bool = false
    ) throws {
        guard let path = Programs.path(of: program) else { throw Unavailable("\(program) is not installed.") }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input = streams.input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_addopen(&actions, 1, streams.output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, streams.errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        // A daemon with the writing end of a test's pipe would keep its reader waiting. Swift's Glibc lacks
        // `addclosefrom_np`. 1024 is the usual limit of open files, and closing a descriptor that isn't open is no
        // error.
        for descriptor: Int32 in 3..<1024 { posix_spawn_file_actions_addclose(&actions, descriptor) }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, group)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let words = ([program] + arguments).map { strdup($0) } + [nil]
        let settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in words + settings { free(word) } }

        var pid: pid_t = 0
        let code = posix_spawn(&pid, path, &actions, &attributes, words, settings)
        guard code == 0 else {
            throw Unavailable("\(program) could not be started: \(String(cString: strerror(code))).")
        }
        self.pid = pid
        // The priority that PulseAudio and PipeWire request of rtkit. Their later threads inherit it. Only root is
        // granted it; for others a busy machine may cause gaps in the sound.
        if carriesSound { setpriority(Int32(PRIO_PROCESS.rawValue), id_t(pid), -11) }
    }

    /// The wait status if it has ended; nil while it is running or frozen.
    var status: Int32? { end.withLock { noteEnd(&$0, options: WNOHANG) } }

    /// Sends a signal unless it has ended.
    func signal(_ number: Int32) {
        end.withLock { end in
            if noteEnd(&end, options: WNOHANG) == nil { _ = Glibc.kill(pid, number) }
        }
    }

    /// Waits for its end until `deadline` and returns the wait status; nil if it is still running.
    func wait(until deadline: ContinuousClock.Instant) -> Int32? {
        Patience.poll(until: deadline) { status }
    }

    /// Kills the process at once, like a crash, and waits for its end.
    func kill() {
        end.withLock { end in
            guard noteEnd(&end, options: WNOHANG) == nil else { return }
            _ = Glibc.kill(pid, SIGKILL)
            _ = noteEnd(&end, options: 0)
        }
    }

    /// Asks the process to end, even if it is frozen, and kills it after `grace`.
    func stop(grace: Duration = .seconds(2)) {
        signal(SIGTERM)
        signal(SIGCONT)
        if wait(until: .now + grace) == nil { kill() }
    }

    private func noteEnd(_ end: inout Int32?, options: Int32) -> Int32? {
        if end != nil { return end }
        var status: Int32 = 0
        while true {
            let answer = waitpid(pid, &status, options)
            if answer == pid { end = status }
            // Another function collected its end (SIGCHLD is ignored in this process). It is gone anyway.
            if answer == -1 && errno == ECHILD { end = 0 }
            if answer == -1 && errno == EINTR { continue }
            return end
        }
    }
}
