/// Eight band-pass filters side by side, and the mean power of each over a frame of 10 ms.
///
/// Bands from about 150 to 4000 Hz carry speech; hum lies below them and hiss above. They run at 8 kHz, on the means of two
/// samples each: what folds down from above 4 kHz are fricatives, which are speech too, and it halves the work. Each is a
/// second-order band-pass with a gain of 1 at its centre (R. Bristow-Johnson, "Audio EQ Cookbook"): with ω = 2π·centre/8000,
/// α = sin ω / 2Q and everything divided by 1 + α, `y[n] = α·(x[n] − x[n−2]) + 2·cos ω·y[n−1] − (1 − α)·y[n−2]`.
struct FilterBank: Sendable {
    typealias Bands = SIMD8<Float>
    /// The processor's own width: written out, two of these are a third faster than eight numbers at once.
    private typealias Half = SIMD4<Float>

    /// The middle of each band, Hz.
    static let centres = [200, 320, 500, 750, 1100, 1600, 2300, 3200]
    // Q:                 1.6  1.6  1.7  1.8   1.9   2.0   2.0   2.2
    private let low = Section(
        gain: Half(0.04660733, 0.07211141, 0.10116718, 0.13369290),
        feedback1: Half(1.88330964, 1.79747453, 1.66082648, 1.44061606),
        feedback2: Half(-0.90678533, -0.85577718, -0.79766563, -0.73261420)
    )
    private let high = Section(
        gain: Half(0.16674085, 0.19209163, 0.19555462, 0.11784494),
        feedback1: Half(1.08231706, 0.49931483, -0.37558809, -1.42735687),
        feedback2: Half(-0.66651830, -0.61581674, -0.60889076, -0.76431012)
    )
    /// The mean of each eight samples of the frame: the same sound at 2 kHz, where pitch is looked for.
    private(set) var slow = [Float](repeating: 0, count: 20)
    /// The last two samples in, the newer one first, and out of each section.
    private var x = (Float.zero, Float.zero)
    private var lows = (Half.zero, Half.zero)
    private var highs = (Half.zero, Half.zero)

    /// Four filters' coefficients.
    private struct Section {
        let gain: Half
        let feedback1: Half
        let feedback2: Half

        /// The next sample out. In this order the newest is needed last: the one after waits for two operations, not three.
        @inline(__always) func next(_ difference: Half, _ newest: Half, _ older: Half) -> Half {
            (gain * difference + feedback2 * older) + feedback1 * newest
        }
    }

    /// Filters one frame, 160 samples, and returns the mean power of each band; a sine of full scale at a
    /// band's centre has the power 0.5.
    ///
    /// Samples that are not finite count as 0, and so do filter states too small to matter: denormal numbers are slow.
    mutating func powers(of frame: UnsafeBufferPointer<Float>) -> Bands {
        var (sumOfLows, sumOfHighs) = (Half.zero, Half.zero)
        var (x, l, h) = (x, lows, highs)
        /// So that nothing moves from one variable to another.
        @inline(__always) func twoSteps(_ first: Float, _ second: Float) {
            let first = Half(repeating: first)
            l.1 = low.next(first, l.0, l.1)
            h.1 = high.next(first, h.0, h.1)
            sumOfLows += l.1 * l.1
            sumOfHighs += h.1 * h.1
            let second = Half(repeating: second)
            l.0 = low.next(second, l.1, l.0)
            h.0 = high.next(second, h.1, h.0)
            sumOfLows += l.0 * l.0
            sumOfHighs += h.0 * h.0
        }
        let samples = UnsafeRawPointer(frame.baseAddress!)
        for eight in slow.indices {
            let sound = samples.loadUnaligned(fromByteOffset: eight * 32, as: SIMD8<Float>.self)
            var means = (sound.evenHalf + sound.oddHalf) * 0.5
            means.replace(with: 0, where: .!(means .<= Self.loudest .& means .>= -Self.loudest))  // A NaN too.
            slow[eight] = means.total * 0.25
            twoSteps(means[0] - x.1, means[1] - x.0)
            twoSteps(means[2] - means[0], means[3] - means[1])
            x = (means[3], means[2])
        }
        self.x = x
        lows = (Self.calmed(l.0), Self.calmed(l.1))
        highs = (Self.calmed(h.0), Self.calmed(h.1))
        return Bands(lowHalf: sumOfLows, highHalf: sumOfHighs) / Float(4 * slow.count)
    }

    private static func calmed(_ state: Half) -> Half {
        state.replacing(with: 0, where: state .< tiny .& state .> -tiny)
    }

    private static let tiny: Float = 1e-15
    /// 40 dB over full scale: no sound, and its square is still a number.
    private static let loudest: Float = 100
}
