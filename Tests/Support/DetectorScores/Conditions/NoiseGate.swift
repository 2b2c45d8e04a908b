/// A headset's noise gate, as `levels_vad.py` defines it. It is open while the level of 10 ms is over a threshold, and
/// for 150 ms afterwards.
struct NoiseGate {
    /// The level above which it opens, the root of a mean of squares.
    var threshold: Double

    private static let window = 160
    private static let hold = 2_400
    /// The number of samples in which it opens or closes.
    private static let ramp = 80

    /// Returns the samples with silence wherever the gate is shut.
    func applied(to samples: [Double]) -> [Double] {
        let powers = Self.centred(samples.map { $0 * $0 }, over: Self.window)
        var openUntil = 0
        let open = powers.indices.map { index -> Double in
            if max(powers[index], 0).squareRoot() > threshold { openUntil = index + Self.hold }
            return index < openUntil ? 1 : 0
        }
        let gains = Self.centred(open, over: Self.ramp)
        return zip(samples, gains).map { $0 * $1 }
    }

    /// Returns the mean around each sample, like numpy's `convolve` with "same": of the two middle samples, the later
    /// one counts as the middle.
    private static func centred(_ samples: [Double], over window: Int) -> [Double] {
        var sums = [0.0]
        sums.reserveCapacity(samples.count + 1)
        for sample in samples { sums.append(sums.last! + sample) }
        return samples.indices.map { index in
            let begin = max(0, index - window / 2)
            let end = min(samples.count, index + window - window / 2)
            return (sums[end] - sums[begin]) / Double(window)
        }
    }
}
