import AudioFiles
import ExamCore
import Foundation
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import ExamKit
@testable import SessionFolders

/// The whole loop, from a room's sound to the files on disk.
@Suite struct SessionTests {
    /// In Part 3 the candidate plays one recording over and over.
    private let talkative = Candidate(turns: [:], otherwise: .says(Fixtures.answer("connecting-2")))

    private func hold(
        _ candidate: Candidate,
        in folder: TemporaryFolder,
        encoding: Bool = false
    ) async throws -> SessionResult {
        let sitting = try await Fixtures.partThree()
        let room = try ReplayRoom(sitting, candidate: candidate, surroundings: .init(tone: nil))
        let session = try Session(
            sitting, in: room, folder: .create(at: folder.path + "/session"), encoding: encoding)
        return try await session.run()
    }

    @Test func aTakeHoldsTheSpeechSampleForSample() async throws {
        let folder = try TemporaryFolder()
        let result = try await hold(talkative, in: folder)
        let take = try Fixtures.samples("\(result.folder.path)/\(result.takes[0].file)")
        let said = try Fixtures.samples(Fixtures.answer("connecting-2"))
        // The take begins with the last second of the prompt. Then `says` waits 0.6 s.
        let leadIn = AudioFormat.sampleCount(in: try #require(result.takes[0].record.leadIn).duration)
        let wait = leadIn + 600 * 16
        #expect(leadIn == 16_000)
        #expect(take.prefix(wait).allSatisfy { $0 == 0 })
        #expect(take.count > wait + said.count)
        #expect(Array(take[wait..<(wait + said.count)]) == said)
        #expect(result.outcome == .completed)
    }

    /// Each take is the same recording, once as it is and once amplified by 24 dB beyond full scale.
    @Test func theShareThatClippedAndTheResponseLatencyAreMeasured() async throws {
        let folder = try TemporaryFolder()
        let said = try Fixtures.samples(Fixtures.answer("connecting-2"))
        let loud = folder.path + "/loud.wav"
        try Fixtures.write(said.map { min(max($0 * 16, -1), 1) }, to: loud)
        let clean = try await hold(talkative, in: folder)
        let other = try TemporaryFolder()
        let clipped = try await hold(Candidate(turns: [:], otherwise: .says(loud)), in: other)
        for take in clean.takes {
            #expect(take.clippedShare == 0)
            // `says` waits 0.6 s, and the recording begins with a short pause.
            #expect(try (0.5...1.2).contains(#require(take.responseLatency).duration / .seconds(1)))
        }
        #expect(!clipped.takes.isEmpty)
        for take in clipped.takes { #expect(try (0.01...0.9).contains(#require(take.clippedShare)), "\(take)") }
        let manifest = try #require(try clipped.folder.readManifest())
        #expect(manifest.takes == clipped.takes)
    }

    /// Half a minute of a loudspeaker at full volume and a silent candidate: the microphone hears the loudspeaker, but
    /// no take contains it after its lead-in.
    @Test func answersDoNotContainTheExaminer() async throws {
        let folder = try TemporaryFolder()
        let sitting = try await Fixtures.partThree()
        var surroundings = ReplayRoom.Surroundings(tone: nil)
        surroundings.leak = 0
        let loudBlocks = Mutex(0)
        let room = ObservedRoom(
            room: try ReplayRoom(
                sitting, candidate: Candidate(turns: [:], otherwise: .init()), surroundings: surroundings),
            hear: { block in
                if block.samples.contains(where: { abs($0) > 0.1 }) { loudBlocks.withLock { $0 += 1 } }
            },
            watch: { _ in })
        let result = try await Session(
            sitting, in: room, folder: .create(at: folder.path + "/session"), encoding: false
        ).run()
        #expect(AudioFormat.blockDuration * loudBlocks.withLock { $0 } > .seconds(20), "\(loudBlocks.withLock { $0 })")
        #expect(result.takes.count > 3)
        for take in result.takes {
            #expect(take.end == "noAnswer")
            let leadIn = AudioFormat.sampleCount(in: try #require(take.record.leadIn).duration)
            let samples = try Fixtures.samples("\(result.folder.path)/\(take.file)")
            #expect(leadIn == 16_000 && samples.prefix(leadIn).contains { $0 != 0 })
            #expect(samples.dropFirst(leadIn).allSatisfy { $0 == 0 }, "\(take.file)")
        }
    }

    @Test func closedTakesAreOpusAndTheManifestTellsThemTrue() async throws {
        let folder = try TemporaryFolder()
        let said = try Fixtures.samples(Fixtures.answer("connecting-2"))
        let result = try await hold(talkative, in: folder, encoding: true)
        #expect(result.problem == nil)
        #expect(folder.names(in: "/session") == ["exam.json", "log.jsonl", "manifest.json", "takes"])
        #expect(folder.names(in: "/session/takes").count == result.takes.count)
        for take in result.takes {
            #expect(take.file.hasSuffix(".opus"))
            let path = "\(result.folder.path)/\(take.file)"
            let reader = try SoundFileReader(path: path)
            #expect(reader.sampleRate == 16_000 && reader.channelCount == 1)
            #expect(abs(reader.frameCount - take.duration.duration.milliseconds * 16) < 320)
            let (byteCount, sha256) = try PrivateFile.digest(path)
            #expect((byteCount, sha256) == (take.byteCount, take.sha256))
            // Relative to the speech, since digital silence needs almost nothing. This synthetic voice needs 52 kbit/s,
            // while people need 32 to 36. Encoded for 28 kbit/s it would need 46, for 36 it would need 58.
            let bitRate = byteCount * 8 * AudioFormat.sampleRate / said.count
            #expect((50_000...54_000).contains(bitRate), "\(bitRate) bit/s")
        }
        let manifest = try JSONFile.decode(
            Manifest.self, "manifest", version: 1, from: PrivateFile.read(result.folder.manifest), name: "manifest")
        #expect(manifest == result.manifest)
        #expect(manifest.examSHA256 == (try PrivateFile.digest(result.folder.exam).sha256))
    }

    @Test func everythingOfACandidateIsPrivate() async throws {
        let folder = try TemporaryFolder()
        let result = try await hold(talkative, in: folder, encoding: true)
        for file in ["session", "session/takes"] { #expect(folder.mode(of: file) == 0o700) }
        for file in ["exam.json", "log.jsonl", "manifest.json"] + result.takes.map(\.file) {
            #expect(folder.mode(of: "session/" + file) == 0o600, "\(file)")
        }
    }

    /// The log contains ids and times only, no words and no names.
    @Test func theLogHoldsNoWordOfTheExam() async throws {
        let folder = try TemporaryFolder()
        let result = try await hold(talkative, in: folder)
        let log = try String(contentsOfFile: result.folder.log, encoding: .utf8)
        let paper = try Paper.builtIn("bridges")
        for question in paper.sections["discussion"]!.flatMap(\.questions) { #expect(!log.contains(question.text)) }
    }

    /// A prompt that can't be decoded must not hang the exam. The candidate sees the problem until the next prompt is
    /// played.
    @Test func anUnplayablePromptIsPassedOver() async throws {
        let folder = try TemporaryFolder()
        let words = "Why do you think some cities spend so much money on impressive bridges?"
        let broken = folder.path + "/prompts"
        try FileManager.default.createDirectory(atPath: broken, withIntermediateDirectories: true)
        var voice = Fixtures.voice
        try Data("no sound".utf8).write(to: URL(filePath: "\(broken)/\(voice.fileName(for: words))"))
        voice.recordings.insert(broken, at: 0)
        let sitting = try await PreparedExam(
            .builtIn("ielts-style"), .builtIn("bridges"), options: ExamOptions(part: 3), voice: voice)
        let views = Views()
        let room = ObservedRoom(room: try ReplayRoom(sitting, candidate: talkative), watch: views.add)
        let result = try await Session(
            sitting, in: room, folder: .create(at: folder.path + "/session"), encoding: false
        ).run()
        #expect(result.outcome == .completed)
        let said = views.problems.map { $0?.hasPrefix("The examiner's last words could not be played.") }
        #expect(said == [nil, true, nil])
        let log = try String(contentsOfFile: result.folder.log, encoding: .utf8)
        #expect(log.contains("\"event\":\"promptFailed building-1\",\"phase\":\"awaiting building-1\""))
    }

    @Test func aRecordingOfInvalidNumbersLeavesNothingBehind() async throws {
        let folder = try TemporaryFolder()
        // A WAV of 32-bit floats, one second long, with a NaN in the middle.
        var bytes = [UInt8]("RIFF".utf8) + le32(36 + 64_000) + [UInt8]("WAVEfmt ".utf8) + le32(16)
        bytes += [3, 0, 1, 0] + le32(16_000) + le32(64_000) + [4, 0, 32, 0] + [UInt8]("data".utf8) + le32(64_000)
        for sample in 0..<16_000 { bytes += le32(sample == 8_000 ? Float.nan.bitPattern : Float(0.1).bitPattern) }
        try Data(bytes).write(to: URL(filePath: folder.path + "/nan.wav"))
        let scenario = """
            { "version": 1, "about": "A NaN.", "format": "ielts-style", "paper": "bridges", "part": 3,
              "turns": {}, "otherwise": { "answer": [{ "say": "nan.wav" }] } }
            """
        try scenario.write(toFile: folder.path + "/scenario.json", atomically: true, encoding: .utf8)
        var voice = Fixtures.voice
        voice.recordings = ["\(Fixtures.folder)/prompts"]
        let replay = try await Replay(Scenario(folder: folder.path), voice: voice)
        let problem = await #expect(throws: Problem.self) {
            try await replay.run(into: folder.path + "/session", encoding: false)
        }
        #expect(problem?.kind == .malformed)
        #expect(problem?.sentence == "\(folder.path)/nan.wav: holds a sample that is not a number, at 0.5 s")
        #expect(folder.names() == ["nan.wav", "scenario.json"])
    }

    private func le32(_ value: Int) -> [UInt8] { le32(UInt32(value)) }
    private func le32(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }

    @Test func aRoomThatClosesEarlyKeepsWhatWasHeard() async throws {
        let folder = try TemporaryFolder()
        let sitting = try await Fixtures.partThree()
        let inner = try ReplayRoom(sitting, candidate: talkative)
        let room = ClosingRoom(room: inner, closes: ExamTime(sinceBegin: .seconds(20)))
        let result = try await Session(
            sitting, in: room, folder: .create(at: folder.path + "/session"), encoding: false
        ).run()
        #expect(result.outcome == nil)
        #expect(result.manifest.status == .inProgress)
        #expect(result.takes.map(\.end) == ["deviceLost"])
        #expect(result.takes[0].duration.duration > .seconds(5))
    }

    @Test func aMissingContinueDoesNotMakeTheExamEndless() async throws {
        let folder = try TemporaryFolder()
        let sitting = try await Fixtures.partThree(.practice)
        let candidate = Candidate(turns: [:], otherwise: .init(answer: [.wait(.seconds(1)), .act(.asked(.pause))]))
        let room = try ReplayRoom(sitting, candidate: candidate)
        let result = try await Session(
            sitting, in: room, folder: .create(at: folder.path + "/session"), encoding: false
        ).run()
        #expect(result.outcome == nil)
        #expect(result.takes.count == 1, "the recording before the pause is kept")
    }

    /// Noise that would spoil the exam is reported until the room is quiet again. The exam continues.
    @Test(arguments: [0, 60, 3_600]) func aNoisyRoomIsReported(_ seconds: Int) async throws {
        let folder = try TemporaryFolder()
        let sitting = try await Fixtures.partThree()
        let views = Views()
        let room = ObservedRoom(
            room: try ReplayRoom(sitting, candidate: talkative),
            fan: (Hiss(level: -28), until: ExamTime(sinceBegin: .seconds(seconds))), watch: views.add)
        let result = try await Session(
            sitting, in: room, folder: .create(at: folder.path + "/session"), encoding: false
        ).run()
        #expect(result.outcome == .completed)
        // The message comes and goes with the level of the candidate's voice.
        let sentence = "It is too noisy to hear where your answers end."
        let noisy = views.all.filter { $0.problem?.hasPrefix(sentence) == true }
        #expect(noisy.isEmpty == (seconds == 0))
        #expect(views.all.filter { $0.problem != nil } == noisy)
        // The detector adapts to the quiet room within some seconds of speech.
        let (lastNoisy, last) = (noisy.last?.at ?? .zero, try #require(views.all.last?.at))
        #expect(lastNoisy.sinceBegin < .seconds(seconds + 40))
        #expect(last.sinceBegin > .seconds(150), "the exam was long enough")
    }

    /// A room that is closed in the middle of an answer.
    private struct ClosingRoom: ExamRoom {
        var room: ReplayRoom
        var closes: ExamTime

        mutating func next() throws -> Moment? {
            let moment = try room.next()
            return moment.map { $0.at < closes } ?? false ? moment : nil
        }
        mutating func play(_ prompt: Prompt) { room.play(prompt) }
        mutating func stopPlaying() { room.stopPlaying() }
        mutating func show(_ view: SessionView) { room.show(view) }
    }
}
