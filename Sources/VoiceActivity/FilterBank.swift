/// Eight band-pass filters side by side, and the mean power of each over a frame of 10 ms.
///
/// Bands from about 150 to 4000 Hz carry speech. Hum lies below them and hiss above. The upper four run at 8 kHz, on
/// the means of two samples each, and the lower four at 2 kHz, on the means of eight. This saves most of the work. The
/// sound that is aliased in this way is mostly speech, too (fricatives, and 1250 Hz in the band at 750).
///
/// Each is a second-order band-pass with a gain of 1 at its centre (R. Bristow-Johnson, "Audio EQ Cookbook"): with
/// ω = 2π·centre/rate, α = sin ω / 2Q and everything divided by 1 + α,
/// `y[n] = α·(x[n] − x[n−2]) + 2·cos ω·y[n−1] − (1 − α)·y[n−2]`.
struct FilterBank: Sendable {
    typealias Bands = SIMD8<Float>
    /// The width of the processor's registers. Two of these, written out, are a third faster than eight numbers at
    /// once.
    private typealias Half = SIMD4<Float>

    /// The middle of each band, Hz.
    static let centres = [200, 320, 500, 750, 1100, 1600, 2300, 3200]
    // Q:                 1.6  1.6  1.7  1.8   1.9   2.0   2.0   2.2
    private let low = Section(
        gain: Half(0.15517914, 0.20876841, 0.22727273, 0.16417210),
        feedback1: Half(1.36694887, 0.84792617, 0.00000000, -1.18203915),
        feedback2: Half(-0.68964172, -0.58246317, -0.54545455, -0.67165579)
    )
    private let high = Section(
        gain: Half(0.16674085, 0.19209163, 0.19555462, 0.11784494),
        feedback1: Half(1.08231706, 0.49931483, -0.37558809, -1.42735687),
        feedback2: Half(-0.66651830, -0.61581674, -0.60889076, -0.76431012)
    )
    /// The mean of each eight samples of the frame: the same sound at 2 kHz, where pitch is looked for.
    private(set) var slow = [Float](repeating: 0, count: 20)
    /// The last two samples in at 8 kHz and at 2 kHz, the older one first.
    private var fine = SIMD2<Float>.zero
    private var coarse = SIMD2<Float>.zero
    /// The last two out of each section, the newer one first.
    private var lows = (Half.zero, Half.zero)
    private var highs = (Half.zero, Half.zero)

    /// Four filters' coefficients.
    private struct Section {
        let gain: Half
        let feedback1: Half
        let feedback2: Half

        /// Returns the next output. The newest one is added last, so that the next call waits for two operations, not
        /// three.
        @inline(__always) func next(_ difference: Half, _ newest: Half, _ older: Half) -> Half {
            (gain * difference + feedback2 * older) + feedback1 * newest
        }
    }

    /// Filters one frame, 160 samples, and returns the mean power of each band; a sine of full scale at a
    /// band's centre has the power 0.5.
    ///
    /// Samples that are not finite count as 0, and so do filter states too small to matter: denormal numbers are slow.
    mutating func powers(of frame: UnsafeBufferPointer<Float>) -> Bands {
        let before = (fine, coarse, lows, highs)
        let powers = filter(frame)
        // A sample that is not finite would stay in the filters: filter the frame again without it.
        if powers.total <= Self.loudest * Self.loudest { return powers }
        (fine, coarse, lows, highs) = before
        let calmed = frame.map { abs($0) <= Self.loudest ? $0 : 0 }
        return calmed.withUnsafeBufferPointer { filter($0) }
    }

    private mutating func filter(_ frame: UnsafeBufferPointer<Float>) -> Bands {
        var (sumOfLows, sumOfHighs) = (Half.zero, Half.zero)
        var (lastFine, lastCoarse, l, h) = (fine, coarse, lows, highs)
        let samples = UnsafeRawPointer(frame.baseAddress!)
        for eight in stride(from: 0, to: slow.count, by: 2) {
            // Unrolled, so that no state is copied between variables. A band's power is taken from every second sample.
            let first = Self.pairs(samples, eight)
            var upper = first - Half(lowHalf: lastFine, highHalf: first.lowHalf)
            slow[eight] = first.total * 0.25
            l.1 = low.next(Half(repeating: slow[eight] - lastCoarse[0]), l.0, l.1)
            h.1 = high.next(Half(repeating: upper[0]), h.0, h.1)
            h.0 = high.next(Half(repeating: upper[1]), h.1, h.0)
            sumOfHighs += h.0 * h.0
            h.1 = high.next(Half(repeating: upper[2]), h.0, h.1)
            h.0 = high.next(Half(repeating: upper[3]), h.1, h.0)
            sumOfHighs += h.0 * h.0
            let second = Self.pairs(samples, eight + 1)
            upper = second - Half(lowHalf: first.highHalf, highHalf: second.lowHalf)
            slow[eight + 1] = second.total * 0.25
            sumOfLows += l.1 * l.1
            l.0 = low.next(Half(repeating: slow[eight + 1] - lastCoarse[1]), l.1, l.0)
            h.1 = high.next(Half(repeating: upper[0]), h.0, h.1)
            h.0 = high.next(Half(repeating: upper[1]), h.1, h.0)
            sumOfHighs += h.0 * h.0
            h.1 = high.next(Half(repeating: upper[2]), h.0, h.1)
            h.0 = high.next(Half(repeating: upper[3]), h.1, h.0)
            sumOfHighs += h.0 * h.0
            sumOfLows += l.0 * l.0
            lastFine = second.highHalf
            lastCoarse = SIMD2(slow[eight], slow[eight + 1])
        }
        (fine, coarse) = (lastFine, lastCoarse)
        lows = (Self.calmed(l.0), Self.calmed(l.1))
        highs = (Self.calmed(h.0), Self.calmed(h.1))
        return Bands(lowHalf: sumOfLows / Float(slow.count), highHalf: sumOfHighs / Float(2 * slow.count))
    }

    /// The means of two samples each, of eight.
    @inline(__always) private static func pairs(_ samples: UnsafeRawPointer, _ eight: Int) -> Half {
        let sound = samples.loadUnaligned(fromByteOffset: eight * 32, as: SIMD8<Float>.self)
        return (sound.evenHalf + sound.oddHalf) * 0.5
    }

    private static func calmed(_ state: Half) -> Half {
        state.replacing(with: 0, where: state .< tiny .& state .> -tiny)
    }

    private static let tiny: Float = 1e-15
    /// 40 dB over full scale: louder than any sound, and its square is still finite.
    private static let loudest: Float = 100
}
