import AudioFiles
import ExamCore
import ExamKit
import ExamStore
import Foundation
import StoreTrials
import TestSupport
import Testing

@testable import ExamKit
@testable import ExamNode
@testable import ExamServer
@testable import RecordingStores
@testable import SessionFolders

/// Exams whose candidates send Opus packets. The server stores those packets, even if the line breaks.
@Suite(.bothStores(quick: .postgres)) struct PacketsOverWebSocket {
    /// Sits a scenario with packets.
    ///
    /// - Parameter breaks: The line is cut within these blocks.
    /// - Returns: The stored answers by name, the sent packets, and the log.
    private func sit(_ name: String, breaks: Set<UInt32> = []) async throws -> (
        stored: [String: OggPackets], sent: [[UInt8]], log: [String]
    ) {
        let node = try await TestNode(TestBackend())
        let scenario = try ScenariosOverWebSocket.scenario(name)
        let made = try await node.make(ScenariosOverWebSocket.sitting(scenario))
        let client = try ReplayClient(made, scenario, port: node.port, form: .opus)
        client.before = { block, client in client.breaksAfter = breaks.contains(block) ? Int(block % 60) : nil }
        try await onThread { try client.sit() }
        #expect(client.connections == 1 + breaks.count && client.outcome != nil)
        let log = try await node.log(of: made.session)
        var stored: [String: OggPackets] = [:]
        for answer in try await node.answers(of: made.session) {
            let key = try #require(AudioKey(answer.path))
            var bytes: [UInt8] = []
            for try await part in try await node.backend.audio.read(key, range: nil) { bytes += part }
            stored[answer.record.name] = OggPackets(bytes)
        }
        try await node.stop()
        return (stored, client.sent.map { Array($0.dropFirst(2)) }, log)
    }

    /// Returns the lines without times. Also leaves out a candidate's further words after a pause: Opus changes the
    /// sound a little, so a short pause may be found in one form and not in the other.
    private static func course(of log: [String]) -> [String] {
        var lines: [String] = []
        for line in log.map({ $0.replacing(/-?\d+\.\d+/, with: "") }) {
            let goesOn =
                line.contains("\"event\":\"voiceBegan ") && lines.last?.contains("\"event\":\"voiceEnded ") == true
            if goesOn { lines.removeLast() } else { lines.append(line) }
        }
        return lines
    }

    @Test(arguments: Thoroughness.some(of: ["pocket-exam", "practice-skips-and-pauses"], oneIn: 2))
    func theClientsOwnPacketsAreStored(_ name: String) async throws {
        let (stored, sent, log) = try await sit(name)
        let expected = try SessionLog.lines(of: ScenariosOverWebSocket.scenario(name).expectedLog)
        #expect(Self.course(of: log) == Self.course(of: expected))
        #expect(!stored.isEmpty)
        for (name, file) in stored {
            // Before the first take, little more was sent than belongs to it.
            #expect(file.preSkip == 3_840 || name == "part1_q1" && file.preSkip < 3_840, "\(name)")
            #expect(file.end == Int64(960 * file.sound.count), "\(name)")
            // In a take with a pause, one stretch of the sent packets follows another.
            var place = 0
            for packet in file.sound {
                place = try #require(sent[place...].firstIndex(of: packet), "\(name): a packet that was not sent") + 1
            }
        }
    }

    @Test func brokenConnectionsChangeNoByte() async throws {
        let whole = try await sit("pocket-exam")
        let broken = try await sit("pocket-exam", breaks: Set(stride(from: 30, to: 1_340, by: 57)))
        #expect(whole.log == broken.log)
        #expect(whole.stored.mapValues(\.all) == broken.stored.mapValues(\.all))
    }

    /// An invalid packet becomes silence for the detector and in storage. The next packet is heard.
    @Test func undecodablePacketsAreStoredAsSilence() throws {
        var chance = SplitMix64(seed: 25)
        let decoder = try OpusPacketDecoder()
        for _ in 0..<2_000 {
            let packet = [0xb8, 0x48, 0x08, 0x4b, 0xff].randomElement(using: &chance)!
            let bytes =
                [UInt8(packet)]
                + (0..<Int.random(in: 0...90, using: &chance)).map { _ in UInt8.random(in: 0...255, using: &chance) }
            let block = bytes.withUnsafeBytes { decoder.decode($0) }
            let kept = try #require(block.packet)
            #expect(kept == bytes || (kept == OggOpusFile.silence && block.samples.allSatisfy { $0 == 0 }))
            #expect(kept.withUnsafeBytes(OpusPacketDecoder.isBlock))
        }
    }
}
