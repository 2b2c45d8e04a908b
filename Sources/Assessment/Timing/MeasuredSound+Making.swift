extension MeasuredSound {
    init(_ frames: SoundFrames, seconds: Double, clippedShare: Double, peaks: [Float]) {
        let speech = SpeechFrames(frames)
        var timeline = SoundTimeline(duration: Self.rounded(seconds, 1000))
        timeline.peaks = peaks.map { Self.rounded(Double(min($0, 1)), 100) }
        timeline.span = speech.span.map { Self.range($0, within: seconds) }
        timeline.silences = speech.silences.map { Self.range($0, within: seconds) }
        timeline.syllables = speech.nuclei.map { SoundFrames.seconds($0) }
        self.init(
            timeline: timeline, speechOverNoise: Self.rounded(Double(speech.loud - speech.quiet), 10),
            clippedShare: Self.rounded(clippedShare, 1_000_000),
            features: DeliveryFeatures(speech).values)
    }

    /// Returns the time span of frames. A frame covers 5 ms on each side of its middle.
    private static func range(_ frames: Range<Int>, within seconds: Double) -> TimeRange {
        TimeRange(
            max(0, rounded(SoundFrames.seconds(frames.lowerBound) - 0.005, 1000)),
            min(rounded(seconds, 1000), rounded(SoundFrames.seconds(frames.upperBound) - 0.005, 1000)))
    }

    private static func rounded(_ value: Double, _ steps: Double) -> Double { (value * steps).rounded() / steps }
}
