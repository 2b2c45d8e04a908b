/// The one kind of sound inside the house: 16 kHz, mono, full scale ±1.
public enum AudioFormat {
    /// Samples a second.
    public static let sampleRate = 16_000
    /// Samples in what a room hands over at a time.
    public static let blockSize = 320
    /// 20 ms: how long that lasts.
    public static let blockDuration = duration(ofSamples: blockSize)

    /// How long so many samples last, to the microsecond.
    public static func duration(ofSamples count: Int) -> Duration { .microseconds(count * 1_000_000 / sampleRate) }

    /// How many samples last so long; what is left of the last one does not count.
    public static func sampleCount(in span: Duration) -> Int {
        let (seconds, attoseconds) = span.components
        return Int(seconds) * sampleRate + Int(attoseconds / (1_000_000_000_000_000_000 / Int64(sampleRate)))
    }
}

/// 20 ms of sound: `AudioFormat.blockSize` mono samples at 16 kHz, full scale ±1, always finite.
///
/// A value; copies share their storage until one is changed.
public struct AudioBlock: Equatable, Sendable {
    /// 320 of them: 16 kHz, one channel, full scale ±1.
    public var samples: [Float]
    /// The Opus packet that they were decoded from, where the sound came as packets: it can be kept as it is.
    public let packet: [UInt8]?

    /// - Parameter packet: the next one of its stream after the block's before.
    /// - Precondition: there are exactly `AudioFormat.blockSize` samples.
    public init(samples: [Float], packet: [UInt8]? = nil) {
        precondition(samples.count == AudioFormat.blockSize)
        self.samples = samples
        self.packet = packet
    }

    /// 20 ms of zeroes.
    public static let silence = AudioBlock(samples: Array(repeating: 0, count: AudioFormat.blockSize))
}
