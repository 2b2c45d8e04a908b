/// What the detector made of the last 10 ms; for pictures and tuning.
public struct VoiceFrame: Equatable, Sendable {
    /// The mean power of each band.
    public var powers: SIMD8<Float>
    /// The room's power in each band.
    public var floor: SIMD8<Float>
    /// The evidence for a change that has added up, nats: for speech while none is heard, against it while some is.
    public var evidence: Float
    /// The evidence that makes the change, nats.
    public var threshold: Float
    /// Whether a voice is heard.
    public var isVoiced: Bool

    public init(
        powers: SIMD8<Float> = .zero, floor: SIMD8<Float> = .zero, evidence: Float = 0, threshold: Float = 0,
        isVoiced: Bool = false
    ) {
        self.powers = powers
        self.floor = floor
        self.evidence = evidence
        self.threshold = threshold
        self.isVoiced = isVoiced
    }
}

extension VoiceDetector {
    /// The middle of each band, Hz, from low to high.
    public static var bandCentres: [Int] { FilterBank.centres }
}
