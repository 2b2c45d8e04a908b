/// What a picture of a recording needs, of bounded size: its wave, and what the detector made of each 10 ms.
struct HearingTrace {
    /// Samples a place of the wave: 1 ms.
    static let waveStep = 16

    private(set) var wave = Folding<Extremes>()
    private(set) var frames = Folding<FrameColumn>()

    /// - Precondition: the samples begin where a frame begins, or go on where the last ones ended.
    mutating func hear(_ samples: UnsafeBufferPointer<Float>) {
        for start in stride(from: 0, to: samples.count, by: Self.waveStep) {
            wave.append(Extremes(of: samples[start..<min(start + Self.waveStep, samples.count)]))
        }
    }

    /// Takes in the next 10 ms, as the detector heard them.
    mutating func follow(_ frame: FrameColumn) { frames.append(frame) }
}

/// The least and the greatest sample.
struct Extremes: Foldable {
    private(set) var range: ClosedRange<Double>

    init(of samples: some Collection<Float>) {
        range = Double(samples.min() ?? 0)...Double(samples.max() ?? 0)
    }

    mutating func fold(in next: Extremes) {
        range = min(range.lowerBound, next.range.lowerBound)...max(range.upperBound, next.range.upperBound)
    }
}
