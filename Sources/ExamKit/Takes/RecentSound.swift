import AudioFiles

/// The last second or so of the microphone, forgotten once it is taken. Kept at 16 bits a sample, like takes: 32 kB a
/// second.
struct RecentSound: Sendable {
    /// A ring; `next` is the place of the oldest sample once it is full.
    private var samples: [Int16]
    private var next = 0
    /// The number of samples since the last ones were taken.
    private var count = 0

    init(length: Duration) {
        samples = Array(repeating: 0, count: AudioFormat.sampleCount(in: length))
    }

    mutating func append(_ block: AudioBlock) {
        withUnsafeTemporaryAllocation(of: Int16.self, capacity: block.samples.count) { pcm in
            block.samples.withUnsafeBufferPointer { roundToPCM16($0, pcm) }
            for sample in pcm { append(sample) }
        }
    }

    /// Fills a gap in the microphone's sound with silence.
    mutating func miss(_ span: Duration) {
        for _ in 0..<min(AudioFormat.sampleCount(in: span), samples.count) { append(0) }
    }

    private mutating func append(_ sample: Int16) {
        samples[next] = sample
        next = next + 1 == samples.count ? 0 : next + 1
        count = min(count + 1, samples.count)
    }

    /// Forgets everything, because it belongs to a take or lies before one.
    mutating func forget() { count = 0 }

    /// Returns the last samples, full scale ±1, and forgets them.
    ///
    /// - Parameter wanted: The number of samples. Silence precedes them if fewer were heard.
    mutating func take(_ wanted: Int) -> [Float] {
        let heard = min(wanted, count)
        let first = next - heard
        forget()
        let last = (first..<next).map { Float(samples[$0 < 0 ? $0 + samples.count : $0]) / 32_768 }
        return Array(repeating: 0, count: wanted - heard) + last
    }
}
