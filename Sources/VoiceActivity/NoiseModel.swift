/// The lowest recent power of each band: the room's sound between words.
///
/// The minimum of the smoothed power over the last seconds (R. Martin, "Noise Power Spectral Density Estimation Based
/// on Optimal Smoothing and Minimum Statistics", IEEE Trans. Speech Audio Proc. 9(5), 2001, in the simplest form:
/// sub-windows). Speech pulls up an average, but not a minimum. The minimum lies below the mean. `SpeechLikeness`
/// learns by how much, because it sees how the sound of the last second varied.
///
/// Such a floor would be too low in two cases:
///
/// - A noise gate silences the room between words, and some recordings begin with silence and then, with the first
///   word, the room. So the floor is never more than `range` below the loudest recent moment.
/// - A noise that begins needs the whole window to become the floor. `recent` follows it within a second.
struct NoiseModel: Sendable {
    /// Frames in a sub-window, and sub-windows in the whole: 16 × 0.25 s. That is longer than a phrase without a pause,
    /// and short enough to follow a fan that was just turned on.
    private static let subwindow = 25
    private static let subwindowCount = 16
    /// The floor is at least this part of the loudest smoothed power (−36 dB). Between words, a voice falls by that
    /// much or less.
    private static let range: Float = 2.5e-4
    /// The most that counts as the loudest power of a band, −20 dB: a slammed door must not deafen the detector.
    private static let loudestVoice: Float = 1e-2
    /// The part of the loudest power that is left after each frame: it falls by 2.2 dB a second.
    private static let remembrance: Float = 0.995
    /// Each frame's weight in the smoothed power: about 0.1 s.
    private static let weight: Float = 0.15

    /// The frames until filters that start from zero have settled. Their powers before that are too low for a floor.
    private static let startingFrames = 3

    private var started = 0
    private var smoothed = FilterBank.Bands.zero
    private var current = NoiseModel.none
    /// The least of `minima`.
    private var past = NoiseModel.none
    /// The least of the last two sub-windows.
    private var recentPast = NoiseModel.none
    private var loudest = FilterBank.Bands.zero
    private var minima: [FilterBank.Bands] = Array(repeating: NoiseModel.none, count: subwindowCount)
    private var oldest = 0
    private var frames = 0

    private static let none = FilterBank.Bands(repeating: .greatestFiniteMagnitude)

    /// The lowest power of each band in the last half to three quarters of a second. In speech, it is hardly more than
    /// the floor. In a noise that has just begun, it is the noise.
    var recent: FilterBank.Bands { started == Self.startingFrames ? current.atMost(recentPast) : smoothed }

    /// Takes in one frame's powers and returns the floor.
    mutating func follow(_ powers: FilterBank.Bands) -> FilterBank.Bands {
        guard started == Self.startingFrames else {
            started += 1
            smoothed = powers
            return powers
        }
        let power = smoothed + (powers - smoothed) * Self.weight
        smoothed = power
        current = current.atMost(power)
        loudest = power.atMost(Self.loudestVoice).atLeast(loudest * Self.remembrance)
        let least = current.atMost(past)
        frames += 1
        if frames == Self.subwindow {
            frames = 0
            recentPast = current.atMost(minima[(oldest + Self.subwindowCount - 1) % Self.subwindowCount])
            minima[oldest] = current
            oldest = (oldest + 1) % Self.subwindowCount
            current = Self.none
            past = minima.reduce(Self.none) { $0.atMost($1) }
        }
        return least.atLeast(loudest * Self.range)
    }
}
