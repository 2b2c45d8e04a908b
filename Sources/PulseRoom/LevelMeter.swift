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

/// Counts samples that stand at full scale: at least three in a row of a magnitude of 0.9995 or more.
///
/// An unclipped sine of full scale at f Hz stays that high for 16 000·2·acos(0.9995)/2πf = 161/f samples. Three in a row span
/// two, so they come only below 81 Hz, lower than voices; one or two are merely a loud peak. (With 0.999 it would be 114 Hz,
/// within a man's voice.) It leaves a converter 16 steps of 16 bits for its own top. What a preamplifier clips lower, or a
/// volume control turns down afterwards, is not seen.
struct ClippingCounter: Sendable {
    static let threshold: Float = 0.9995
    /// For sound that clipped at a device's 48 kHz and was then resampled, whose plateaus ripple: through PulseAudio 16.1 a
    /// voice of which 0.1, 0.9 and 3.3 % clipped has 0.17, 1.5 and 4.6 % in runs over it, and none over 0.9995. A voice
    /// that stays so high unclipped is within 0.3 dB of clipping.
    static let resampledThreshold: Float = 0.97
    static let shortestRun = 3

    private let threshold: Float
    /// Samples in such runs so far.
    var count = 0
    private var run = 0

    init(threshold: Float = Self.threshold) {
        self.threshold = threshold
    }

    mutating func hear(_ sample: Float) {
        guard abs(sample) >= threshold else {
            run = 0
            return
        }
        run += 1
        // The third sample brings in the two before it.
        if run >= Self.shortestRun { count += run == Self.shortestRun ? run : 1 }
    }
}
