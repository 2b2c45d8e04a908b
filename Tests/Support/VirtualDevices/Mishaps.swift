import Waiting

/// What may befall a microphone in use, short of its plug being pulled.
extension SoundServer {
    /// Suspends the microphone: it stays listed, a recording stays open, and nothing arrives, not even silence.
    ///
    /// Only with PulseAudio: PipeWire 0.3.65 answers yes and lets a recording go on without a gap.
    /// - Throws: `Unavailable` with PipeWire.
    public func suspendMicrophone(of seat: Seat = .first) throws {
        guard kind == .pulseAudio else {
            throw Unavailable("PipeWire wakes a suspended source as long as someone records from it.")
        }
        try pactl("suspend-source", seat.microphone, "1")
    }

    /// Wakes a suspended microphone; what was spoken in between is lost.
    public func resumeMicrophone(of seat: Seat = .first) throws {
        try pactl("suspend-source", seat.microphone, "0")
    }

    /// Mutes the microphone: zeros arrive.
    public func muteMicrophone(of seat: Seat = .first) throws {
        try pactl("set-source-mute", seat.microphone, "1")
    }

    /// Unmutes the microphone.
    public func unmuteMicrophone(of seat: Seat = .first) throws {
        try pactl("set-source-mute", seat.microphone, "0")
    }

    /// Moves every recording at one seat's microphone to another source, as a user does in a volume control, and returns when
    /// they are listed there; with PipeWire the sound may follow a moment later.
    /// - Throws: `CommandFailure.refused` where a client forbids it (`PA_STREAM_DONT_MOVE`), `Unavailable` if in time
    ///   there is no recording, or none arrives.
    public func moveRecordings(of seat: Seat = .first, to source: String) throws {
        let deadline = ContinuousClock.now + Patience.limit
        let moved = try Patience.poll(until: deadline) { () -> [String]? in
            let recordings = try recordings(at: seat.microphone)
            return recordings.isEmpty ? nil : recordings
        }
        guard let moved else { throw Unavailable("Nobody records from \(seat.microphone).") }
        let arrived = try Patience.poll(until: deadline) { () -> Bool? in
            for recording in moved { try pactl("move-source-output", recording, source) }
            let came = try Patience.poll(until: .now + .seconds(1)) { () -> Bool? in
                try Set(recordings(at: source)).isSuperset(of: moved) ? true : nil
            }
            if came != nil { return true }
            // A busy WirePlumber may miss a wish that falls into its linking, and hears the same wish no second time.
            for recording in moved { try pactl("move-source-output", recording, seat.microphone) }
            return nil
        }
        if arrived == nil { throw Unavailable("The recordings did not arrive at \(source) in time.") }
    }

    /// The server's numbers of the recordings now at a source.
    private func recordings(at source: String) throws -> [String] {
        guard let number = try table("sources").first(where: { $0[1] == source })?[0] else { return [] }
        return try table("source-outputs").filter { $0[1] == number }.map { $0[0] }
    }

    /// `pactl list short`: a row for each object, its number first.
    func table(_ objects: String) throws -> [[String]] {
        try pactl("list", "short", objects).split(separator: "\n").map { row in
            row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }
}
