public import AudioFiles

/// Measures a microphone's level ten times a second: RMS, peak, clipping, and a held peak for reading.
///
/// One value serves one stream, on one thread at a time. It allocates no memory per block.
public struct LevelMeter: Sendable {
    /// The levels in 100 ms.
    public struct Reading: Equatable, Sendable {
        /// The RMS in dBFS, −120 to 0. A sine of full scale has −3.01.
        public var rmsDBFS: Double
        /// The loudest sample's magnitude, dBFS, −120 to 0.
        public var peakDBFS: Double
        /// The peak to draw as a mark on a bar. It is held for a second and then falls, never below `peakDBFS`.
        public var heldPeakDBFS: Double
        /// The number of clipped samples among the 1600.
        public var clippedSamples: Int
    }

    /// 100 ms: a bar of text can't be read faster.
    static let blocksAReading = 5
    /// The peak is held for a second, long enough to look up and read it. Then it falls by 20 dB in 1.7 s, like a peak
    /// meter (IEC 60268-10, type I).
    static let heldReadings = 10
    static let fallAReading = 20 / 17.0

    private var clipping = ClippingCounter()
    private var power = 0.0
    private var peak: Float = 0
    private var blocks = 0
    private var held = Decibels.silence
    private var readingsHeld = 0

    /// A meter, before any sound.
    public init() {}

    /// Hears 20 ms. Every fifth block returns a reading.
    public mutating func hear(_ block: AudioBlock) -> Reading? {
        block.samples.withUnsafeBufferPointer { samples in
            for sample in samples {
                power += Double(sample) * Double(sample)
                peak = max(peak, abs(sample))
                clipping.hear(sample)
            }
        }
        blocks += 1
        guard blocks == Self.blocksAReading else { return nil }
        defer { startAgain() }
        let peakDBFS = min(Decibels.level(ofPeak: peak), 0)
        hold(peakDBFS)
        return Reading(
            rmsDBFS: min(Decibels.level(ofPower: power / Double(blocks * AudioFormat.blockSize)), 0),
            peakDBFS: peakDBFS, heldPeakDBFS: held, clippedSamples: clipping.count)
    }

    private mutating func hold(_ peakDBFS: Double) {
        readingsHeld += 1
        if readingsHeld > Self.heldReadings { held = max(held - Self.fallAReading, Decibels.silence) }
        guard peakDBFS >= held else { return }
        held = peakDBFS
        readingsHeld = 0
    }

    private mutating func startAgain() {
        power = 0
        peak = 0
        blocks = 0
        clipping.count = 0
    }
}
