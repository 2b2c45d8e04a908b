/// The one kind of sound inside the house: 16 kHz, mono, full scale ±1.
public enum AudioFormat {
    /// Samples a second.
    public static let sampleRate = 16_000
    /// 20 ms: what a room hands over at a time.
    public static let blockSize = 320
}

/// 20 ms of sound: `AudioFormat.blockSize` mono samples at 16 kHz, full scale ±1, always finite.
///
/// A value; copies share their storage until one is changed.
public struct AudioBlock: Equatable, Sendable {
    public var samples: [Float]

    /// - Precondition: there are exactly `AudioFormat.blockSize` samples.
    public init(samples: [Float]) {
        precondition(samples.count == AudioFormat.blockSize)
        self.samples = samples
    }

    public static let silence = AudioBlock(samples: Array(repeating: 0, count: AudioFormat.blockSize))
}
