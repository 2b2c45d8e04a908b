import AudioFiles
import Foundation
import Testing

/// Files of packets from another encoder, such as a browser's.
@Suite struct ReadyPackets {
    @Test func storedPacketsDecodeToTheHeardSound() throws {
        let answer = try spokenAnswer("sentence-4")
        let packets = try packets(of: answer)
        let heard = try decoded(packets)
        try inFolder { folder in
            // The whole file: the same blocks as in the exam.
            let path = folder.file("a.opus")
            try store(packets, to: path, preSkip: 0, sampleCount: heard.count)
            #expect(try samples(ofFile: path) == heard)
            // From the encoder's delay on, and without a part of the last packet.
            try store(packets, to: path, preSkip: 312, sampleCount: heard.count - 304)
            #expect(try samples(ofFile: path) == Array(heard[104..<(heard.count - 200)]))
        }
    }

    /// An answer begins in the middle of a browser's stream. Four packets before it let the decoder settle.
    @Test func aPieceOfAStreamDecodesToTheHeardSound() throws {
        let answer = try spokenAnswer("sentence-4")
        let packets = try packets(of: answer)
        let heard = try decoded(packets)
        try inFolder { folder in
            let path = folder.file("a.opus")
            try store(packets[56..<110], to: path, preSkip: 3_840, sampleCount: 50 * 320)
            let piece = try samples(ofFile: path)
            #expect(piece.count == 50 * 320)
            let original = Array(heard[(60 * 320)..<(110 * 320)])
            #expect(signalToNoise(of: piece, against: original) > 40)
        }
    }

    @Test(arguments: [0, 312, 3_840, 65_535])
    func soundBeyondThePacketsIsSilence(_ preSkip: Int) throws {
        try inFolder { folder in
            let path = folder.file("a.opus")
            try store(packets(of: sine(400, seconds: 0.5)), to: path, preSkip: preSkip, sampleCount: 40_000)
            let decoded = try samples(ofFile: path)
            #expect(decoded.count == 40_000)
            #expect(decoded[20_000...].allSatisfy { abs($0) < 1e-4 })
            let pages = try OggPage.all(ofFile: path)
            #expect(pages[0].body[10...11].elementsEqual([UInt8(preSkip & 0xff), UInt8(preSkip >> 8)]))
            #expect(pages.last!.granule == Int64(preSkip + 120_000))
        }
    }

    @Test func withoutAnyPacketThereIsAFileOfTheLengthThatWasAskedFor() throws {
        try inFolder { folder in
            let path = folder.file("a.opus")
            try store([], to: path, preSkip: 312, sampleCount: 700)
            let decoded = try samples(ofFile: path)
            #expect(decoded.count == 700)
            #expect(decoded.allSatisfy { abs($0) < 1e-6 }, "\(decoded.max()!)")
            try store([], to: path, preSkip: 0, sampleCount: 0)
            let pages = try OggPage.all(ofFile: path)
            #expect(pages.map(\.packets) == [1, 1, 1])
            #expect(pages.last?.isLast == true)
        }
    }

    /// A page holds 255 pieces of 255 bytes, so fifty of the largest packets take two pages.
    @Test func theLargestPacketsFitToo() throws {
        let packets = (0..<120).map { packet in
            [0xb8] + (1..<1_275).map { UInt8(truncatingIfNeeded: ($0 * 2_654_435_761 + packet * 40_503) >> 13) }
        }
        try inFolder { folder in
            let path = folder.file("a.opus")
            try store(packets, to: path, preSkip: 312, sampleCount: 120 * 320 - 104)
            #expect(try samples(ofFile: path).count == 120 * 320 - 104)
            let pages = try OggPage.all(ofFile: path)
            #expect(pages.reduce(0) { $0 + $1.packets } == 122)
            // A page on which no packet ends has the time −1.
            let times = pages.map(\.granule).filter { $0 >= 0 }
            #expect(times == times.sorted())
        }
    }

    /// The packets around an invalid one stay readable.
    @Test func anInvalidPacketBecomesSilence() throws {
        var packets = try packets(of: sine(400, seconds: 1))
        let broken: [[UInt8]] = [
            [],
            [0xb8 | 3],  // Frames without their number.
            [0xb8 | 1, 1, 2],  // Two frames of 20 ms.
            [0xb0 | 2, 200, 1],  // Two frames of 10 ms, of which the first is longer than the packet.
            [0x98],  // 2.5 ms.
            [UInt8](repeating: 0xb8, count: 1_276),
        ]
        for (index, packet) in broken.enumerated() { packets[20 + index] = packet }
        try inFolder { folder in
            let path = folder.file("a.opus")
            try store(packets, to: path, preSkip: 312, sampleCount: 16_000)
            let decoded = try samples(ofFile: path)
            #expect(decoded.count == 16_000)
            // For 20 ms, the last valid packet fades out.
            #expect(decoded[(21 * 320 + 216)..<(25 * 320)].allSatisfy { abs($0) < 0.01 })
            #expect(abs(decoded[(30 * 320)..<(40 * 320)].max()! - 0.5) < 0.05)
        }
    }

    @Test func nothingIsAppendedToAClosedFile() throws {
        try inFolder { folder in
            let file = try OggOpusFile(path: folder.file("a.opus"), preSkip: 0)
            try file.close(sampleCount: 320, durably: true)
            try file.close(sampleCount: 320, durably: true)
            #expect(failure { try file.append(OggOpusFile.silence) }?.kind == .unwritable)
            #expect(try samples(ofFile: folder.file("a.opus")).count == 320)
        }
    }

    private func packets(of samples: [Float]) throws -> [[UInt8]] {
        let encoder = try OpusPacketEncoder(bitRate: 32_000)
        return stride(from: 0, to: samples.count + 320, by: 320).map { start in
            let part = samples[min(start, samples.count)..<min(start + 320, samples.count)]
            var packet = [UInt8](repeating: 0, count: OpusPacketDecoder.longestPacket)
            let count = encoder.encode(part + [Float](repeating: 0, count: 320 - part.count), into: &packet)
            return Array(packet[..<count])
        }
    }

    private func decoded(_ packets: [[UInt8]]) throws -> [Float] {
        let decoder = try OpusPacketDecoder()
        return packets.flatMap { packet in packet.withUnsafeBytes { decoder.decode($0) }.samples }
    }

    private func store(
        _ packets: some Collection<[UInt8]>, to path: String, preSkip: Int, sampleCount: Int
    ) throws {
        let file = try OggOpusFile(path: path, preSkip: preSkip)
        for packet in packets { try file.append(packet) }
        try file.close(sampleCount: sampleCount, durably: false)
    }
}
