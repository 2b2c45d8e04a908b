public import Assessment

/// A delivery profile in a form for programs: all known values by their names in `DeliveryMeasures`.
public struct DeliveryReport: Encodable, Sendable {
    public var version: String
    public var calibration: String
    public var word: DeliveryWord?
    public var index: Double?
    public var reliability: Double
    public var gates: [DeliveryGate]
    public var evidence: String
    public var measures: [String: Double]
    public var lines: [MeasureLine]

    public init(_ profile: DeliveryProfile) {
        (version, calibration, word, index) = (profile.version, profile.calibration, profile.word, profile.index)
        (reliability, gates, evidence, lines) = (profile.reliability, profile.gates, profile.evidence, profile.lines)
        let figures = profile.measures
        let all: [(String, Double?)] = [
            ("answers", Double(figures.answers)), ("speech", figures.speech), ("span", figures.span),
            ("syllables", Double(figures.syllables)), ("pauses", Double(figures.pauses)),
            ("longestPause", figures.pauses > 0 ? figures.longestPause : nil), ("meanPause", figures.meanPause),
            ("pausesPerMinute", figures.pausesPerMinute), ("speechRate", figures.speechRate),
            ("articulationRate", figures.articulationRate), ("phonationTimeRatio", figures.phonationTimeRatio),
            ("meanLengthOfRun", figures.meanLengthOfRun), ("responseLatency", figures.responseLatency),
            ("timeToFirstPause", figures.timeToFirstPause), ("firstThirdRate", figures.firstThird.rate),
            ("lastThirdRate", figures.lastThird.rate),
        ]
        measures = Dictionary(uniqueKeysWithValues: all.compactMap { name, value in value.map { (name, $0) } })
    }
}
