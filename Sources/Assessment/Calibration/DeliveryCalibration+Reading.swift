extension DeliveryCalibration {
    /// The calibration for people's marks of accuracy in reading a known text, made by `oracy calibrate --reading --fit`.
    /// docs/results.md reports how well it agrees with people, and what is not known about it.
    public static let reading = DeliveryCalibration(
        id: "speechocean762-reading-70270a29",
        corpus: "speechocean762 (CC BY 4.0): 640 sentences read by 40 adults whose first language is Mandarin",
        speakers: 40, sentences: 640, intercept: 7.4006,
        features: [
            Feature(
                name: "spectralTempo", low: -1.0119, high: -0.3986, mean: -0.6749, deviation: 0.162, weight: 0.2599),
            Feature(name: "pitchBend", low: -3.396, high: -1.1238, mean: -2.3309, deviation: 0.4952, weight: 0.1861),
            Feature(name: "phoneRate", low: 0.8836, high: 2.6231, mean: 1.9966, deviation: 0.4581, weight: 0.6606),
            Feature(name: "phoneClarity", low: -0.5654, high: -0.0401, mean: -0.2566, deviation: 0.136, weight: 0.1593),
            Feature(name: "phoneDistance", low: 0.1111, high: 0.9529, mean: 0.4768, deviation: 0.2059, weight: -0.545),
        ],
        cuts: CalibrationFit.cuts, speakerVariance: 2.0471, secondVariance: 0.9064)
}
