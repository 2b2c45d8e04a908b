import ExamCore
import ExamKit
import Foundation
import SessionFolders
import Synchronization
import SystemSupport
import TestSupport
import Testing
import VirtualDevices

@testable import PulseRoom

/// The ends of plays in a room. Each play has one end, and never that of another play.
@Suite(.serialized, .enabled(if: Stage.pulseAudio != nil, "\(Stage.obstacle)"))
struct PlaysInARoom {
    private let stage = Stage.pulseAudio!

    private func room(_ seat: String) async throws -> PulseAudioRoom {
        let seat = try stage.addSeat(seat)
        var settings = PulseAudioRoom.Settings()
        settings.server = stage.address
        settings.microphone = seat.microphone
        settings.loudspeaker = seat.loudspeaker
        return try await PulseAudioRoom(settings)
    }

    private func prompt(_ path: String) -> Prompt { Prompt(clip: Clip(id: "name", text: ""), path: path) }

    /// The end of the first play waits behind a pause and a continue that were requested before it came. The clip plays
    /// again, so a take that opened at that end would contain the examiner.
    @Test(.endsIfItHangs) func theEndOfAnEarlierPlayOfAClipEndsNoLaterOne() async throws {
        let folder = try TemporaryFolder()
        try Sounds.write(Sounds.tone(seconds: 1), to: folder.path + "/tone.wav")
        let room = try await room("again")
        room.play(prompt(folder.path + "/tone.wav"))
        // The clip has ended unseen. If a busy machine takes longer, it is stopped instead, which reports no end
        // either.
        try await Task.sleep(for: .milliseconds(1_500))
        room.stopPlaying()
        room.play(prompt(folder.path + "/tone.wav"))
        let began = SteadyClock.now
        var ended: [Duration] = []
        // Stops once 1.5 s of sound have followed the end.
        var blocksAfter = 0
        while blocksAfter < 75, let moment = await room.next() {
            if case .heard = moment.what, !ended.isEmpty { blocksAfter += 1 }
            guard case .happened(let event) = moment.what else { continue }
            #expect(event == .promptEnded("name"))
            ended.append(SteadyClock.now - began)
        }
        #expect(ended.count == 1 && ended[0] >= .milliseconds(950), "\(ended)")
    }

    /// A recording that can't be opened or is cut off fails once, and the next one plays.
    @Test(.endsIfItHangs) func aRecordingThatIsBrokenFailsOnceAndTheNextOnePlays() async throws {
        let folder = try TemporaryFolder()
        let sound = try Data(contentsOf: URL(filePath: "\(Sounds.fixtures)/answers/short.flac"))
        try sound.prefix(sound.count / 2).write(to: URL(filePath: folder.path + "/cut.flac"))
        try Data("Dear aunt".utf8).write(to: URL(filePath: folder.path + "/letter.flac"))
        try Sounds.write(Sounds.tone(seconds: 0.2), to: folder.path + "/tone.wav")
        let room = try await room("broken")
        for (file, expected) in [
            ("cut.flac", Exam.Event.promptFailed("name")), ("letter.flac", .promptFailed("name")),
            ("gone.flac", .promptFailed("name")), ("tone.wav", .promptEnded("name")),
        ] {
            room.play(prompt("\(folder.path)/\(file)"))
            var events: [Exam.Event] = []
            // Stops once a second of sound has followed the first event.
            var blocksAfter = 0
            while blocksAfter < 50, let moment = await room.next() {
                if case .heard = moment.what, !events.isEmpty { blocksAfter += 1 }
                if case .happened(let event) = moment.what { events.append(event) }
            }
            #expect(events == [expected], "\(file)")
        }
    }

    /// Clips that can't be played are skipped, and the candidate is told so until others are played. Everything else is
    /// asked and answered.
    @Test(.endsIfItHangs) func anExamGoesOnWithoutWordsThatCannotBePlayed() async throws {
        let home = try TemporaryFolder()
        let prompts = home.path + "/prompts"
        try FileManager.default.copyItem(atPath: "\(Sounds.fixtures)/prompts", toPath: prompts)
        let sitting = try await PocketExam.sitting(
            ExaminerVoice(recordings: [prompts], cache: "/proc/nowhere"))
        // The files are whole when the exam is prepared. Then one is cut off, and one is replaced by text.
        let sound = try Data(contentsOf: URL(filePath: "\(Sounds.fixtures)/answers/short.flac"))
        let broken = ["where": sound.prefix(sound.count / 2), "library": Data("Dear aunt".utf8)]
        for (clip, prompt) in sitting.recordings {
            try broken[clip.id]?.write(to: URL(filePath: prompt.path))
        }
        let folder = try SessionFolder.create(at: home.path + "/session")
        let problems = Mutex<[String?]>([])
        let result = try await PocketExam.hold(
            sitting, in: folder, at: try stage.addSeat("unsaid"), of: stage,
            shown: { view in problems.withLock { if $0.last != .some(view.problem) { $0.append(view.problem) } } })
        #expect(result.outcome == .completed)
        #expect(result.takes.map(\.question) == ["name", "where", "library", "place-card", "towns"])
        #expect(result.takes.allSatisfy { $0.end == "finished" })
        let events = try LogLine.all(of: folder.log).map(\.event)
        #expect(events.filter { $0.hasPrefix("promptFailed") } == ["promptFailed where", "promptFailed library"])
        let endings = events.filter { $0.hasPrefix("prompt") }
        #expect(Set(endings).count == endings.count, "one play has two ends")
        let said = problems.withLock { $0 }.map { $0?.hasPrefix("The examiner's last words could not be played.") }
        #expect(said == [nil, true, nil])
    }

    /// Recorder and detector get their sound from one stream, before and after a device is lost.
    @Test(.endsIfItHangs) func aRoomHearsThroughOneStream() async throws {
        let server = try SoundServer(.pulseAudio)
        defer { server.stop() }
        var settings = PulseAudioRoom.Settings()
        settings.server = server.address
        let room = try await PulseAudioRoom(settings)
        // Only streams of programs, because the virtual microphone is a stream of the sound server itself.
        func streams() throws -> Int {
            try server.pactl("list", "short", "source-outputs").split(separator: "\n")
                .count { $0.contains("protocol-native") }
        }
        #expect(try streams() == 1)
        let folder = try TemporaryFolder()
        try Sounds.write(Sounds.tone(seconds: 0.5), to: folder.path + "/tone.wav")
        room.play(prompt(folder.path + "/tone.wav"))
        var counts: Set<Int> = []
        var heard = 0
        while heard < 50, let moment = await room.next() {
            if case .heard = moment.what { heard += 1 }
            if heard % 5 == 0 { counts.insert(try streams()) }
        }
        #expect(counts == [1])
        try server.unplugMicrophone()
        while let moment = await room.next() {
            if case .happened(.deviceLost) = moment.what { break }
        }
        try server.plugMicrophone()
        while let moment = await room.next() {
            if case .happened(.deviceBack) = moment.what { break }
        }
        #expect(try streams() == 1, "the lost stream is closed, and one is opened")
    }
}
