/// Writes 16 kHz mono sound to a new Ogg/Opus file as a stream: libopus encodes, libogg makes pages.
///
/// A reader gets as many samples as were written, to the sample, none later than it was. The same samples make the same bytes, with
/// the same libopus on the same kind of processor. What is not closed is not whole: see `OggOpusFile`. One thread at a time.
public final class OpusFileWriter: SoundWriter {
    /// How much of a core is spent on a second of sound.
    public enum Effort: Sendable {
        /// 1.6 ms, for what is recorded every second of an exam: takes.
        case usual
        /// 9 ms, for what is encoded once and heard by many, over thin lines too: the examiner. A synthetic voice, whose tones stand out,
        /// has half the bits of `usual`.
        case most

        fileprivate var complexity: Int {
            switch self {
            case .usual: OpusPacketEncoder.usualComplexity
            case .most: 10
            }
        }
    }

    /// As it was given.
    public var path: String { file.path }
    public private(set) var sampleCount = 0
    private let file: OggOpusFile
    private let encoder: OpusPacketEncoder
    /// The next 20 ms, as far as they are there.
    private var block = [Float](repeating: 0, count: AudioFormat.blockSize)
    private var packet = [UInt8](repeating: 0, count: OpusPacketDecoder.longestPacket)
    private var isClosed = false

    /// Creates the file, readable and writable by its owner only, and replaces one that exists.
    ///
    /// - Parameter bitRate: about so many bits a second, 6,000 to 256,000; the rate varies with the sound.
    /// - Throws: `SoundFileError.unwritable`.
    public init(path: String, bitRate: Int, effort: Effort = .usual) throws(SoundFileError) {
        encoder = try OpusPacketEncoder(bitRate: bitRate, complexity: effort.complexity)
        file = try OggOpusFile(path: path, preSkip: encoder.delay * 48_000 / AudioFormat.sampleRate)
    }

    public func write(_ samples: ArraySlice<Float>) throws(SoundFileError) {
        var rest = samples
        while !rest.isEmpty {
            let first = sampleCount % AudioFormat.blockSize
            let count = min(rest.count, AudioFormat.blockSize - first)
            rest.withUnsafeBufferPointer { rest in
                block.withUnsafeMutableBufferPointer { block in
                    for index in 0..<count { block[first + index] = min(max(rest[index], -1), 1) }
                }
            }
            if first + count == AudioFormat.blockSize { try encode() }
            sampleCount += count
            rest = rest.dropFirst(count)
        }
    }

    public func close(durably: Bool) throws(SoundFileError) {
        guard !isClosed else { return }
        isClosed = true
        var left = sampleCount % AudioFormat.blockSize
        // Silence until the last sample has come through the encoder.
        while file.packetCount * AudioFormat.blockSize < encoder.delay + sampleCount {
            for index in left..<AudioFormat.blockSize { block[index] = 0 }
            try encode()
            left = 0
        }
        try file.close(sampleCount: sampleCount, durably: durably)
    }

    private func encode() throws(SoundFileError) {
        let count = encoder.encode(block, into: &packet)
        try file.append(packet[..<count])
    }
}
