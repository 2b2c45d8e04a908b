/// The data for a picture of a recording, of bounded size: its wave, and the detector's values for each 10 ms.
struct HearingTrace {
    /// The number of samples in a place of the wave: 1 ms.
    static let waveStep = 16

    private(set) var wave = Folding<Extremes>()
    private(set) var frames = Folding<FrameColumn>()

    /// - Precondition: The samples begin at the start of a frame, or continue the previous ones.
    mutating func hear(_ samples: UnsafeBufferPointer<Float>) {
        for start in stride(from: 0, to: samples.count, by: Self.waveStep) {
            wave.append(Extremes(of: samples[start..<min(start + Self.waveStep, samples.count)]))
        }
    }

    /// Takes in the detector's values for the next 10 ms.
    mutating func follow(_ frame: FrameColumn) { frames.append(frame) }
}

/// The least and the greatest sample of a stretch.
struct Extremes: Foldable {
    private(set) var range: ClosedRange<Double>

    init(of samples: some Collection<Float>) {
        range = Double(samples.min() ?? 0)...Double(samples.max() ?? 0)
    }

    mutating func fold(in next: Extremes) {
        range = min(range.lowerBound, next.range.lowerBound)...max(range.upperBound, next.range.upperBound)
    }
}
