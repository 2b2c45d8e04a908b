import Glibc

/// The loudness of an examiner's voice, the same for every voice.
///
/// It is the RMS of speech, not EBU R 128: the gates of that standard need three seconds, and prompts are shorter.
enum VoiceLoudness {
    /// In dB of full scale. This is about the level of espeak-ng (measured: −20.3), which made the recordings that come
    /// with Oracy.
    static let target = -20.0
    /// A voice within this many dB of the target stays as it is.
    static let tolerance = 1.0
    /// The limit of the loudest sample, dB of full scale. It leaves room because Opus overshoots a little.
    static let highest = -1.0
    /// The length of a piece (20 ms at 16 kHz), and the level above which a piece counts as speech, dB of full scale.
    private static let (piece, floor) = (320, -50.0)

    /// Returns the factor that brings samples to the target; 1 if they contain no speech.
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
