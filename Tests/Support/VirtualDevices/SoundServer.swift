import Glibc
import Synchronization
public import Waiting

/// A private sound server with virtual devices. Sound that a test plays into the mouth is heard by a program at the
/// microphone.
///
/// It lives in a private folder in /tmp, needs neither D-Bus nor systemd nor real-time scheduling, uses no
/// configuration of a user, and may run beside others and as root. It ends with `stop()`, with its last reference, or
/// when this process ends in any way. So it may also be a `static let` shared by many tests, each with its own `Seat`.
/// Call it from any thread. Calls block for a few milliseconds up to the given deadlines.
///
///     let server = try SoundServer(.pulseAudio)
///     let heard = try server.record(from: Seat.first.microphone) {
///         try server.play(tone, into: Seat.first.mouth)
///     }
public final class SoundServer: Sendable {
    public let kind: Kind
    /// The address for `PULSE_SERVER` or `pa_context_connect`: "unix:/tmp/oracy-sound-…/native".
    public let address: String
    let den: Den
    let state = Mutex(State())

    struct State {
        /// The program that clients talk to: `pulseaudio` or `pipewire-pulse`; nil between `kill` and `restart`.
        var pulse: ChildProcess?
        /// The programs that it needs, in the order of starting: none, or `pipewire` and `wireplumber`.
        var foundation: [ChildProcess] = []
        /// The seats in the order in which they were added.
        var seats: [Seat] = []
        /// The server's number of the module of each present device.
        var modules: [String: String] = [:]
        var stopped = false
    }

    /// Starts the server, with the devices of `Seat.first` as default sink and source.
    /// - Throws: `Unavailable` if its programs are not installed, or it is not up within `Patience.limit`.
    public init(_ kind: Kind) throws {
        if let obstacle = kind.obstacle { throw Unavailable(obstacle) }
        den = try Den()
        self.kind = kind
        address = "unix:\(den.folder)/native"
        do {
            try state.withLock { state in
                if kind == .pipeWire { try startFoundation(&state) }
                state.seats = [.first]
                try startPulse(&state)
            }
        } catch {
            stop()
            throw error
        }
    }

    deinit { stop() }

    /// The environment that lets a child process use this server and no other. Only `PATH` is inherited.
    public var environment: [String: String] {
        [
            "PATH": Programs.searchPath, "HOME": "\(den.folder)/home", "XDG_RUNTIME_DIR": den.folder,
            "LC_ALL": "C.UTF-8", "PULSE_SERVER": address,
        ].merging(kind == .pipeWire ? PipeWireSettings.environment(in: den.folder) : [:]) { own, _ in own }
    }

    /// Runs `pactl` and returns its output.
    /// - Throws: `CommandFailure`; `.unanswered` after `time`, for example because the server is frozen.
    @discardableResult
    public func pactl(_ arguments: String..., within time: Duration = Patience.limit) throws -> String {
        try pactl(arguments, within: time)
    }

    func pactl(_ arguments: [String], within time: Duration) throws -> String {
        let command = try den.begin("pactl", arguments, environment: environment)
        return String(decoding: try command.answer(within: time), as: UTF8.self)
    }

    /// Kills the program that clients talk to, like a crash, and returns when it is dead. The devices are gone with it.
    /// With PipeWire this is `pipewire-pulse`, and the graph behind it stays.
    public func kill() {
        state.withLock { state in
            state.pulse?.kill()
            state.pulse = nil
            state.modules = [:]
        }
    }

    /// Restarts the program after `kill`: the same address, the same seats, all microphones plugged in.
    /// - Throws: `Unavailable` if it isn't running within `Patience.limit`.
    public func restart() throws {
        try state.withLock { state in
            precondition(!state.stopped, "A stopped server does not come back; start another.")
            precondition(state.pulse == nil, "Only a killed server can be restarted.")
            try startPulse(&state)
        }
    }

    /// Freezes the program that clients talk to (SIGSTOP). Connections stay, but nothing is answered, and no sound
    /// moves.
    public func freeze() {
        state.withLock { $0.pulse?.signal(SIGSTOP) }
    }

    /// Lets a frozen server continue.
    public func thaw() {
        state.withLock { $0.pulse?.signal(SIGCONT) }
    }

    /// Ends only the started programs, waits for them, and removes the folder. A second call does nothing.
    public func stop() {
        state.withLock { state in
            guard !state.stopped else { return }
            state.stopped = true
            for process in [state.pulse].compactMap({ $0 }) + state.foundation.reversed() { process.stop() }
            den.clear()
        }
    }
}
