extension DeliveryCalibration {
    /// The calibration for the adults of speechocean762, made by `oracy calibrate --fit`. docs/results.md reports its
    /// accuracy.
    public static let builtIn = DeliveryCalibration(
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
