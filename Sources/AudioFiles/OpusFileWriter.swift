/// Writes 16 kHz mono sound to a new Ogg/Opus file as a stream. libopus encodes, libogg makes the pages.
///
/// A reader gets exactly as many samples as were written, without a delay. The same samples give the same bytes with
/// the same libopus on the same kind of processor. A file that was not closed is incomplete: see `OggOpusFile`. Use a
/// writer on one thread at a time.
public final class OpusFileWriter: SoundWriter {
    /// The processor time spent on a second of sound.
    public enum Effort: Sendable {
        /// 1.6 ms, for takes, which are recorded every second of an exam.
        case usual
        /// 9 ms, for the examiner's prompts, which are encoded once and heard by many candidates, also over slow
        /// connections. A synthetic voice with its prominent tones then needs half as many bits as with `usual`.
        case most

        fileprivate var complexity: Int {
            switch self {
            case .usual: OpusPacketEncoder.usualComplexity
            case .most: 10
            }
        }
    }

    /// The path given to the initializer.
    public var path: String { file.path }
    public private(set) var sampleCount = 0
    private let file: OggOpusFile
    private let encoder: OpusPacketEncoder
    /// The samples of the next 20 ms that have arrived.
    private var block = [Float](repeating: 0, count: AudioFormat.blockSize)
    private var packet = [UInt8](repeating: 0, count: OpusPacketDecoder.longestPacket)
    private var isClosed = false

    /// Creates the file. Only its owner can read or write it. An existing file is replaced.
    ///
    /// - Parameter bitRate: the approximate bits a second, 6,000 to 256,000. The rate varies with the sound.
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
        // Adds silence until the last sample has passed through the encoder.
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
