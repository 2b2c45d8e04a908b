import Waiting

/// Faults of a microphone in use, other than pulling its plug.
extension SoundServer {
    /// Suspends the microphone. It stays listed, and a recording stays open, but nothing arrives, not even silence.
    ///
    /// Only with PulseAudio: PipeWire 0.3.65 answers yes, but continues a recording without a gap.
    /// - Throws: `Unavailable` with PipeWire.
    public func suspendMicrophone(of seat: Seat = .first) throws {
        guard kind == .pulseAudio else {
            throw Unavailable("PipeWire wakes a suspended source as long as someone records from it.")
        }
        try pactl("suspend-source", seat.microphone, "1")
    }

    /// Wakes a suspended microphone. Sound in between is lost.
    public func resumeMicrophone(of seat: Seat = .first) throws {
        try pactl("suspend-source", seat.microphone, "0")
    }

    /// Mutes the microphone, so that zeros arrive.
    public func muteMicrophone(of seat: Seat = .first) throws {
        try pactl("set-source-mute", seat.microphone, "1")
    }

    /// Unmutes the microphone.
    public func unmuteMicrophone(of seat: Seat = .first) throws {
        try pactl("set-source-mute", seat.microphone, "0")
    }

    /// Moves every recording at one seat's microphone to another source, like a user in a volume control, and returns
    /// when they are listed there. With PipeWire the sound may follow a moment later.
    /// - Throws: `CommandFailure.refused` if a client forbids it (`PA_STREAM_DONT_MOVE`); `Unavailable` if there is no
    ///   recording in time, or none arrives.
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
            // A busy WirePlumber may miss a request during its linking, and ignores an equal request afterwards.
            for recording in moved { try pactl("move-source-output", recording, seat.microphone) }
            return nil
        }
        if arrived == nil { throw Unavailable("The recordings did not arrive at \(source) in time.") }
    }

    /// Returns the server's numbers of the recordings at a source.
    private func recordings(at source: String) throws -> [String] {
        guard let number = try table("sources").first(where: { $0[1] == source })?[0] else { return [] }
        return try table("source-outputs").filter { $0[1] == number }.map { $0[0] }
    }

    /// Returns the output of `pactl list short`: a row for each object, beginning with its number.
    func table(_ objects: String) throws -> [[String]] {
        try pactl("list", "short", objects).split(separator: "\n").map { row in
            row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }
}
