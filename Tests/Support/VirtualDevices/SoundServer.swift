import Glibc
import Synchronization
public import Waiting

/// A sound server of one's own, with virtual devices: what a test plays into the mouth, a program hears at the microphone.
///
/// It lives in a private folder in /tmp, needs neither D-Bus nor systemd nor real-time scheduling, reads and writes nobody's
/// configuration, and may run beside others and as root. It ends with `stop()`, with its last reference, or with this process
/// in whatever way that ends; so it may also be a `static let` shared by many tests, each with a `Seat` of its own.
/// All calls may come from any thread; they block for a few milliseconds up to the deadlines named.
///
///     let server = try SoundServer(.pulseAudio)
///     let heard = try server.record(from: Seat.first.microphone) {
///         try server.play(tone, into: Seat.first.mouth)
///     }
public final class SoundServer: Sendable {
    public let kind: Kind
    /// For `PULSE_SERVER` or `pa_context_connect`: "unix:/tmp/oracy-sound-…/native".
    public let address: String
    let den: Den
    let state = Mutex(State())

    struct State {
        /// What clients talk to: `pulseaudio` or `pipewire-pulse`; nil between `kill` and `restart`.
        var pulse: ChildProcess?
        /// What it needs in turn, in the order of starting: nothing, or `pipewire` and `wireplumber`.
        var foundation: [ChildProcess] = []
        /// The seats, in the order of coming.
        var seats: [Seat] = []
        /// The server's number for the module behind each device now there.
        var modules: [String: String] = [:]
        var stopped = false
    }

    /// Starts it, with the devices of `Seat.first` as default sink and source.
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

    /// What a child process needs to talk to this server and to no other; nothing else is inherited but `PATH`.
    public var environment: [String: String] {
        [
            "PATH": Programs.searchPath, "HOME": "\(den.folder)/home", "XDG_RUNTIME_DIR": den.folder,
            "LC_ALL": "C.UTF-8", "PULSE_SERVER": address,
        ].merging(kind == .pipeWire ? PipeWireSettings.environment(in: den.folder) : [:]) { own, _ in own }
    }

    /// Runs `pactl` and returns what it printed.
    /// - Throws: `CommandFailure`; `.unanswered` after `time`, as when the server is frozen.
    @discardableResult
    public func pactl(_ arguments: String..., within time: Duration = Patience.limit) throws -> String {
        try pactl(arguments, within: time)
    }

    func pactl(_ arguments: [String], within time: Duration) throws -> String {
        let command = try den.begin("pactl", arguments, environment: environment)
        return String(decoding: try command.answer(within: time), as: UTF8.self)
    }

    /// Kills what clients talk to, without a goodbye, and returns when it is dead: a crash. The devices are gone with it.
    /// With PipeWire that is `pipewire-pulse`; the graph behind it stays.
    public func kill() {
        state.withLock { state in
            state.pulse?.kill()
            state.pulse = nil
            state.modules = [:]
        }
    }

    /// Brings back what `kill` took: the same address, the same seats, all microphones plugged in.
    /// - Throws: `Unavailable` if it is not up within `Patience.limit`.
    public func restart() throws {
        try state.withLock { state in
            precondition(!state.stopped, "A stopped server does not come back; start another.")
            precondition(state.pulse == nil, "Only a killed server can be restarted.")
            try startPulse(&state)
        }
    }

    /// Stops the clock of what clients talk to (SIGSTOP): connections stay, nothing is answered, no sound moves.
    public func freeze() {
        state.withLock { $0.pulse?.signal(SIGSTOP) }
    }

    /// Lets a frozen server go on.
    public func thaw() {
        state.withLock { $0.pulse?.signal(SIGCONT) }
    }

    /// Ends what was started, and only that, waits for it, and removes the folder. A second call does nothing.
    public func stop() {
        state.withLock { state in
            guard !state.stopped else { return }
            state.stopped = true
            for process in [state.pulse].compactMap({ $0 }) + state.foundation.reversed() { process.stop() }
            den.clear()
        }
    }
}
