import ExamCore
import Foundation

@testable import Assessment

/// Speech with known syllables and pauses: a voice of harmonics that swells for each syllable.
struct SyllableTrain {
    /// The number of syllables in each stretch of speech.
    var runs = [5, 7, 4]
    /// Seconds between the stretches. `edges` is the time before and after all of it.
    var pauses = [0.6, 1.1]
    var edges = 0.5
    /// Seconds from one syllable to the next.
    var pace = 0.22
    /// In Hz. It sinks by a fifth over a stretch.
    var pitch = 130.0
    /// The loudest sample.
    var level: Float = 0.3

    /// Formants in Hz of ah, ee, oo, eh (Peterson & Barney 1952, men).
    private static let vowels = [[730.0, 1090, 2440], [270, 2290, 3010], [300, 870, 2240], [530, 1840, 2480]]

    var syllableCount: Int { runs.reduce(0, +) }

    /// The beginning and end of each stretch in seconds.
    var stretches: [(start: Double, end: Double)] {
        var at = edges
        return runs.enumerated().map { index, count in
            let start = at
            at += Double(count) * pace
            defer { at += index < pauses.count ? pauses[index] : 0 }
            return (start, at)
        }
    }

    var samples: [Float] {
        let seconds = stretches.last!.end + edges
        var samples = [Float](repeating: 0, count: Int(seconds * 16_000))
        let harmonics = strengths
        for (number, stretch) in stretches.enumerated() {
            var phase = 0.0
            for index in Int(stretch.start * 16_000)..<Int(stretch.end * 16_000) {
                let at = Double(index) / 16_000 - stretch.start
                let place = at / pace
                phase += 2 * .pi * pitch * (1 - 0.2 * place / Double(runs[number])) / 16_000
                // From a fifth of the full level to full and back, with a fade of 20 ms at the edges of the stretch.
                let swell = 0.2 + 0.8 * pow(sin(.pi * (place - place.rounded(.down))), 2)
                let edge = min(1, min(at, stretch.end - stretch.start - at) / 0.02)
                var voice = 0.0
                let strengths = harmonics[Int(place) % harmonics.count]
                for harmonic in 1...24 { voice += strengths[harmonic - 1] * sin(Double(harmonic) * phase) }
                samples[index] = level * Float(edge * swell * voice / 4)
            }
        }
        return samples
    }

    /// The strengths of each vowel's first 24 harmonics, at the pitch with which a stretch begins.
    private var strengths: [[Double]] {
        Self.vowels.map { vowel in
            (1...24).map { harmonic in
                let hertz = Double(harmonic) * pitch
                let open = vowel.reduce(0.1) { $0 + 1 / (1 + pow((hertz - $1) / 120, 2)) }
                return open / Double(harmonic).squareRoot()
            }
        }
    }

    static func noise(_ count: Int, level: Float, seed: UInt64 = 7) -> [Float] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in level * (Float(random.below(2_000_001)) / 1_000_000 - 1) }
    }
}

extension [Float] {
    /// Returns the measurements of 16 kHz mono sound, heard in blocks of these sizes in turn.
    func measured(blocks: [Int] = [320]) -> MeasuredSound {
        var measurer = SoundMeasurer()
        var (start, turn) = (0, 0)
        while start < count {
            let end = Swift.min(start + blocks[turn % blocks.count], count)
            self[start..<end].withUnsafeBufferPointer { measurer.hear($0) }
            (start, turn) = (end, turn + 1)
        }
        return measurer.measured()
    }

    func plus(_ other: [Float]) -> [Float] { zip(self, other).map { $0 + $1 } }
}
