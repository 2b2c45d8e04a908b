internal import COpus

/// Decodes a stream of consecutive 20 ms Opus packets (RFC 6716) into blocks. Browsers send a microphone's sound in
/// this form.
///
/// Takes about 14 µs a block. Packets may come from untrusted clients: a packet that libopus rejects becomes silence.
/// Must not be used by two threads at the same time.
public final class OpusPacketDecoder {
    /// The longest packet of one frame, in bytes (RFC 6716, 3.4).
    public static let longestPacket = 1_275

    private let decoder: OpaquePointer

    /// Creates a decoder.
    ///
    /// - Throws: `SoundFileError` if there is not enough memory.
    public init() throws(SoundFileError) {
        var code: Int32 = 0
        guard let decoder = opus_decoder_create(Int32(AudioFormat.sampleRate), 1, &code), code == OPUS_OK else {
            throw SoundFileError(kind: .unwritable, path: "a stream of Opus", reason: "libopus says \(code)")
        }
        self.decoder = decoder
    }

    deinit { opus_decoder_destroy(decoder) }

    /// Returns whether these bytes are a packet that holds one block, judging by its header and the lengths of its
    /// frames.
    public static func isBlock(_ packet: UnsafeRawBufferPointer) -> Bool {
        guard let bytes = packet.bindMemory(to: UInt8.self).baseAddress, 1...longestPacket ~= packet.count else {
            return false
        }
        return withUnsafeTemporaryAllocation(of: Int16.self, capacity: mostFrames) { sizes in
            let frames = opus_packet_parse(bytes, Int32(packet.count), nil, nil, sizes.baseAddress!, nil)
            let length = opus_packet_get_samples_per_frame(bytes, Int32(AudioFormat.sampleRate))
            return frames * length == Int32(AudioFormat.blockSize)
        }
    }

    /// 120 ms in frames of 2.5 ms. libopus writes at most this many lengths (RFC 6716, 3.2.5).
    private static let mostFrames = 48

    /// Decodes the next packet. An invalid packet gives a block of silence with the packet for silence.
    public func decode(_ packet: UnsafeRawBufferPointer) -> AudioBlock {
        guard Self.isBlock(packet) else { return Self.silence }
        let bytes = packet.bindMemory(to: UInt8.self).baseAddress
        var isWhole = false
        let samples = [Float](unsafeUninitializedCapacity: AudioFormat.blockSize) { samples, count in
            let decoded = opus_decode_float(
                decoder, bytes, Int32(packet.count), samples.baseAddress!, Int32(AudioFormat.blockSize), 0)
            isWhole = decoded == Int32(AudioFormat.blockSize)
            samples[max(0, Int(decoded))...].initialize(repeating: 0)
            // Decoders overshoot full scale, and forged packets can decode to any value.
            for index in 0..<AudioFormat.blockSize {
                samples[index] = samples[index].isFinite ? max(-1, min(1, samples[index])) : 0
            }
            count = AudioFormat.blockSize
        }
        return isWhole ? AudioBlock(samples: samples, packet: Array(packet)) : Self.silence
    }

    private static let silence = AudioBlock(samples: AudioBlock.silence.samples, packet: OggOpusFile.silence)
}
