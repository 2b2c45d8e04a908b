/// The least that each band had lately: what a room sounds like between words.
///
/// The minimum of the smoothed power over the last seconds (R. Martin, "Noise Power Spectral Density Estimation Based on
/// Optimal Smoothing and Minimum Statistics", IEEE Trans. Speech Audio Proc. 9(5), 2001, in the simplest form: sub-windows). A
/// minimum cannot be pulled up by speech, as an average is. It lies below the mean; by how much is left to
/// `SpeechLikeness`, which sees how the sound of the last second varied about it.
struct NoiseModel: Sendable {
    /// Frames in a sub-window, and sub-windows in the whole: 16 × 0.25 s. Longer than a phrase without a pause, shorter than
    /// the patience of somebody whose fan was just turned on.
    private static let subwindow = 25
    private static let subwindowCount = 16
    /// Each frame's weight in the smoothed power: about 0.1 s.
    private static let weight: Float = 0.15

    /// Filters that were silent until now take so many frames to sound in full: what they give meanwhile is no floor.
    private static let startingFrames = 3

    private var started = 0
    private var smoothed = FilterBank.Bands.zero
    private var current = NoiseModel.none
    /// The least of `minima`.
    private var past = NoiseModel.none
    private var minima: [FilterBank.Bands] = Array(repeating: NoiseModel.none, count: subwindowCount)
    private var oldest = 0
    private var frames = 0

    private static let none = FilterBank.Bands(repeating: .greatestFiniteMagnitude)

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
        let least = current.atMost(past)
        frames += 1
        if frames == Self.subwindow {
            frames = 0
            minima[oldest] = current
            oldest = (oldest + 1) % Self.subwindowCount
            current = Self.none
            past = minima.reduce(Self.none) { $0.atMost($1) }
        }
        return least
    }
}
