import AudioFiles
import Glibc

// Arithmetic on blocks for rooms that make up what a microphone hears.

extension Float {
    /// The amplitude factor of so many decibels.
    static func decibels(_ decibels: Float) -> Float { Float(pow(10, Double(decibels) / 20)) }
}

extension AudioBlock {
    mutating func scale(by gain: Float) {
        samples.withUnsafeMutableBufferPointer { samples in
            for index in samples.indices { samples[index] *= gain }
        }
    }

    mutating func add(_ other: AudioBlock, gain: Float) {
        samples.withUnsafeMutableBufferPointer { samples in
            other.samples.withUnsafeBufferPointer { other in
                for index in samples.indices { samples[index] += other[index] * gain }
            }
        }
    }

    /// As a converter does with what is too loud for it.
    mutating func clip() {
        samples.withUnsafeMutableBufferPointer { samples in
            for index in samples.indices { samples[index] = min(max(samples[index], -1), 1) }
        }
    }
}

/// White noise that is the same every time: the linear congruential generator of "Numerical Recipes" (Press et al., 1992,
/// section 7.1), whose upper bits are what is heard.
struct Hiss {
    private var state: UInt32 = 1
    private let amplitude: Float

    /// - Parameter level: dB of full scale, RMS.
    init(level: Float) {
        // Evenly spread between −a and a: RMS is a / √3.
        amplitude = .decibels(level) * Float(3).squareRoot() / Float(1 << 31)
    }

    mutating func add(to block: inout AudioBlock) {
        var state = state
        block.samples.withUnsafeMutableBufferPointer { samples in
            for index in samples.indices {
                state = state &* 1_664_525 &+ 1_013_904_223
                samples[index] += Float(Int32(bitPattern: state)) * amplitude
            }
        }
        self.state = state
    }
}
