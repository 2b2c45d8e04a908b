import AudioFiles
import Foundation

/// What candidates say, as a live exam gets it: 16 kHz, mono, signed 16 bits, little-endian; read once for all of them.
struct AnswerSounds {
    /// A block is 20 ms.
    static let blockBytes = 640

    /// An answer to each of the first questions: two names, a town, "ready".
    private let opening: [[UInt8]]
    private let familiar: [[UInt8]]
    private let talk: [UInt8]
    private let roundingOff: [[UInt8]]
    private let discussion: [[UInt8]]
    /// Ten seconds of a quiet room, −70 dBFS: digital silence is no room, and takes less to encode.
    private let tone: [UInt8]

    /// - Parameter folder: `AudioFixtures/answers`.
    init(folder: String) throws {
        func sounds(_ names: [String]) throws -> [[UInt8]] {
            try names.map { Self.bytes(of: try CutSound.samples("\(folder)/\($0).flac")) }
        }
        opening = try sounds(["full-name", "short-name", "where-from", "ready"])
        familiar = try sounds(["home", "mornings", "maps"].flatMap { topic in (1...5).map { "\(topic)-\($0)" } })
        talk = try sounds(["talk"])[0]
        roundingOff = try sounds(["bridge-after-1", "bridge-after-2"])
        discussion = try sounds(["building", "connecting"].flatMap { topic in (1...6).map { "\(topic)-\($0)" } })
        var seed: UInt64 = 1
        tone = Self.bytes(
            of: (0..<160_000).map { _ in
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                // Evenly distributed: RMS is the greatest by √3.
                return (Float(seed >> 40) / Float(1 << 23) - 1) * 3.16e-4 * 1.732
            })
    }

    /// What somebody answers; nobody says the same to everything.
    func answer(part: Int?, turn: Int, hasCard: Bool, variant: Int) -> [UInt8] {
        switch part {
        case 1 where opening.indices.contains(turn): opening[turn]
        case 2: hasCard ? talk : roundingOff[variant % roundingOff.count]
        case 3: discussion[variant % discussion.count]
        default: familiar[variant % familiar.count]
        }
    }

    /// A room in which nobody speaks, from a block on.
    func silence(_ block: Int) -> ArraySlice<UInt8> {
        let first = block * Self.blockBytes % tone.count
        return tone[first..<(first + Self.blockBytes)]
    }

    private static func bytes(of samples: [Float]) -> [UInt8] {
        // Whole blocks.
        let missing = (blockBytes / 2 - samples.count % (blockBytes / 2)) % (blockBytes / 2)
        return (samples + [Float](repeating: 0, count: missing)).flatMap { sample in
            let value = UInt16(bitPattern: Int16(max(-32_768, min(32_767, (sample * 32_768).rounded()))))
            return [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)]
        }
    }
}
