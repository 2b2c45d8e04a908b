import Glibc

/// Automatic gain, as in many microphones: sound that is quieter than speech is amplified, and so is the room in
/// pauses.
///
/// Follows the definition in `levels_vad.py`: every 10 ms the gain moves towards the value that would bring the level
/// of 30 ms to that of speech, up by 5 dB a second and down by 300. Pink noise is added 20 dB below the speech, and a
/// factor of 0.8 is applied at the end.
struct AutomaticGain {
    /// The limit of the gain in dB.
    var most: Double

    private static let step = 160
    private static let window = 480

    /// - Parameter speech: The level of the speech, the root of its power.
    func apply(to samples: inout [Double], speech: Double, noise: (Int) -> [Double]) {
        let pink = PinkNoise.samples(samples.count, white: noise)
        let loudness = speech / 10 / pink.power.squareRoot()
        for index in samples.indices { samples[index] += pink[index] * loudness }
        let levels = levels(of: samples)
        var gain = 0.0
        for (step, start) in stride(from: 0, to: samples.count, by: Self.step).enumerated() {
            let want = min(max(20 * log10(speech / max(levels[step], 1e-9)), 0), most)
            gain = want < gain ? max(want, gain - 3) : min(want, gain + 0.05)
            let factor = amplitude(ofDecibels: gain) * 0.8
            for index in start..<min(start + Self.step, samples.count) { samples[index] *= factor }
        }
    }

    /// Returns the level around the first sample of each 10 ms.
    private func levels(of samples: [Double]) -> [Double] {
        var sums = [0.0]
        sums.reserveCapacity(samples.count + 1)
        for sample in samples { sums.append(sums.last! + sample * sample) }
        return stride(from: 0, to: samples.count, by: Self.step).map { middle in
            let (begin, end) = (max(0, middle - Self.window / 2), min(samples.count, middle + Self.window / 2))
            return (max(0, sums[end] - sums[begin]) / Double(Self.window)).squareRoot()
        }
    }
}
