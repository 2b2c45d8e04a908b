// Calibrations to two other marks that people gave the same sentences: prosody and accuracy. They use the same features
// of the sound, which show only what these marks have in common with delivery. Their ranges are therefore wide.

extension DeliveryCalibration {
    /// The calibration for people's marks of prosody: rhythm, intonation and speed, by the same regression as
    /// the index.
    static let prosody = DeliveryCalibration(
        id: "speechocean762-prosody", corpus: builtIn.corpus, speakers: 40, sentences: 640, intercept: 7.0906,
        features: [
            Feature(
                name: "spectralTempo", low: -1.0119, high: -0.3986, mean: -0.6749, deviation: 0.162, weight: 0.5001),
            Feature(name: "peakRate", low: 0.2025, high: 1.797, mean: 1.2006, deviation: 0.4069, weight: 0.361),
            Feature(name: "voiceGaps", low: 0, high: 0.5508, mean: 0.1287, deviation: 0.1645, weight: -0.4302),
            Feature(name: "pitchBend", low: -3.396, high: -1.1238, mean: -2.3309, deviation: 0.4952, weight: 0.415),
        ],
        cuts: CalibrationFit.cuts, speakerVariance: 1.9998, secondVariance: 0.9517)

    /// The calibration for people's marks of accuracy: how well the sounds of the words are said.
    static let accuracy = DeliveryCalibration(
        id: "speechocean762-accuracy", corpus: builtIn.corpus, speakers: 40, sentences: 640, intercept: 7.4006,
        features: [
            Feature(
                name: "spectralTempo", low: -1.0119, high: -0.3986, mean: -0.6749, deviation: 0.162, weight: 0.456),
            Feature(name: "peakRate", low: 0.2025, high: 1.797, mean: 1.2006, deviation: 0.4069, weight: 0.2532),
            Feature(name: "voiceGaps", low: 0, high: 0.5508, mean: 0.1287, deviation: 0.1645, weight: -0.4453),
            Feature(name: "pitchBend", low: -3.396, high: -1.1238, mean: -2.3309, deviation: 0.4952, weight: 0.4475),
        ],
        cuts: CalibrationFit.cuts, speakerVariance: 1.7344, secondVariance: 0.8149)
}

extension IndexError {
    /// Returns the error of a built-in calibration by eight folds, as `oracy calibrate` prints it (docs/results.md).
    /// The calibration with phones uses the error of the one without. Its index is closer to people's marks (a mean
    /// error of 0.62 instead of 0.76), so its ranges are somewhat too wide. Nil for any other calibration.
    static func known(of calibration: String) -> IndexError? {
        switch calibration {
        case DeliveryCalibration.builtIn.id, DeliveryCalibration.builtInWithPhones.id:
            IndexError(speakerVariance: 0.469, secondVariance: 1.190)
        case DeliveryCalibration.prosody.id: IndexError(speakerVariance: 0.500, secondVariance: 1.180)
        case DeliveryCalibration.accuracy.id: IndexError(speakerVariance: 0.511, secondVariance: 1.766)
        case DeliveryCalibration.reading.id: IndexError(speakerVariance: 0.236, secondVariance: 1.566)
        default: nil
        }
    }
}
