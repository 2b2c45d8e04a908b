import AudioFiles
import ExamKit
import Foundation

/// What candidates say, as a live exam gets it: in blocks of 20 ms that are ready to be sent; made once for all of them.
struct AnswerSounds {
    /// How blocks go over the wire (PROTOCOL.md, "Up").
    enum Form: String {
        case pcm, opus
    }

    /// Blocks, one after the other.
    struct Sound {
        fileprivate var bytes: [UInt8] = []
        fileprivate var ends: [Int] = []

        var blockCount: Int { ends.count }

        subscript(block: Int) -> ArraySlice<UInt8> { bytes[(block == 0 ? 0 : ends[block - 1])..<ends[block]] }

        /// - Parameter samples: what is missing of the last block is silence.
        init(_ samples: [Float], as form: Form) throws {
            let encoder = try OpusPacketEncoder(bitRate: AnswerRecorder.opusBitRate)
            var packet = [UInt8](repeating: 0, count: OpusPacketDecoder.longestPacket)
            for start in stride(from: 0, to: samples.count, by: AudioFormat.blockSize) {
                var block = Array(samples[start..<min(start + AudioFormat.blockSize, samples.count)])
                block += repeatElement(0, count: AudioFormat.blockSize - block.count)
                switch form {
                case .pcm:
                    for sample in block {
                        let value = UInt16(bitPattern: Int16(max(-32_768, min(32_767, (sample * 32_768).rounded()))))
                        bytes += [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)]
                    }
                case .opus:
                    let count = encoder.encode(block, into: &packet)
                    bytes += [UInt8(truncatingIfNeeded: count), UInt8(count >> 8)] + packet[..<count]
                }
                ends.append(bytes.count)
            }
        }

        /// The packets, without their lengths.
        var packets: [ArraySlice<UInt8>] { ends.indices.map { self[$0].dropFirst(2) } }
    }

    let form: Form
    /// An answer to each of the first questions: two names, a town, "ready".
    private let opening: [Sound]
    private let familiar: [Sound]
    private let talk: Sound
    private let roundingOff: [Sound]
    private let discussion: [Sound]
    /// Ten seconds of a quiet room, −70 dBFS: digital silence is no room, and takes less to encode.
    private let room: Sound

    /// - Parameter folder: `AudioFixtures/answers`.
    init(folder: String, as form: Form) throws {
        func sounds(_ names: [String]) throws -> [Sound] {
            try names.map { try Sound(CutSound.samples("\(folder)/\($0).flac"), as: form) }
        }
        self.form = form
        opening = try sounds(["full-name", "short-name", "where-from", "ready"])
        familiar = try sounds(["home", "mornings", "maps"].flatMap { topic in (1...5).map { "\(topic)-\($0)" } })
        talk = try sounds(["talk"])[0]
        roundingOff = try sounds(["bridge-after-1", "bridge-after-2"])
        discussion = try sounds(["building", "connecting"].flatMap { topic in (1...6).map { "\(topic)-\($0)" } })
        var seed: UInt64 = 1
        let noise = (0..<160_000).map { _ in
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // Evenly distributed: RMS is the greatest by √3.
            return (Float(seed >> 40) / Float(1 << 23) - 1) * 3.16e-4 * 1.732
        }
        room = try Sound(noise, as: form)
    }

    /// What somebody answers; nobody says the same to everything.
    func answer(part: Int?, turn: Int, hasCard: Bool, variant: Int) -> Sound {
        switch part {
        case 1 where opening.indices.contains(turn): opening[turn]
        case 2: hasCard ? talk : roundingOff[variant % roundingOff.count]
        case 3: discussion[variant % discussion.count]
        default: familiar[variant % familiar.count]
        }
    }

    /// A room in which nobody speaks.
    func silence(_ block: Int) -> ArraySlice<UInt8> { room[block % room.blockCount] }
}
