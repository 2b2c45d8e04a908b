import Glibc

/// A resampler for rates in a simple ratio to 16 kHz: a low-pass filter that computes only the samples that are kept.
///
/// The filter is a sinc in a Kaiser window. It keeps everything up to 7 kHz, and from 8.5 kHz on it attenuates by 80
/// dB, so aliases below 7.5 kHz are attenuated as much. For rates under 16 kHz, the same proportions hold for the band
/// of that rate. No room is so quiet that its noise is 80 dB below the voice, and the detector decides as it does for
/// sound recorded at 16 kHz. There is no delay: output sample n is the sound at n ÷ 16,000 s. From 48 kHz it is 4,000
/// times as fast as real time on one core.
final class PolyphaseResampler: Resampler {
    /// The number of outputs for `down` inputs.
    private let up: Int
    private let down: Int
    /// The number of input samples for one output, a multiple of 8.
    private let reach: Int
    /// `up` rows of `reach` coefficients each. Row r computes the outputs that lie r ÷ `up` of a sample's duration
    /// after an input sample.
    private let rows: [Float]
    /// The inputs still needed. The first of them is the first input of the next output.
    private var waiting: [Float]
    /// The row of the next output.
    private var row = 0

    /// The maximum number of rows, which is enough for every usual rate (11,025 Hz: 640).
    private static let mostRows = 640

    /// Creates a resampler. Nil if the ratio is not simple enough.
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

    /// Returns the sum of `reach` products, computed eight at a time.
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

/// A sinc in a Kaiser window (J. Kaiser, 1974), at the rate of the sound that it filters.
private struct LowPass {
    /// The number of input samples under the window.
    let reach: Int
    private let cutoff: Double

    private static let attenuation = 80.0  // dB
    /// The beginning and the end of the transition as parts of the lower Nyquist frequency: 7 and 8.5 kHz of 8.
    private static let transition = 0.875...1.0625

    init(rate: Int) {
        let nyquist = Double(min(rate, AudioFormat.sampleRate)) / Double(rate)  // In parts of the input's.
        let width = (Self.transition.upperBound - Self.transition.lowerBound) * nyquist
        // Kaiser's estimate of the length.
        let length = (Self.attenuation - 7.95) / (2.285 * .pi * width)
        reach = Int((length / 8).rounded(.up)) * 8
        cutoff = (Self.transition.upperBound + Self.transition.lowerBound) / 2 * nyquist
    }

    /// Returns the filters for outputs that lie 0, 1, … `count` − 1 parts of `count` after an input sample.
    func rows(_ count: Int) -> [Float] {
        // The filter is symmetric, so only one half is computed.
        let half = (0...(reach / 2 * count)).map { Float(value(Double($0) / Double(count))) }
        return (0..<count).flatMap { row in
            (0..<reach).map { tap in half[abs(row + (reach / 2 - 1 - tap) * count)] }
        }
    }

    /// Returns the filter's value at a distance from its middle, in input samples.
    private func value(_ offset: Double) -> Double {
        let phase = Double.pi * cutoff * offset
        let sinc = offset == 0 ? 1 : sin(phase) / phase
        let position = 2 * offset / Double(reach)
        let shape = 0.1102 * (Self.attenuation - 8.7)
        return cutoff * sinc * bessel(shape * max(0, 1 - position * position).squareRoot()) / bessel(shape)
    }

    /// Returns the modified Bessel function of the first kind, order 0, by its power series.
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
