extension DeliveryCalibration {
    /// The calibration for the adults of speechocean762, made by `oracy calibrate --fit`, from sound alone.
    /// docs/results.md reports its accuracy, and what is not known about it.
    public static let builtIn = DeliveryCalibration(
        id: "speechocean762-0a4e31bd",
        corpus: "speechocean762 (CC BY 4.0): 640 sentences read by 40 adults whose first language is Mandarin",
        speakers: 40, sentences: 640, intercept: 7.3525,
        features: [
            Feature(
                name: "spectralTempo", low: -1.0119, high: -0.3986, mean: -0.6749, deviation: 0.162, weight: 0.5247),
            Feature(name: "peakRate", low: 0.2025, high: 1.797, mean: 1.2006, deviation: 0.4069, weight: 0.421),
            Feature(name: "voiceGaps", low: 0, high: 0.5508, mean: 0.1287, deviation: 0.1645, weight: -0.4555),
            Feature(name: "pitchBend", low: -3.396, high: -1.1238, mean: -2.3309, deviation: 0.4952, weight: 0.4162),
        ],
        cuts: CalibrationFit.cuts, speakerVariance: 2.2771, secondVariance: 1.0927)

    /// The calibration for the same sentences with their phones (`HeardPhones`), made by `oracy calibrate --phones
    /// --fit`. It judges answers in which phones were heard.
    public static let builtInWithPhones = DeliveryCalibration(
        id: "speechocean762-phones-a272c9ee",
        corpus: "speechocean762 (CC BY 4.0): 640 sentences read by 40 adults whose first language is Mandarin",
        speakers: 40, sentences: 640, intercept: 7.3525,
        features: [
            Feature(
                name: "spectralTempo", low: -1.0119, high: -0.3986, mean: -0.6749, deviation: 0.162, weight: 0.3846),
            Feature(name: "pitchBend", low: -3.396, high: -1.1238, mean: -2.3309, deviation: 0.4952, weight: 0.1884),
            Feature(name: "phoneRate", low: 0.8794, high: 2.6231, mean: 1.9964, deviation: 0.4581, weight: 0.9712),
            Feature(
                name: "phoneClarity", low: -0.5654, high: -0.0401, mean: -0.2564, deviation: 0.1359, weight: 0.3951),
        ],
        cuts: CalibrationFit.cuts, speakerVariance: 2.5064, secondVariance: 1.0231)

    /// The first calibration, for recordings that were measured before the features of the others existed. It is worse
    /// for unknown speakers than for those of its fit: a rank correlation of 0.69 instead of 0.78.
    static let first = DeliveryCalibration(
        id: "speechocean762-908ff1f4",
        corpus: "speechocean762 (CC BY 4.0): 640 sentences read by 40 adults whose first language is Mandarin",
        speakers: 40, sentences: 640, intercept: 7.3525,
        features: [
            Feature(
                name: "syllableRate", low: -0.1685, high: 1.6633, mean: 0.9894, deviation: 0.4757, weight: 1.2718),
            Feature(name: "pitchBend", low: -3.396, high: -1.1238, mean: -2.3309, deviation: 0.4952, weight: 0.4595),
        ],
        cuts: CalibrationFit.cuts, speakerVariance: 2.2176, secondVariance: 1.1629)
}
