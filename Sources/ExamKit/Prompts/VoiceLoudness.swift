import Glibc

/// How loud an examiner's voice is, so that one voice is as loud as another.
///
/// By RMS of what is speech, not by EBU R 128: its gates need three seconds, and prompts are shorter.
enum VoiceLoudness {
    /// dB of full scale: what espeak-ng speaks at, and so the recordings that come with Oracy (measured: −20.3).
    static let target = -20.0
    /// What is nearer than this to the target, in dB, stays as it was spoken.
    static let tolerance = 1.0
    /// The loudest sample stays below this, dB of full scale: Opus overshoots a little.
    static let highest = -1.0
    /// Pieces of 20 ms at 16 kHz, of which those above this level are speech, dB of full scale.
    private static let (piece, floor) = (320, -50.0)

    /// What samples are multiplied by; 1 where there is no speech.
    static func gain(for samples: [Float]) -> Float {
        var (sum, count, peak) = (0.0, 0, Float(0))
        for start in stride(from: 0, to: samples.count, by: piece) {
            let end = min(start + piece, samples.count)
            var power = 0.0
            for sample in samples[start..<end] {
                power += Double(sample) * Double(sample)
                peak = max(peak, abs(sample))
            }
            guard decibels(power / Double(end - start)) > floor else { continue }
            sum += power
            count += end - start
        }
        guard count > 0, peak > 0 else { return 1 }
        let wanted = target - decibels(sum / Double(count))
        guard abs(wanted) > tolerance else { return 1 }
        let most = highest - 20 * log10(Double(peak))
        return Float(pow(10, min(wanted, most) / 20))
    }

    private static func decibels(_ power: Double) -> Double { power > 0 ? 10 * log10(power) : -.infinity }
}
