import AudioFiles
import ExamKit
import Foundation

/// The candidates' sound, as a live exam receives it: blocks of 20 ms that are ready to be sent. All candidates share
/// it.
struct AnswerSounds {
    /// The form of blocks on the wire (PROTOCOL.md, "Up").
    enum Form: String {
        case pcm, opus
    }

    /// The blocks of a sound.
    struct Sound {
        fileprivate var bytes: [UInt8] = []
        fileprivate var ends: [Int] = []

        var blockCount: Int { ends.count }

        subscript(block: Int) -> ArraySlice<UInt8> { bytes[(block == 0 ? 0 : ends[block - 1])..<ends[block]] }

        /// - Parameter samples: The last block is padded with silence.
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

        /// The packets without their lengths.
        var packets: [ArraySlice<UInt8>] { ends.indices.map { self[$0].dropFirst(2) } }
    }

    let form: Form
    /// The answers to the first questions: two names, a town, "ready".
    private let opening: [Sound]
    private let familiar: [Sound]
    private let talk: Sound
    private let roundingOff: [Sound]
    private let discussion: [Sound]
    /// Ten seconds of a quiet room at −70 dBFS. Digital silence would be unrealistic, and cheaper to encode.
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
            // The distribution is uniform, so its maximum is √3 times the RMS.
            return (Float(seed >> 40) / Float(1 << 23) - 1) * 3.16e-4 * 1.732
        }
        room = try Sound(noise, as: form)
    }

    /// Returns the sound of an answer. Answers vary with the question and the candidate.
    func answer(part: Int?, turn: Int, hasCard: Bool, variant: Int) -> Sound {
        switch part {
        case 1 where opening.indices.contains(turn): opening[turn]
        case 2: hasCard ? talk : roundingOff[variant % roundingOff.count]
        case 3: discussion[variant % discussion.count]
        default: familiar[variant % familiar.count]
        }
    }

    /// Returns a block of a room in which no one speaks.
    func silence(_ block: Int) -> ArraySlice<UInt8> { room[block % room.blockCount] }
}
