import PulseRoom
import VoiceActivity

/// What the detector made of one frame, or of neighbours: the means, and from where to where the score went.
struct FrameColumn: Foldable {
    /// The middle of each band, Hz, from low to high.
    static let bandCentres = VoiceDetector.bandCentres

    private var count: Float = 1
    private var powers: SIMD8<Float>
    private var floors: SIMD8<Float>
    private var thresholds: Float
    private var scores: Float
    /// dB.
    private(set) var score: ClosedRange<Double>

    /// - Precondition: all numbers are finite, as the detector's are.
    init(_ frame: VoiceFrame) {
        powers = frame.powers
        floors = frame.floor
        thresholds = frame.threshold
        scores = frame.score
        score = Double(frame.score)...Double(frame.score)
    }

    mutating func fold(in next: FrameColumn) {
        count += next.count
        powers += next.powers
        floors += next.floors
        thresholds += next.thresholds
        scores += next.scores
        score = min(score.lowerBound, next.score.lowerBound)...max(score.upperBound, next.score.upperBound)
    }

    /// dB.
    var meanScore: Double { Double(scores / count) }
    /// What the score had to reach, dB.
    var threshold: Double { Double(thresholds / count) }
    /// A band's level, dBFS.
    func level(ofBand band: Int) -> Double { Decibels.level(ofPower: Double(powers[band] / count)) }
    /// The mean of the bands' levels, dBFS: as the score is a mean over the bands.
    var level: Double { meanLevel(powers) }
    /// The same of the room, as the detector takes it.
    var floor: Double { meanLevel(floors) }

    private func meanLevel(_ powers: SIMD8<Float>) -> Double {
        powers.indices.reduce(0) { $0 + Decibels.level(ofPower: Double(powers[$1] / count)) } / 8
    }
}
