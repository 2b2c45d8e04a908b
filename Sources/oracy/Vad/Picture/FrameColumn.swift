import PulseRoom
import VoiceActivity

/// The detector's values for one frame, or the means for neighbouring frames, with the range of the evidence.
struct FrameColumn: Foldable {
    /// The middle of each band, Hz, from low to high.
    static let bandCentres = VoiceDetector.bandCentres

    private var count: Float = 1
    private var powers: SIMD8<Float>
    private var floors: SIMD8<Float>
    private var thresholds: Float
    private var evidences: Float
    /// The range in nats.
    private(set) var evidence: ClosedRange<Double>

    /// - Precondition: All numbers are finite, as the detector's are.
    init(_ frame: VoiceFrame) {
        powers = frame.powers
        floors = frame.floor
        thresholds = frame.threshold
        evidences = frame.evidence
        evidence = Double(frame.evidence)...Double(frame.evidence)
    }

    mutating func fold(in next: FrameColumn) {
        count += next.count
        powers += next.powers
        floors += next.floors
        thresholds += next.thresholds
        evidences += next.evidences
        evidence =
            min(evidence.lowerBound, next.evidence.lowerBound)...max(evidence.upperBound, next.evidence.upperBound)
    }

    /// The mean in nats.
    var meanEvidence: Double { Double(evidences / count) }
    /// The evidence needed for a voice, in nats.
    var threshold: Double { Double(thresholds / count) }
    /// Returns the level of a band in dBFS.
    func level(ofBand band: Int) -> Double { Decibels.level(ofPower: Double(powers[band] / count)) }
    /// The mean of the bands' levels in dBFS. The evidence is also a mean over the bands.
    var level: Double { meanLevel(powers) }
    /// The mean level of the room's noise in dBFS, as the detector estimates it.
    var floor: Double { meanLevel(floors) }

    private func meanLevel(_ powers: SIMD8<Float>) -> Double {
        powers.indices.reduce(0) { $0 + Decibels.level(ofPower: Double(powers[$1] / count)) } / 8
    }
}
