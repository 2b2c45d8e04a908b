import AudioFiles
import ExamCore
import Foundation
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import ExamKit
@testable import SessionFolders

/// A candidate whose sound arrives as Opus packets. The takes contain these packets.
@Suite struct PacketTakes {
    private let talkative = Candidate(turns: [:], otherwise: .says(Fixtures.answer("connecting-2")))

    private func sitting(
        in home: TemporaryFolder, mode: ExamOptions.Mode = .test, without: Set<Int> = [], lost: ClosedRange<Int>? = nil,
        candidate: Candidate? = nil
    ) async throws -> (result: SessionResult, folder: SessionFolder, room: PacketRoom.Line) {
        let sitting = try await Fixtures.partThree(mode)
        let line = PacketRoom.Line()
        let room = try PacketRoom(
            room: ReplayRoom(sitting, candidate: candidate ?? talkative), line: line, without: without, lost: lost)
        let folder = try SessionFolder.create(at: home.path + "/session")
        return (try await Session(sitting, in: room, folder: folder).run(), folder, line)
    }

    @Test func encodedSoundIsNotEncodedAgain() async throws {
        let home = try TemporaryFolder()
        let (result, folder, line) = try await sitting(in: home)
        #expect(result.outcome == .completed && result.problem == nil && result.takes.count >= 4)
        for take in result.takes {
            let path = "\(folder.path)/\(take.file)"
            #expect(take.file.hasSuffix(".opus"))
            let file = OggPackets([UInt8](try Data(contentsOf: URL(filePath: path))))
            // 80 ms precede it so that a decoder can settle, followed by the packets of the take.
            let first = try #require(line.packets.firstRange(of: file.sound)?.lowerBound)
            #expect(file.preSkip == 3_840)
            #expect(first + 4 == Int((take.record.soundBegins / .milliseconds(20)).rounded()))
            #expect(file.sound.count == 4 + Int((take.duration.duration / .milliseconds(20)).rounded()))
            // A player plays exactly what the exam heard, without delay.
            let samples = try Fixtures.samples(path)
            let heard = line.samples[(320 * (first + 4))...].prefix(samples.count)
            #expect(samples.count == 320 * (file.sound.count - 4))
            let difference = zip(samples, heard).map { abs($0 - $1) }.max()!
            #expect(difference < 0.001, "\(take.file)")
        }
        #expect(folder.names().allSatisfy { $0.hasSuffix(".opus") }, "\(folder.names())")
    }

    /// One block does not arrive as a packet, for example because a browser changes its format.
    @Test func aTakeOfBothKindsIsEncoded() async throws {
        let home = try TemporaryFolder()
        let whole = try await sitting(in: home).result.takes
        let middle = (whole[1].record.openedAt!.duration + whole[1].record.closedAt!.duration) / 2
        let other = try TemporaryFolder()
        let (result, folder, _) = try await sitting(in: other, without: [Int(middle / .milliseconds(20))])
        #expect(result.takes.map(\.file) == whole.map(\.file))
        #expect(result.takes.map(\.duration) == whole.map(\.duration))
        for (number, take) in result.takes.enumerated() {
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(folder.path)/\(take.file)")))
            #expect(OggPackets(bytes).preSkip == (number == 1 ? 312 : 3_840))
        }
        #expect(folder.names().allSatisfy { $0.hasSuffix(".opus") }, "\(folder.names())")
    }

    @Test func soundThatWasLostIsSilenceAndTakesItsTime() async throws {
        let home = try TemporaryFolder()
        let whole = try await sitting(in: home).result.takes
        let middle = Int((whole[0].record.openedAt!.duration + .seconds(4)) / .milliseconds(20))
        let other = try TemporaryFolder()
        let (result, folder, line) = try await sitting(in: other, lost: middle...(middle + 9))
        let take = result.takes[0]
        #expect(take.record.lost == Seconds(.milliseconds(200)))
        let path = "\(folder.path)/\(take.file)"
        let file = OggPackets([UInt8](try Data(contentsOf: URL(filePath: path))))
        let first = Int((take.record.soundBegins / .milliseconds(20)).rounded())
        let gap = 4 + middle - first
        #expect(file.sound.dropFirst(gap).prefix(10).allSatisfy { $0 == OggOpusFile.silence })
        #expect(
            Array(file.sound.dropFirst(gap + 10))
                == Array(line.packets[(middle + 10)...].prefix(file.sound.count - gap - 10)))
        let samples = try Fixtures.samples(path)
        #expect(samples.count == 320 * (file.sound.count - 4))
        // The packet before it fades out over a fortieth of a packet.
        #expect(samples[(320 * (middle - first + 1))..<(320 * (middle - first + 10))].allSatisfy { abs($0) < 0.01 })
    }

    /// Sound before and after a hold goes into one file.
    @Test func aTakeThatWasHeldGoesOnInItsFile() async throws {
        let home = try TemporaryFolder()
        let answer = Fixtures.answer("connecting-2")
        let pausing = Candidate(
            turns: [:],
            otherwise: .init(answer: [
                .wait(.milliseconds(600)), .say(answer, gain: 0), .act(.asked(.pause)), .wait(.seconds(2)),
                .act(.asked(.continue)), .say(answer, gain: 0),
            ]))
        let (result, folder, _) = try await sitting(in: home, mode: .practice, candidate: pausing)
        let held = result.takes.filter {
            $0.record.closedAt!.duration - $0.record.soundBegins > $0.duration.duration + .seconds(1)
        }
        #expect(!held.isEmpty)
        for take in held {
            let path = "\(folder.path)/\(take.file)"
            let file = OggPackets([UInt8](try Data(contentsOf: URL(filePath: path))))
            #expect(file.preSkip == 3_840)
            #expect(try Fixtures.samples(path).count == AudioFormat.sampleCount(in: take.duration.duration))
        }
    }

    /// The process ends during a take. Its WAV remains and becomes the take.
    @Test func aKillLeavesTheWAV() async throws {
        let home = try TemporaryFolder()
        let sitting = try await Fixtures.partThree()
        let folder = try SessionFolder.create(at: home.path + "/session")
        let room = try PacketRoom(
            room: ReplayRoom(sitting, candidate: talkative), line: .init(), dies: 900)
        await #expect(throws: PacketRoom.Death.self) { try await Session(sitting, in: room, folder: folder).run() }
        let wav = try #require(folder.names().first { $0.hasSuffix(".wav") })
        // The files as a kill would leave them, since a kill removes nothing.
        _ = FileManager.default.createFile(
            atPath: "\(folder.takes)/" + wav.replacing(".wav", with: ".opus.part"), contents: Data("OggS".utf8))
        let again = try PacketRoom(room: ReplayRoom(sitting, candidate: talkative), line: .init())
        let result = try await Session(resuming: sitting, in: again, folder: folder).run()
        #expect(result.outcome == .completed)
        let broken = try #require(result.takes.first { $0.end == "deviceLost" })
        let kept = OggPackets([UInt8](try Data(contentsOf: URL(filePath: "\(folder.path)/\(broken.file)"))))
        #expect(kept.preSkip == 312, "it was encoded from its WAV")
        #expect(broken.duration.duration > .seconds(1))
        #expect(folder.names().allSatisfy { $0.hasSuffix(".opus") }, "\(folder.names())")
    }

    /// If the file of packets can't be written, the take is encoded from the WAV.
    @Test func aFileThatCannotBeMadeIsNotMissed() async throws {
        let home = try TemporaryFolder()
        let sitting = try await Fixtures.partThree()
        let folder = try SessionFolder.create(at: home.path + "/session")
        let part = "\(folder.takes)/part3_q2.opus.part"
        try FileManager.default.createDirectory(atPath: part, withIntermediateDirectories: true)
        let room = try PacketRoom(room: ReplayRoom(sitting, candidate: talkative), line: .init())
        let result = try await Session(sitting, in: room, folder: folder).run()
        #expect(result.takes.map { $0.file.hasSuffix(".wav") } == result.takes.map { $0.order == 2 })
        #expect(result.problem?.sentence.hasSuffix("part3_q2.wav") == true)
    }
}

extension SessionFolder {
    fileprivate func names() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: takes)) ?? [] }
}

/// A room whose microphone is a stream of packets, as a browser sends it and a server decodes it.
private struct PacketRoom: ExamRoom {
    struct Death: Error {}

    /// The packets sent so far, and their decoded samples.
    final class Line: Sendable {
        private let state = Mutex<(packets: [[UInt8]], samples: [Float])>(([], []))
        var packets: [[UInt8]] { state.withLock { $0.packets } }
        var samples: [Float] { state.withLock { $0.samples } }

        func put(_ packet: [UInt8], _ block: AudioBlock) {
            state.withLock {
                $0.packets.append(packet)
                $0.samples += block.samples
            }
        }
    }

    var room: ReplayRoom
    let line: Line
    /// The blocks that arrive as samples.
    var without: Set<Int> = []
    /// The blocks that never arrive.
    var lost: ClosedRange<Int>?
    /// The number of blocks after which it throws `Death`.
    var dies = Int.max
    private let encoder: OpusPacketEncoder
    private let decoder: OpusPacketDecoder
    private var block = 0

    init(
        room: ReplayRoom, line: Line, without: Set<Int> = [], lost: ClosedRange<Int>? = nil, dies: Int = .max
    ) throws {
        (self.room, self.line, self.without, self.lost, self.dies) = (room, line, without, lost, dies)
        (encoder, decoder) = (try OpusPacketEncoder(bitRate: 32_000), try OpusPacketDecoder())
    }

    mutating func next() throws -> Moment? {
        while var moment = try room.next() {
            guard case .heard(let sound) = moment.what else { return moment }
            var packet = [UInt8](repeating: 0, count: OpusPacketDecoder.longestPacket)
            let count = encoder.encode(sound.samples, into: &packet)
            let number = block
            block += 1
            guard number < dies else { throw Death() }
            guard lost?.contains(number) != true else {
                line.put([], .silence)
                guard number == lost?.upperBound else { continue }
                moment.what = .happened(.soundLost(.milliseconds(20 * lost!.count)))
                return moment
            }
            let decoded = packet[..<count].withUnsafeBytes { decoder.decode($0) }
            line.put(Array(packet[..<count]), decoded)
            moment.what = .heard(without.contains(number) ? AudioBlock(samples: decoded.samples) : decoded)
            return moment
        }
        return nil
    }

    mutating func play(_ prompt: Prompt) { room.play(prompt) }
    mutating func stopPlaying() { room.stopPlaying() }
    mutating func show(_ view: SessionView) { room.show(view) }
}

extension AnswerRecord {
    /// The time on the room's clock at which the first sample of its recording was heard.
    var soundBegins: Duration { openedAt!.duration - (leadIn?.duration ?? .zero) }
}
