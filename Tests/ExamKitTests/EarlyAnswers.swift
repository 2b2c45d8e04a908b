import AudioFiles
import ExamCore
import Foundation
import TestSupport
import Testing

@testable import ExamKit
@testable import SessionFolders

/// Answers that begin during the examiner's last words, or continue when the examiner speaks again. No part of them is
/// lost.
@Suite struct EarlyAnswers {
    /// - Parameter early: The time by which the answer begins before the prompt's end, in ms. A prompt ends 0.1 s after
    ///   its last sound.
    @Test(arguments: [300, -180]) func anEarlyAnswerIsWhole(early: Int) async throws {
        let sitting = try await Fixtures.partThree()
        let home = try TemporaryFolder()
        func hold(_ room: ReplayRoom, saying sound: [Float], at begin: ExamTime, in name: String) async throws
            -> SessionResult
        {
            let room = InterjectingRoom(room: room, sound: sound, begin: begin)
            return try await Session(sitting, in: room, folder: .create(at: "\(home.path)/\(name)"), encoding: false)
                .run()
        }
        let silent = Candidate(turns: [:], otherwise: .init())
        let empty = try await hold(ReplayRoom(sitting, candidate: silent), saying: [], at: .zero, in: "empty")
        let opened = ExamTime(sinceBegin: empty.takes[0].openedAt.duration)
        let said = try Fixtures.samples(Fixtures.answer("connecting-2"))
        let sound = Array(said[Self.firstSound(of: said)...])
        let result = try await hold(
            ReplayRoom(sitting, candidate: silent, surroundings: .init(tone: nil)), saying: sound,
            at: opened - .milliseconds(early),
            in: "early")

        let take = result.takes[0]
        let leadIn = AudioFormat.sampleCount(in: try #require(take.record.leadIn).duration)
        let first = leadIn - early * 16
        let samples = try Fixtures.samples("\(result.folder.path)/\(take.file)")
        #expect(Array(samples[first..<(first + sound.count)]) == sound)
        #expect(samples.prefix(first).allSatisfy { $0 == 0 })
        // Counted from the examiner's last sound. An earlier answer has a latency of zero.
        let latency = try #require(take.record.responseLatency).duration / .milliseconds(1)
        #expect(abs(latency - Double(max(100 - early, 100))) < 60, "\(latency) ms")
    }

    /// The next question has begun and is stopped. The take continues and contains every word.
    @Test(arguments: [400, 1_000]) func aContinuedAnswerIsOneTake(after: Int) async throws {
        let sitting = try await Fixtures.partThree()
        let home = try TemporaryFolder()
        let talkative = Candidate(turns: [:], otherwise: .says(Fixtures.answer("connecting-2")))
        let plain = try await Session(
            sitting, in: ReplayRoom(sitting, candidate: talkative), folder: .create(at: home.path + "/plain"),
            encoding: false
        ).run()
        let log = try String(contentsOfFile: plain.folder.log, encoding: .utf8)
        let over = try #require(log.split(separator: "\n").first { $0.contains("runOn part3_q1") })
        let second = try #require(Double(over.split(separator: ":")[1].split(separator: ",")[0]))
        let said = try Fixtures.samples(Fixtures.answer("connecting-3"))
        let room = InterjectingRoom(
            room: try ReplayRoom(sitting, candidate: talkative), sound: Array(said[Self.firstSound(of: said)...]),
            begin: ExamTime(sinceBegin: .milliseconds(Int(second * 1000) + after)))
        let result = try await Session(sitting, in: room, folder: .create(at: home.path + "/on"), encoding: false).run()
        let take = result.takes[0]
        #expect(take.record.order == 1 && take.record.attempt == 1 && take.end == "finished")
        #expect(result.takes[1].record.order == 2)
        let longer = take.speech.duration.milliseconds - plain.takes[0].speech.duration.milliseconds
        let most = said.count / 16
        #expect(longer * 10 > most * 6, "\(longer) more was said of \(most) ms")
        let stops = try String(contentsOfFile: result.folder.log, encoding: .utf8).contains("stopPlaying")
        #expect(stops == (after == 1_000), "the gap is 0.6 s")
    }

    /// Returns the first sample that certainly belongs to the voice.
    private static func firstSound(of samples: [Float]) -> Int { samples.firstIndex { abs($0) > 0.02 } ?? 0 }

    /// With a loudspeaker the microphone hears the examiner, who must not be mistaken for a candidate who continues.
    @Test func theExaminersVoiceIsNotTheCandidate() async throws {
        let sitting = try await Fixtures.partThree()
        let home = try TemporaryFolder()
        var surroundings = ReplayRoom.Surroundings()
        surroundings.leak = -6
        let talkative = Candidate(turns: [:], otherwise: .says(Fixtures.answer("connecting-2")))
        let session = try Session(
            sitting, in: ReplayRoom(sitting, candidate: talkative, surroundings: surroundings),
            folder: .create(at: home.path + "/session"), encoding: false)
        let result = try await session.run()
        #expect(result.outcome == .completed)
        #expect(try !String(contentsOfFile: result.folder.log, encoding: .utf8).contains("stopPlaying"))
        for take in result.takes where take.end == "finished" {
            #expect(abs(take.speech.duration.milliseconds - result.takes[0].speech.duration.milliseconds) < 100)
        }
    }
}

/// A room in which a candidate says something at a given time, in any phase of the exam.
private struct InterjectingRoom: ExamRoom {
    var room: ReplayRoom
    let sound: [Float]
    let begin: ExamTime
    var hearsExaminer: Bool { room.hearsExaminer }

    mutating func next() throws -> Moment? {
        guard var moment = try room.next() else { return nil }
        guard case .heard(var block) = moment.what else { return moment }
        let first = AudioFormat.sampleCount(in: moment.at.sinceBegin) - AudioFormat.blockSize
        let offset = first - AudioFormat.sampleCount(in: begin.sinceBegin)
        for index in 0..<AudioFormat.blockSize where sound.indices.contains(offset + index) {
            block.samples[index] += sound[offset + index]
        }
        moment.what = .heard(block)
        return moment
    }
    mutating func play(_ prompt: Prompt) { room.play(prompt) }
    mutating func stopPlaying() { room.stopPlaying() }
    mutating func show(_ view: SessionView) { room.show(view) }
}
