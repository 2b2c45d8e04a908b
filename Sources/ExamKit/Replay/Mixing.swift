import AudioFiles
import SessionFolders

// Arithmetic on blocks, for rooms that generate the microphone's sound.

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

    /// Clips to full scale, as a converter does.
    mutating func clip() {
        samples.withUnsafeMutableBufferPointer { samples in
            for index in samples.indices { samples[index] = min(max(samples[index], -1), 1) }
        }
    }
}

/// White noise that is the same every time, from the linear congruential generator of "Numerical Recipes" (Press et
/// al., 1992, section 7.1). Only its upper bits are audible.
struct Hiss {
    private var state: UInt32 = 1
    private let amplitude: Float

    /// - Parameter level: dB of full scale, RMS.
    init(level: Float) {
        // Uniformly distributed between −a and a, so the RMS is a / √3.
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
