import Synchronization
import Testing
import VirtualDevices

/// What is spoken and heard, measured.
@Suite(.timeLimit(.minutes(2))) struct SeatTests {
    @Test(arguments: kinds) func whatIsSpokenIsHeardWhole(_ kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind)
        defer { server.stop() }
        let heard = try server.record(from: Seat.first.microphone) {
            try server.play(Tone.lasting(3), into: Seat.first.mouth)
        }
        let tone = Tone.audible(in: heard)
        print("\(kind.rawValue): heard \(tone.count) of 144000 samples, \(Tone.breaks(in: tone)) breaks")
        // The outermost samples may be too quiet to count.
        #expect((143_996...144_000).contains(tone.count))
        #expect(Tone.breaks(in: tone) == 0)
    }

    @Test(arguments: kinds) func whatTheExaminerSaysIsHeardAtTheLoudspeaker(_ kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind)
        defer { server.stop() }
        let heard = try server.record(from: Seat.first.loudspeaker + ".monitor") {
            try server.play(Tone.lasting(1), into: Seat.first.loudspeaker)
        }
        let tone = Tone.audible(in: heard)
        #expect((47_996...48_000).contains(tone.count))
        #expect(Tone.breaks(in: tone) == 0)
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
        #expect(Tone.audible(in: atAnna).count > 23_990)
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
        #expect(Tone.audible(in: heard).count > 23_990)
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
        #expect(Tone.audible(in: heard).count > 23_990)
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
        // What there is comes from before and after the second that was suspended.
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
        // PipeWire needs a moment to link anew.
        #expect(Tone.audible(in: heard).count > 40_000)
    }
}
