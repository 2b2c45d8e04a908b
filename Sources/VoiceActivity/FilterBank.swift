/// Four band-pass filters side by side, and the mean power of each over a frame of 10 ms.
///
/// Bands from about 170 to 4000 Hz carry speech; hum lies below them and hiss above. They run at 8 kHz, on the means of two
/// samples each: what folds down from above 4 kHz are fricatives, which are speech too, and it halves the work. Each is a
/// second-order band-pass with a gain of 1 at its centre (R. Bristow-Johnson, "Audio EQ Cookbook"): with ω = 2π·centre/8000,
/// α = sin ω / 2Q and everything divided by 1 + α, `y[n] = α·(x[n] − x[n−2]) + 2·cos ω·y[n−1] − (1 − α)·y[n−2]`.
struct FilterBank: Sendable {
    typealias Bands = SIMD4<Float>

    // Centre, Hz:                 300         800         1700        3200
    // Q:                          1.0         1.2         1.5         2.0
    private let gain = Bands(0.10452253, 0.19672942, 0.24478333, 0.12811961)
    private let feedback1 = Bands(1.74147071, 1.29971910, 0.35260366, -1.41073211)
    private let feedback2 = Bands(-0.79095494, -0.60654117, -0.51043335, -0.74376078)

    private var x1: Float = 0
    private var x2: Float = 0
    private var y1 = Bands.zero
    private var y2 = Bands.zero

    /// Filters one frame, an even number of samples, and returns the mean power of each band; a sine of full scale at a
    /// band's centre has the power 0.5.
    ///
    /// Samples that are not finite count as 0, and so do filter states too small to matter: denormal numbers are slow.
    mutating func powers(of frame: UnsafeBufferPointer<Float>) -> Bands {
        var sum = Bands.zero
        var x1 = x1
        var x2 = x2
        var y1 = y1
        var y2 = y2
        var index = 0
        while index < frame.count {
            let mean = 0.5 * (frame[index] + frame[index + 1])
            let x = abs(mean) <= Self.loudest ? mean : 0  // False for a NaN too.
            // In this order the newest output is needed last: the next sample waits for two operations, not three.
            let y = (gain * (x - x2) + feedback2 * y2) + feedback1 * y1
            sum += y * y
            x2 = x1
            x1 = x
            y2 = y1
            y1 = y
            index += 2
        }
        self.x1 = x1
        self.x2 = x2
        self.y1 = y1.replacing(with: 0, where: y1 .< Self.tiny .& y1 .> -Self.tiny)
        self.y2 = y2.replacing(with: 0, where: y2 .< Self.tiny .& y2 .> -Self.tiny)
        return sum / Float(frame.count / 2)
    }

    private static let tiny: Float = 1e-15
    /// 40 dB over full scale: no sound, and its square is still a number.
    private static let loudest: Float = 100
}
