import Glibc

/// Brings sound to 16 kHz from a rate in a simple ratio to it, by a low-pass of which only the samples that are kept are computed.
///
/// The low-pass is a sinc in a Kaiser window: up to 7 kHz all is kept, from 8.5 kHz on everything is 80 dB down, so what folds
/// below 7.5 kHz is too; from a rate under 16 kHz the same in proportion to its own band. No room with a microphone is 80 dB
/// quiet, and the detector decides as it does on what was recorded at 16 kHz. It delays nothing: output sample n is the sound at
/// n ÷ 16,000 s. From 48 kHz, 4,000 times as fast as real time on one core.
final class PolyphaseResampler: Resampler {
    /// `up` outputs come of `down` inputs.
    private let up: Int
    private let down: Int
    /// Input samples that go into one output, a multiple of 8.
    private let reach: Int
    /// `up` rows of `reach` numbers each: row r makes the outputs that lie r ÷ up of an input sample after one.
    private let rows: [Float]
    /// Inputs still needed; the first of them is the first that goes into the next output.
    private var waiting: [Float]
    /// Of the next output.
    private var row = 0

    /// More rows than any usual rate needs (11,025 Hz: 640).
    private static let mostRows = 640

    /// nil where the ratio is not simple enough.
    init?(from rate: Int) {
        let divisor = greatestCommonDivisor(rate, AudioFormat.sampleRate)
        up = AudioFormat.sampleRate / divisor
        down = rate / divisor
        guard up <= Self.mostRows else { return nil }
        let filter = LowPass(rate: rate)
        reach = filter.reach
        rows = filter.rows(up)
        // Silence before the first sample.
        waiting = Array(repeating: 0, count: filter.reach / 2 - 1)
    }

    func convert(_ input: UnsafeBufferPointer<Float>, last: Bool, appendingTo output: inout [Float]) {
        waiting.append(contentsOf: input)
        if last { waiting.append(contentsOf: repeatElement(0, count: reach / 2)) }  // Silence after the last.
        let (inputs, parts) = down.quotientAndRemainder(dividingBy: up)
        var start = 0
        waiting.withUnsafeBufferPointer { waiting in
            rows.withUnsafeBufferPointer { rows in
                while start + reach <= waiting.count {
                    output.append(product(waiting.baseAddress! + start, rows.baseAddress! + row * reach))
                    start += inputs
                    row += parts
                    if row >= up { (start, row) = (start + 1, row - up) }
                }
            }
        }
        waiting.removeFirst(start)
    }

    /// The sum of the products of `reach` numbers each, eight at a time.
    private func product(_ samples: UnsafePointer<Float>, _ filter: UnsafePointer<Float>) -> Float {
        let samples = UnsafeRawPointer(samples)
        let filter = UnsafeRawPointer(filter)
        var sum = SIMD8<Float>.zero
        for offset in stride(from: 0, to: 4 * reach, by: 32) {
            sum +=
                samples.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
                * filter.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
        }
        return sum.sum()
    }
}

/// A sinc in a Kaiser window (J. Kaiser, 1974), at a rate of the sound it filters.
private struct LowPass {
    /// Input samples under the window.
    let reach: Int
    private let cutoff: Double

    private static let attenuation = 80.0  // dB
    /// Where it begins and where it is complete, in parts of the lesser Nyquist frequency: 7 and 8.5 kHz of 8.
    private static let transition = 0.875...1.0625

    init(rate: Int) {
        let nyquist = Double(min(rate, AudioFormat.sampleRate)) / Double(rate)  // In parts of the input's.
        let width = (Self.transition.upperBound - Self.transition.lowerBound) * nyquist
        // Kaiser's estimate of the length.
        let length = (Self.attenuation - 7.95) / (2.285 * .pi * width)
        reach = Int((length / 8).rounded(.up)) * 8
        cutoff = (Self.transition.upperBound + Self.transition.lowerBound) / 2 * nyquist
    }

    /// The filter for outputs that lie 0, 1, … `count` − 1 parts of `count` after an input sample.
    func rows(_ count: Int) -> [Float] {
        // It is the same on both sides: only one half is computed.
        let half = (0...(reach / 2 * count)).map { Float(value(Double($0) / Double(count))) }
        return (0..<count).flatMap { row in
            (0..<reach).map { tap in half[abs(row + (reach / 2 - 1 - tap) * count)] }
        }
    }

    /// So many input samples off the middle.
    private func value(_ offset: Double) -> Double {
        let phase = Double.pi * cutoff * offset
        let sinc = offset == 0 ? 1 : sin(phase) / phase
        let position = 2 * offset / Double(reach)
        let shape = 0.1102 * (Self.attenuation - 8.7)
        return cutoff * sinc * bessel(shape * max(0, 1 - position * position).squareRoot()) / bessel(shape)
    }

    /// The modified Bessel function of the first kind, order 0, by its power series.
    private func bessel(_ x: Double) -> Double {
        var (sum, term, k) = (1.0, 1.0, 1.0)
        while term > sum * 1e-12 {
            term *= (x / (2 * k)) * (x / (2 * k))
            sum += term
            k += 1
        }
        return sum
    }
}

private func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : greatestCommonDivisor(b, a % b) }
