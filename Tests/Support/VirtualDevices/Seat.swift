import Synchronization
import Waiting

/// A candidate's place at a sound server: a loudspeaker for the examiner, a mouth, and a microphone that hears the
/// mouth.
///
/// The names are those of the devices: two sinks and a source at 48 kHz. To clients, the microphone isn't a monitor.
public struct Seat: Sendable, Equatable {
    /// A stereo sink. Its sound can be recorded from `loudspeaker.monitor`.
    public let loudspeaker: String
    /// A mono sink. The sound that a test plays into it is spoken.
    public let mouth: String
    /// A mono source, at which the spoken sound arrives.
    public let microphone: String

    /// The seat that every server has, with the default devices "loudspeaker", "mouth", "microphone".
    public static let first = Seat(prefix: "")

    init(prefix: String) {
        loudspeaker = prefix + "loudspeaker"
        mouth = prefix + "mouth"
        microphone = prefix + "microphone"
    }
}

extension SoundServer {
    /// Adds a seat whose devices are named "<name>-loudspeaker" and so on, so that tests can share a server.
    public func addSeat(_ name: String) throws -> Seat {
        let seat = Seat(prefix: name + "-")
        try state.withLock { state in
            precondition(!state.seats.contains(seat), "The seat \(name) is taken.")
            try furnish(seat, &state)
            state.seats.append(seat)
        }
        return seat
    }

    /// Unplugs the microphone: the source disappears, and streams that may be moved go to another source.
    public func unplugMicrophone(of seat: Seat = .first) throws {
        try state.withLock { state in
            guard let module = state.modules[seat.microphone] else { return }
            try pactl("unload-module", module)
            state.modules[seat.microphone] = nil
            try waitUntil(seat.microphone, isThere: false)
        }
    }

    /// Plugs the microphone in again. The first seat's microphone becomes the default source again.
    public func plugMicrophone(of seat: Seat = .first) throws {
        try state.withLock { state in
            guard state.modules[seat.microphone] == nil else { return }
            try loadMicrophone(seat, &state)
            if seat == .first { try makeDefault(seat) }
        }
    }

    /// Loads the modules of a seat's devices and waits until clients can see them.
    func furnish(_ seat: Seat, _ state: inout State) throws {
        for (sink, channels) in [(seat.loudspeaker, 2), (seat.mouth, 1)] {
            var module = ["module-null-sink", "sink_name=\(sink)", "rate=48000", "channels=\(channels)"]
            // Without this option PulseAudio 16.1 rewinds and loses sound: 4.79 s took 6.1 s to play, with a gap of
            // 1.47 s.
            if kind == .pulseAudio { module.append("norewinds=1") }
            state.modules[sink] = try load(module)
        }
        try loadMicrophone(seat, &state)
    }

    private func loadMicrophone(_ seat: Seat, _ state: inout State) throws {
        // The channel is named because PipeWire would otherwise make two of one.
        state.modules[seat.microphone] = try load([
            "module-remap-source", "master=\(seat.mouth).monitor", "source_name=\(seat.microphone)", "channels=1",
            "channel_map=mono", "master_channel_map=mono",
        ])
        try waitUntil(seat.microphone, isThere: true)
    }

    private func load(_ module: [String]) throws -> String {
        let number = try pactl(["load-module"] + module, within: Patience.limit)
        return String(number.filter { $0 != "\n" })
    }

    /// Makes a seat's devices the defaults and waits until clients know. WirePlumber takes a moment, and refuses until
    /// it has started.
    func makeDefault(_ seat: Seat) throws {
        let deadline = ContinuousClock.now + Patience.limit
        var refusal: CommandFailure?
        let done = try Patience.poll(until: deadline) { () -> Bool? in
            do {
                if try pactl("get-default-sink") != "\(seat.loudspeaker)\n" {
                    try pactl("set-default-sink", seat.loudspeaker)
                } else if try pactl("get-default-source") != "\(seat.microphone)\n" {
                    try pactl("set-default-source", seat.microphone)
                } else {
                    return true
                }
            } catch let failure as CommandFailure {
                if case .unanswered = failure { throw failure }
                refusal = failure
            }
            return nil
        }
        guard done == nil else { return }
        throw Unavailable("The default devices were not taken in time: \(refusal?.description ?? "not said why").")
    }

    private func waitUntil(_ source: String, isThere: Bool) throws {
        let done = try Patience.poll { () -> Bool? in
            try table("sources").contains { $0[1] == source } == isThere ? true : nil
        }
        guard done == nil else { return }
        throw Unavailable("The source \(source) did not \(isThere ? "come" : "go") in time.")
    }
}
