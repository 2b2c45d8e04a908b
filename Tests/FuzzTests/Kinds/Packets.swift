import AudioFiles
import Foundation
import NIOCore

@testable import ExamKit
@testable import ExamNode
@testable import ExamServer

/// Opus packets that no encoder makes: read as a client's sound, decoded, and stored as the client's own. Twenty-five
/// in each case.
struct Packets: FuzzKind {
    static let name = "packets"
    static let share = 40_000
    private static let packetsACase = 25

    /// Packets of voices, music and silence, in every mode that libopus chooses.
    private let real: [[UInt8]]
    private let folder = FuzzPlan.folder + "/packets"

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var real: [[UInt8]] = [OggOpusFile.silence]
        var packet = [UInt8](repeating: 0, count: OpusPacketDecoder.longestPacket)
        for (bitRate, complexity) in [(6_000, 10), (12_000, 10), (24_000, 10), (32_000, 5), (32_000, 10), (256_000, 0)]
        {
            let encoder = try OpusPacketEncoder(bitRate: bitRate, complexity: complexity)
            for block in 0..<40 {
                let samples = (0..<AudioFormat.blockSize).map { index in
                    let time = Float(block * AudioFormat.blockSize + index) / Float(AudioFormat.sampleRate)
                    return 0.3 * sin(time * 1_300 + 3 * sin(time * 31)) * abs(sin(time * 9))
                }
                real.append(Array(packet[..<encoder.encode(samples, into: &packet)]))
            }
        }
        self.real = real
    }

    func attempt(_ chance: inout Chance) async throws {
        let decoder = try OpusPacketDecoder()
        var kept = ArrivedPackets()
        let leadIn = chance.below(5)
        var samples = leadIn * AudioFormat.blockSize
        for _ in 0..<4 { kept.append(OggOpusFile.silence, isTaken: false) }
        let path = "\(folder)/\(chance.next())"
        defer { try? FileManager.default.removeItem(atPath: path) }
        kept.open(path, leadIn: leadIn)
        for number in 0..<Self.packetsACase {
            let packet = packet(&chance)
            let message: SoundMessage
            do throws(CloseReason) {
                message = try SoundMessage(Self.message(packet, UInt32(number)), as: .opus)
            } catch {
                try demand(error.code == .malformed, "it is closed with \(error.code)")
                continue
            }
            let block = message.block(0, decoder)
            try demand(block.samples.allSatisfy { (-1...1).contains($0) }, "a sample beyond full scale")
            kept.append(block.packet, isTaken: true)
            samples += AudioFormat.blockSize
        }
        try demand(kept.close(sampleCount: samples) == (samples > 0), "it was not stored")
        guard samples > 0 else { return }
        let reader = try BlockReader(path: path)
        var blocks = 0
        while let block = try reader.next() {
            blocks += 1
            try demand(block.samples.allSatisfy(\.isFinite), "a sample is not a finite number")
        }
        try demand(blocks * AudioFormat.blockSize == samples, "\(blocks) blocks of \(samples) samples")
    }

    private func packet(_ chance: inout Chance) -> [UInt8] {
        if chance.once(in: 8) { return chance.bytes(chance.below(200)) }
        var packet = chance.one(of: real)
        switch chance.below(6) {
        case 0: packet[0] = UInt8(truncatingIfNeeded: chance.next())
        case 1: packet = Array(packet.prefix(chance.below(packet.count + 1)))
        case 2: packet += chance.bytes(chance.below(1_400))
        case 3, 4: packet.spoil(&chance)
        default: break
        }
        return packet
    }

    private static func message(_ packet: [UInt8], _ number: UInt32) -> [UInt8] {
        var bytes = ByteBuffer()
        bytes.writeInteger(number, endianness: .little)
        bytes.writeInteger(UInt16(packet.count), endianness: .little)
        bytes.writeBytes(packet)
        return Array(bytes.readableBytesView)
    }
}
