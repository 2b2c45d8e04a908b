public import AudioFiles

/// Says ten times a second how loud the microphone is: RMS, peak, clipping, and a peak that stays to be read.
///
/// One stream, one value; one thread at a time. No allocation a block.
public struct LevelMeter: Sendable {
    /// How loud 100 ms were.
    public struct Reading: Equatable, Sendable {
        /// dBFS, −120 to 0; a sine of full scale has −3.01.
        public var rmsDBFS: Double
        /// The loudest sample's magnitude, dBFS, −120 to 0.
        public var peakDBFS: Double
        /// The peak to draw as a mark on a bar: held for a second, then falling; never under `peakDBFS`.
        public var heldPeakDBFS: Double
        /// Samples that clipped, of 1600.
        public var clippedSamples: Int
    }

    /// 100 ms: as fast as a bar of text is read.
    static let blocksAReading = 5
    /// A second is long enough to look up and read; then 20 dB in 1.7 s, the fall of a peak meter (IEC 60268-10, type I).
    static let heldReadings = 10
    static let fallAReading = 20 / 17.0

    private var clipping = ClippingCounter()
    private var power = 0.0
    private var peak: Float = 0
    private var blocks = 0
    private var held = Decibels.silence
    private var readingsHeld = 0

    /// Nothing was heard yet.
    public init() {}

    /// Hears 20 ms; with every fifth block comes a reading.
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
