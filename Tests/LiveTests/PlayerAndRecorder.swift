import AudioFiles
import ExamCore
import Foundation
import TestSupport
import Testing
import VirtualDevices
import Waiting

@testable import PulseRoom

/// The player and the recorder by themselves, on the tests' own sound server.
@Suite(.serialized, .enabled(if: Stage.pulseAudio != nil, "\(Stage.obstacle)"))
struct PlayerAndRecorder {
    private let stage = Stage.pulseAudio!

    @Test func aPlayedFileIsHeardWholeAndEndsOnce() async throws {
        let seat = try stage.addSeat("whole")
        let server = try PulseServer(stage.address)
        let heard = Heard()
        let devices = try server.devices()
        let recorder = try Recorder(
            try #require(devices.chosen(.microphone, named: seat.microphone)), on: server, report: heard.report)
        defer { recorder.close() }
        let player = Player(on: server, loudspeaker: seat.mouth)
        let endings = Endings()
        let file = "\(Sounds.fixtures)/answers/home-2.flac"
        try player.play(file, ended: endings.report)
        #expect(throws: Player.Busy.self) { try player.play(file, ended: endings.report) }
        #expect(player.isPlaying)
        #expect(player.duration == (try duration(ofSoundFile: file)))
        #expect(await Patience.wait { !endings.all.isEmpty })
        try await heard.more(.milliseconds(200))
        #expect(endings.all == [.finished])
        #expect(!player.isPlaying && player.position == nil)
        let said = try Sounds.samples(file)
        let samples = heard.now.samples
        let first = Sounds.place(said[8_000..<16_000], in: samples[...])
        let last = Sounds.place(said[(said.count - 16_000)..<(said.count - 8_000)], in: samples[...])
        #expect(abs((last.offset - first.offset) - (said.count - 16_000 - 8_000)) <= 4, "no sample is lost between")
        #expect(first.likeness > 0.9 && last.likeness > 0.9)
        #expect(heard.now.lost.isEmpty)
    }

    @Test func stoppingIsHeardAtOnceAndMayBeDoneTwice() async throws {
        let server = try PulseServer(stage.address)
        let heard = Heard()
        let recorder = try Recorder(.monitor("loudspeaker.monitor"), on: server, report: heard.report)
        defer { recorder.close() }
        let folder = try TemporaryFolder()
        try Sounds.write(Sounds.tone(seconds: 20), to: folder.path + "/tone.wav")
        let player = Player(on: server, loudspeaker: "loudspeaker")
        for _ in 0..<5 {
            let endings = Endings()
            try player.play(folder.path + "/tone.wav", ended: endings.report)
            #expect(await Patience.wait { heard.now.samples.suffix(640).contains { abs($0) > 0.1 } })
            try await eventually("the player says that 600 ms were played") {
                player.position ?? .zero >= .milliseconds(600)
            }
            let before = heard.now.samples.count
            player.stop()
            player.stop()
            #expect(endings.all == [.stopped])
            try await heard.more(SchedulingTolerance.stop + .milliseconds(300))
            let samples = heard.now.samples
            // Counted in samples after the stop, not by the clock.
            let loud = try #require(samples.lastIndex { abs($0) > 0.05 })
            #expect(loud - before < SchedulingTolerance.stop.milliseconds * 16)
        }
    }
}

/// One sound server for all tests of this process. Each test takes a seat of its own.
enum Stage {
    private static let started = Result { try SoundServer(.pulseAudio) }
    static var pulseAudio: SoundServer? { try? started.get() }
    static var obstacle: Comment {
        if case .failure(let error) = started { "\(error)" } else { "" }
    }
}
