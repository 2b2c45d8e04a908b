import TestSupport
import Testing
import VirtualDevices

/// The sound between a seat's devices, measured.
@Suite(.endsIfItHangs) struct SeatTests {
    @Test(arguments: kinds) func speechIsHeardWhole(_ kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind)
        defer { server.stop() }
        let tone = try take(3, into: Seat.first.mouth, from: Seat.first.microphone, of: server)
        // The first and last samples may be too quiet to count.
        #expect((143_996...144_000).contains(tone.count))
        #expect(Tone.breaks(in: tone) == 0)
    }

    @Test(arguments: kinds) func theExaminerIsHeardAtTheLoudspeaker(_ kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind)
        defer { server.stop() }
        let speaker = Seat.first.loudspeaker
        let tone = try take(1, into: speaker, from: speaker + ".monitor", of: server)
        #expect((47_996...48_000).contains(tone.count))
        #expect(Tone.breaks(in: tone) == 0)
    }

    /// Returns the best of three takes. A gap in one may be due to a busy machine, a gap in each is the server's fault.
    private func take(
        _ seconds: Double, into sink: String, from source: String, of server: SoundServer
    ) throws -> ArraySlice<Float> {
        var tone: ArraySlice<Float> = []
        for number in 1...3 {
            tone = Tone.audible(
                in: try server.record(from: source) { try server.play(Tone.lasting(seconds), into: sink) })
            let breaks = Tone.breaks(in: tone)
            print("\(server.kind.rawValue), take \(number): \(tone.count) samples, \(breaks) breaks, at \(source)")
            if breaks == 0 { break }
        }
        return tone
    }

    @Test(arguments: kinds) func seatsDoNotHearEachOther(_ kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind)
        defer { server.stop() }
        let anna = try server.addSeat("anna")
        let ben = try server.addSeat("ben")
        var atAnna: [Float] = []
        let atBen = try server.record(from: ben.microphone) {
            atAnna = try server.record(from: anna.microphone) {
                try server.play(Tone.lasting(0.5), into: anna.mouth)
            }
        }
        #expect(Tone.audible(in: atAnna).count > 20_000)
        #expect(Tone.audible(in: atBen).isEmpty)
    }

    @Test(arguments: kinds) func anUnpluggedMicrophoneIsGoneAndComesBack(_ kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind)
        defer { server.stop() }
        try server.unplugMicrophone()
        #expect(try !server.pactl("list", "short", "sources").contains("\tmicrophone\t"))
        try server.plugMicrophone()
        #expect(try server.pactl("get-default-source") == "microphone\n")
        let heard = try server.record(from: Seat.first.microphone) {
            try server.play(Tone.lasting(0.5), into: Seat.first.mouth)
        }
        #expect(Tone.audible(in: heard).count > 20_000)
    }

    @Test(arguments: kinds) func aMutedMicrophoneDeliversZeros(_ kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind)
        defer { server.stop() }
        try server.muteMicrophone()
        let muted = try server.record(from: Seat.first.microphone) {
            try server.play(Tone.lasting(0.5), into: Seat.first.mouth)
        }
        #expect(muted.count > 24_000)
        #expect(muted.allSatisfy { $0 == 0 })
        try server.unmuteMicrophone()
        let heard = try server.record(from: Seat.first.microphone) {
            try server.play(Tone.lasting(0.5), into: Seat.first.mouth)
        }
        #expect(Tone.audible(in: heard).count > 20_000)
    }

    @Test(arguments: kinds) func aSuspendedMicrophoneDeliversNothing(_ kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind)
        defer { server.stop() }
        guard kind == .pulseAudio else {
            #expect(throws: Unavailable.self) { try server.suspendMicrophone() }
            return
        }
        let heard = try server.record(from: Seat.first.microphone) {
            try server.suspendMicrophone()
            try server.play(Tone.lasting(1), into: Seat.first.mouth)
            try server.resumeMicrophone()
        }
        // The sound is from before and after the suspended second.
        #expect(heard.count < 40_000)
    }

    @Test(arguments: kinds) func aMovedRecordingHearsTheOtherSeat(_ kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind)
        defer { server.stop() }
        let anna = try server.addSeat("anna")
        let heard = try server.record(from: Seat.first.microphone) {
            try server.moveRecordings(to: anna.microphone)
            try server.play(Tone.lasting(1), into: anna.mouth)
        }
        // PipeWire needs a moment to make the new link.
        #expect(Tone.audible(in: heard).count > 40_000)
    }
}
