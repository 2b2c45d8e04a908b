/// Counts clipped samples: runs of at least three samples with a magnitude of 0.9995 or more.
///
/// An unclipped sine of full scale at f Hz stays that high for 16 000·2·acos(0.9995)/2πf = 161/f samples. Three in a
/// row span two intervals, so they occur only below 81 Hz, which is lower than voices. One or two are only a loud peak.
/// (With 0.999 the limit would be 114 Hz, within a man's voice.) The threshold leaves 16 steps of 16 bits for a
/// converter's own maximum. Clipping at a lower level in a preamplifier, or before a volume control, is not detected.
package struct ClippingCounter: Sendable {
    package static let threshold: Float = 0.9995
    /// The threshold for sound that clipped at a device's 48 kHz and was then resampled, which makes the plateaus
    /// ripple. Through PulseAudio 16.1, voices of which 0.1, 0.9 and 3.3 % clipped have 0.17, 1.5 and 4.6 % in runs
    /// above this threshold, and no runs above 0.9995. An unclipped voice that stays above it is within 0.3 dB of
    /// clipping.
    package static let resampledThreshold: Float = 0.97
    package static let shortestRun = 3

    private let threshold: Float
    /// The number of clipped samples so far.
    package var count = 0
    private var run = 0

    package init(threshold: Float = Self.threshold) {
        self.threshold = threshold
    }

    /// Counts a block's samples. Fast, because hardly any block contains such a loud sample.
    package mutating func hear(_ samples: [Float]) {
        guard !samples.isEmpty, isQuiet(samples) else {
            for sample in samples { hear(sample) }
            return
        }
        run = 0
    }

    /// Returns whether no sample reaches the threshold. Works on eight samples at a time, because every recorded block
    /// is checked.
    private func isQuiet(_ samples: [Float]) -> Bool {
        samples.withUnsafeBufferPointer { samples in
            let limit = SIMD8<Float>(repeating: threshold)
            var isQuiet = SIMD8<Float>() .< limit
            let whole = samples.count & ~7
            for start in stride(from: 0, to: whole, by: 8) {
                let eight = UnsafeRawPointer(samples.baseAddress! + start).loadUnaligned(as: SIMD8<Float>.self)
                let areQuiet = (eight .< limit) .& (-eight .< limit)
                isQuiet = (isQuiet .& areQuiet)
            }
            return all(isQuiet) && samples[whole...].allSatisfy { abs($0) < threshold }
        }
    }

    package mutating func hear(_ sample: Float) {
        guard abs(sample) >= threshold else {
            run = 0
            return
        }
        run += 1
        // The third sample also counts the two before it.
        if run >= Self.shortestRun { count += run == Self.shortestRun ? run : 1 }
    }
}
