/// Six band-pass filters side by side, and the mean power of each over a frame of 10 ms.
///
/// Bands from about 180 to 4200 Hz carry speech; hum lies below them and hiss above. Each is a second-order band-pass with a
/// gain of 1 at its centre (R. Bristow-Johnson, "Audio EQ Cookbook"): with ω = 2π·centre/16000 and α = sin ω / 2Q, and
/// everything divided by 1 + α, `y[n] = α·(x[n] − x[n−2]) + 2·cos ω·y[n−1] − (1 − α)·y[n−2]`.
struct FilterBank: Sendable {
    static let bandCount = 6
    typealias Bands = SIMD8<Float>

    // Centre, Hz:                 250         500         1000        1800        2600        3500      (two lanes unused)
    // Q:                          1.2         1.5         1.5         1.7         2.0         2.5
    private let gain = Bands(0.03923798, 0.06105941, 0.11313013, 0.16037940, 0.17570645, 0.16398938, 0, 0)
    private let feedback1 = Bands(1.91227138, 1.84179822, 1.63872183, 1.27690503, 0.86138440, 0.32619516, 0, 0)
    private let feedback2 = Bands(-0.92152405, -0.87788118, -0.77373973, -0.67924120, -0.64858710, -0.67202124, 0, 0)

    private var x1: Float = 0
    private var x2: Float = 0
    private var y1 = Bands.zero
    private var y2 = Bands.zero

    /// Filters one frame and returns the mean power of each band; full scale ±1 has power 0.5 as a sine at a band's centre.
    ///
    /// Samples that are not finite count as 0, and so do filter states too small to matter: denormal numbers are slow.
    mutating func powers(of frame: UnsafeBufferPointer<Float>) -> Bands {
        var sum = Bands.zero
        var x1 = x1
        var x2 = x2
        var y1 = y1
        var y2 = y2
        for sample in frame {
            let x = abs(sample) <= Self.loudest ? sample : 0  // False for a NaN too.
            let y = gain * (x - x2) + feedback1 * y1 + feedback2 * y2
            sum += y * y
            x2 = x1
            x1 = x
            y2 = y1
            y1 = y
        }
        self.x1 = x1
        self.x2 = x2
        self.y1 = y1.replacing(with: 0, where: y1 .< Self.tiny .& y1 .> -Self.tiny)
        self.y2 = y2.replacing(with: 0, where: y2 .< Self.tiny .& y2 .> -Self.tiny)
        return sum / Float(frame.count)
    }

    private static let tiny: Float = 1e-15
    /// 40 dB over full scale: no sound, and its square is still a number.
    private static let loudest: Float = 100
}
