/// The detector's findings about the last 10 ms, for pictures and tuning.
public struct VoiceFrame: Equatable, Sendable {
    /// The mean power of each band.
    public var powers: SIMD8<Float>
    /// The room's power in each band.
    public var floor: SIMD8<Float>
    /// The sum of evidence, nats: against speech while a voice is heard, otherwise for it.
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
