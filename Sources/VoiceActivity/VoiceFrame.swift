/// What the detector made of the last 10 ms; for pictures and tuning.
public struct VoiceFrame: Equatable, Sendable {
    /// The mean power of each band.
    public var powers: SIMD8<Float>
    /// The room's power in each band.
    public var floor: SIMD8<Float>
    /// How far the sound stands out, dB.
    public var score: Float
    /// What the score must reach now, dB.
    public var threshold: Float
    public var isVoiced: Bool

    public init(
        powers: SIMD8<Float> = .zero, floor: SIMD8<Float> = .zero, score: Float = 0, threshold: Float = 0,
        isVoiced: Bool = false
    ) {
        self.powers = powers
        self.floor = floor
        self.score = score
        self.threshold = threshold
        self.isVoiced = isVoiced
    }
}

extension VoiceDetector {
    /// The middle of each band, Hz, from low to high. Each of the four bands stands there twice for now.
    public static let bandCentres = [300, 300, 800, 800, 1700, 1700, 3200, 3200]
}

extension FilterBank.Bands {
    /// Each band twice.
    var twice: SIMD8<Float> { SIMD8(self[0], self[0], self[1], self[1], self[2], self[2], self[3], self[3]) }
}
