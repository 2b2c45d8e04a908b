import PulseRoom
import VoiceActivity

/// What the detector made of one frame, or of neighbours: the means, and from where to where the evidence went.
struct FrameColumn: Foldable {
    /// The middle of each band, Hz, from low to high.
    static let bandCentres = VoiceDetector.bandCentres

    private var count: Float = 1
    private var powers: SIMD8<Float>
    private var floors: SIMD8<Float>
    private var thresholds: Float
    private var evidences: Float
    /// Nats.
    private(set) var evidence: ClosedRange<Double>

    /// - Precondition: all numbers are finite, as the detector's are.
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

    /// Nats.
    var meanEvidence: Double { Double(evidences / count) }
    /// What it had to reach, nats.
    var threshold: Double { Double(thresholds / count) }
    /// A band's level, dBFS.
    func level(ofBand band: Int) -> Double { Decibels.level(ofPower: Double(powers[band] / count)) }
    /// The mean of the bands' levels, dBFS: as the evidence is a mean over the bands.
    var level: Double { meanLevel(powers) }
    /// The same of the room, as the detector takes it.
    var floor: Double { meanLevel(floors) }

    private func meanLevel(_ powers: SIMD8<Float>) -> Double {
        powers.indices.reduce(0) { $0 + Decibels.level(ofPower: Double(powers[$1] / count)) } / 8
    }
}
