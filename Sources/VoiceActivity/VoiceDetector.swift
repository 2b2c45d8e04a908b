/// Hears when a person speaks and when not: an energy detector for 16 kHz mono sound.
///
/// Every 10 ms the power of four bands is compared with the room's own noise. The *score* is the mean over the bands of how
/// many decibels a band stands out. Speech begins when the score stays over a threshold for 30 ms and ends when it stays
/// under a lower one for 0.25 s; both thresholds follow the loudest score this speaker has reached, so that a near voice is
/// not confused with a far one.
///
/// Streaming: any split of the same samples into calls gives the same changes. No allocation a call. The same on every
/// machine: it uses no library and no fused or reordered arithmetic. One stream, one value; one thread at a time.
public struct VoiceDetector: Sendable {
    /// The numbers that decide; the defaults are tuned on labelled speech (ARCHITECTURE.md, "Ears").
    public struct Settings: Equatable, Sendable {
        /// A band counts from so many decibels above the noise on.
        public var margin: Float = 4
        /// A band counts for so many decibels at most, so that no single one decides.
        public var ceiling: Float = 20
        /// The score, dB, from which on speech may begin, however quiet the speaker.
        public var threshold: Float = 3
        /// … and the part of the speaker's own highest score that it must also reach.
        public var partOfPeak: Float = 0.3
        /// Speech goes on while the score is over this part of the threshold.
        public var hysteresis: Float = 0.45
        /// What is left of the speaker's highest score after a frame: halved in about 35 s.
        public var peakDecay: Float = 0.9998
        /// Frames over the threshold before speech begins: 30 ms.
        public var attackFrames = 3
        /// Frames under it before speech ends: longer than the closure of a plosive, 0.25 s.
        public var hangoverFrames = 25
        /// The least noise power a band is compared with: −65 dB of full scale.
        public var gate: Float = 3.2e-7

        public init() {}
    }

    /// 10 ms at 16 kHz.
    static let frameSize = 160

    /// Samples heard so far, in whole frames of 10 ms.
    public private(set) var sampleCount = 0
    /// Whether a voice is heard now.
    public private(set) var isVoiced = false
    /// Whether anybody is listened to. While not, only the room's noise is followed.
    public private(set) var isListening = false
    /// The last 10 ms.
    public private(set) var frame = VoiceFrame()

    private let settings: Settings
    private var filters = FilterBank()
    private var floor: NoiseFloor
    private var pending: [Float] = []
    private var last = FilterBank.Bands.zero
    private var peak: Float = 0
    private var framesOver = 0
    private var framesUnder = 0

    public init(_ settings: Settings = Settings()) {
        self.settings = settings
        floor = NoiseFloor(gate: settings.gate)
        pending.reserveCapacity(Self.frameSize)
    }

    /// Listens from now on with fresh ears: a voice that sounds already must begin anew. What is known of the room's noise
    /// and of the speaker's level stays.
    public mutating func listen() {
        isListening = true
        isVoiced = false
        framesOver = 0
        framesUnder = 0
    }

    /// Stops listening, without a change: whoever was speaking is not heard any more.
    public mutating func stopListening() {
        isListening = false
        isVoiced = false
    }

    /// Hears more samples, full scale ±1, and reports what changed, in order.
    ///
    /// Samples that are not finite count as silence.
    public mutating func hear(_ samples: UnsafeBufferPointer<Float>, _ report: (VoiceChange) -> Void) {
        var rest = samples[...]
        while !rest.isEmpty {
            if pending.isEmpty && rest.count >= Self.frameSize {
                let whole = UnsafeBufferPointer(rebasing: rest.prefix(Self.frameSize))
                rest = rest.dropFirst(Self.frameSize)
                hear(frame: filters.powers(of: whole), report)
                continue
            }
            let part = rest.prefix(Self.frameSize - pending.count)
            pending.append(contentsOf: part)
            rest = rest.dropFirst(part.count)
            if pending.count == Self.frameSize {
                let powers = pending.withUnsafeBufferPointer { filters.powers(of: $0) }
                pending.removeAll(keepingCapacity: true)
                hear(frame: powers, report)
            }
        }
    }

    private mutating func hear(frame powers: FilterBank.Bands, _ report: (VoiceChange) -> Void) {
        sampleCount += Self.frameSize
        let noise = floor.follow(powers)
        let smoothed = (powers + last) / 2
        last = powers
        frame = VoiceFrame(powers: powers.twice, floor: noise.twice)
        defer { frame.isVoiced = isVoiced }
        guard isListening else { return }
        let score = score(smoothed, over: noise)
        peak = max(peak * settings.peakDecay, isVoiced ? score : 0)
        let threshold = max(settings.threshold, settings.partOfPeak * peak)
        (frame.score, frame.threshold) = (score, isVoiced ? threshold * settings.hysteresis : threshold)
        if isVoiced {
            framesUnder = score > threshold * settings.hysteresis ? 0 : framesUnder + 1
            guard framesUnder >= settings.hangoverFrames else { return }
            isVoiced = false
            framesOver = 0
            report(.ended(atSample: sampleCount - framesUnder * Self.frameSize))
        } else {
            framesOver = score > threshold ? framesOver + 1 : 0
            guard framesOver >= settings.attackFrames else { return }
            isVoiced = true
            framesUnder = 0
            report(.began(atSample: sampleCount - framesOver * Self.frameSize))
        }
    }

    private func score(_ powers: FilterBank.Bands, over noise: FilterBank.Bands) -> Float {
        var sum: Float = 0
        for band in 0..<FilterBank.Bands.scalarCount {
            let ratio = decibels(max(powers[band] / noise[band], 1))
            sum += min(max(ratio - settings.margin, 0), settings.ceiling)
        }
        return sum / Float(FilterBank.Bands.scalarCount)
    }
}

/// 10·log10 of a power ratio of at least 1, within 0.03 dB.
///
/// The exponent and a parabola through log2 at 1, √2 and 2; the C library's logarithm differs between machines.
private func decibels(_ ratio: Float) -> Float {
    let significand = ratio.significand
    return (Float(ratio.exponent) + (-0.344_85 * significand + 2.024_658) * significand - 1.674_873) * 3.010_3
}
