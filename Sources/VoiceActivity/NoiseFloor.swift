/// The power of the room in each band, followed by minimum statistics.
///
/// The least smoothed power of the last seconds is what the room sounds like between words (R. Martin, "Noise Power Spectral
/// Density Estimation Based on Optimal Smoothing and Minimum Statistics", IEEE Trans. Speech Audio Proc. 9(5), 2001, in the
/// simplest form: sub-windows and a fixed bias). A minimum cannot be pulled up by speech, as an average is.
struct NoiseFloor: Sendable {
    /// Frames in a sub-window, and sub-windows in the whole: 12 × 0.25 s. Longer than a phrase without a pause, shorter than
    /// the patience of somebody whose fan was just turned on.
    private static let subwindow = 25
    private static let subwindowCount = 12
    /// A minimum lies below the mean; measured on `data/vad` for this window and smoothing.
    private static let bias: Float = 1.8
    /// Each frame's weight in the smoothed power: about 50 ms.
    private static let weight: Float = 0.2

    /// Below this a band is digital silence or the noise of a converter.
    private let gate: Float
    private var smoothed: FilterBank.Bands?
    private var current = NoiseFloor.none
    /// The least of `minima`.
    private var past = NoiseFloor.none
    private var minima: [FilterBank.Bands] = Array(repeating: NoiseFloor.none, count: subwindowCount)
    private var oldest = 0
    private var frames = 0

    private static let none = FilterBank.Bands(repeating: .greatestFiniteMagnitude)

    init(gate: Float) {
        self.gate = gate
    }

    /// Takes in one frame's powers and returns the floor, never below the gate.
    mutating func follow(_ powers: FilterBank.Bands) -> FilterBank.Bands {
        let power = smoothed.map { $0 + (powers - $0) * Self.weight } ?? powers
        smoothed = power
        current = current.replacing(with: power, where: power .< current)
        let least = current.replacing(with: past, where: past .< current)
        frames += 1
        if frames == Self.subwindow {
            frames = 0
            minima[oldest] = current
            oldest = (oldest + 1) % Self.subwindowCount
            current = Self.none
            past = minima.reduce(Self.none) { $0.replacing(with: $1, where: $1 .< $0) }
        }
        let floor = least * Self.bias
        return floor.replacing(with: gate, where: floor .< gate)
    }
}
