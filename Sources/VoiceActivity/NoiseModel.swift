/// The least that each band had lately: what a room sounds like between words.
///
/// The minimum of the smoothed power over the last seconds (R. Martin, "Noise Power Spectral Density Estimation Based on
/// Optimal Smoothing and Minimum Statistics", IEEE Trans. Speech Audio Proc. 9(5), 2001, in the simplest form: sub-windows). A
/// minimum cannot be pulled up by speech, as an average is. It lies below the mean; by how much is left to
/// `SpeechLikeness`, which sees how the sound of the last second varied about it.
///
/// Two things would make such a floor too low. A gate, or a recording that begins with the first word, leaves nothing between words but
/// the room before them: so the floor is never further than `range` below the loudest moment. And a noise that begins takes the
/// whole window to become the floor: `recent` follows it within a second.
struct NoiseModel: Sendable {
    /// Frames in a sub-window, and sub-windows in the whole: 16 × 0.25 s. Longer than a phrase without a pause, shorter than
    /// the patience of somebody whose fan was just turned on.
    private static let subwindow = 25
    private static let subwindowCount = 16
    /// The floor is at most this part of the loudest smoothed power, 36 dB: between words a voice falls by that much or less, and what
    /// lies deeper says nothing about it.
    private static let range: Float = 2.5e-4
    /// The loudest floor of a band, −20 dB: a slammed door must not deafen the detector.
    private static let loudestVoice: Float = 1e-2
    /// The part of the loudest power that is left after a frame: it falls by 2.2 dB a second.
    private static let remembrance: Float = 0.995
    /// Each frame's weight in the smoothed power: about 0.1 s.
    private static let weight: Float = 0.15

    /// Filters that were silent until now take so many frames to sound in full: what they give meanwhile is no floor.
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

    /// The least that each band had in the last half to three quarters of a second: in speech that is hardly more than the floor, in a
    /// noise that has just begun it is the noise.
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
