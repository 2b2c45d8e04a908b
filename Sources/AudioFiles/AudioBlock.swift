/// The only form of sound inside Oracy: 16 kHz, mono, full scale ±1.
public enum AudioFormat {
    /// Samples a second.
    public static let sampleRate = 16_000
    /// The number of samples that a room delivers at a time.
    public static let blockSize = 320
    /// The duration of a block: 20 ms.
    public static let blockDuration = duration(ofSamples: blockSize)

    /// Returns the duration of `count` samples, to the microsecond.
    public static func duration(ofSamples count: Int) -> Duration { .microseconds(count * 1_000_000 / sampleRate) }

    /// Returns the number of whole samples in a duration.
    public static func sampleCount(in span: Duration) -> Int {
        let (seconds, attoseconds) = span.components
        return Int(seconds) * sampleRate + Int(attoseconds / (1_000_000_000_000_000_000 / Int64(sampleRate)))
    }
}

/// 20 ms of sound: `AudioFormat.blockSize` mono samples at 16 kHz, full scale ±1, always finite.
///
/// A value type. Copies share their storage until one of them is changed.
public struct AudioBlock: Equatable, Sendable {
    /// The 320 samples: 16 kHz, one channel, full scale ±1.
    public var samples: [Float]
    /// The Opus packet that the samples were decoded from, so that it can be stored unchanged. Nil if the sound didn't
    /// come as packets.
    public let packet: [UInt8]?

    /// Creates a block.
    ///
    /// - Parameter packet: the packet that follows the previous block's packet in its stream.
    /// - Precondition: there are exactly `AudioFormat.blockSize` samples.
    public init(samples: [Float], packet: [UInt8]? = nil) {
        precondition(samples.count == AudioFormat.blockSize)
        self.samples = samples
        self.packet = packet
    }

    /// 20 ms of digital silence.
    public static let silence = AudioBlock(samples: Array(repeating: 0, count: AudioFormat.blockSize))
}
