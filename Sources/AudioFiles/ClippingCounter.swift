/// Counts samples that stand at full scale: at least three in a row of a magnitude of 0.9995 or more.
///
/// An unclipped sine of full scale at f Hz stays that high for 16 000·2·acos(0.9995)/2πf = 161/f samples. Three in a row span
/// two, so they come only below 81 Hz, lower than voices; one or two are merely a loud peak. (With 0.999 it would be 114 Hz,
/// within a man's voice.) It leaves a converter 16 steps of 16 bits for its own top. What a preamplifier clips lower, or a
/// volume control turns down afterwards, is not seen.
package struct ClippingCounter: Sendable {
    package static let threshold: Float = 0.9995
    /// For sound that clipped at a device's 48 kHz and was then resampled, whose plateaus ripple: through PulseAudio 16.1 a
    /// voice of which 0.1, 0.9 and 3.3 % clipped has 0.17, 1.5 and 4.6 % in runs over it, and none over 0.9995. A voice
    /// that stays so high unclipped is within 0.3 dB of clipping.
    package static let resampledThreshold: Float = 0.97
    package static let shortestRun = 3

    private let threshold: Float
    /// Samples in such runs so far.
    package var count = 0
    private var run = 0

    package init(threshold: Float = Self.threshold) {
        self.threshold = threshold
    }

    /// As each of them would be; hardly any block has a sample that is so loud.
    package mutating func hear(_ samples: [Float]) {
        guard !samples.isEmpty, isQuiet(samples) else {
            for sample in samples { hear(sample) }
            return
        }
        run = 0
    }

    /// Whether none is so loud. Eight at a time: it is asked of every block that is recorded.
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
        // The third sample brings in the two before it.
        if run >= Self.shortestRun { count += run == Self.shortestRun ? run : 1 }
    }
}
