internal import COpus

/// Decodes a stream of Opus packets (RFC 6716) of 20 ms, one after the other, into blocks: what a browser's encoder makes of a microphone.
///
/// Some 14 µs a block. Packets may come from anywhere: one that libopus refuses becomes silence. Not to be used from two threads at once.
public final class OpusPacketDecoder {
    /// The longest packet of one frame, in bytes (RFC 6716, 3.4).
    public static let longestPacket = 1_275

    private let decoder: OpaquePointer

    /// - Throws: `SoundFileError` where there is no memory.
    public init() throws(SoundFileError) {
        var code: Int32 = 0
        guard let decoder = opus_decoder_create(Int32(AudioFormat.sampleRate), 1, &code), code == OPUS_OK else {
            throw SoundFileError(kind: .unwritable, path: "a stream of Opus", reason: "libopus says \(code)")
        }
        self.decoder = decoder
    }

    deinit { opus_decoder_destroy(decoder) }

    /// Whether these bytes are a packet that holds one block, as far as its header and the lengths of its frames say.
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

    /// 120 ms in frames of 2.5 ms: libopus writes no more lengths (RFC 6716, 3.2.5).
    private static let mostFrames = 48

    /// Decodes the next packet; a packet that is not valid gives a block of silence, and the packet for it.
    public func decode(_ packet: UnsafeRawBufferPointer) -> AudioBlock {
        guard Self.isBlock(packet) else { return Self.silence }
        let bytes = packet.bindMemory(to: UInt8.self).baseAddress
        var isWhole = false
        let samples = [Float](unsafeUninitializedCapacity: AudioFormat.blockSize) { samples, count in
            let decoded = opus_decode_float(
                decoder, bytes, Int32(packet.count), samples.baseAddress!, Int32(AudioFormat.blockSize), 0)
            isWhole = decoded == Int32(AudioFormat.blockSize)
            samples[max(0, Int(decoded))...].initialize(repeating: 0)
            // Decoders overshoot full scale; and what was made up may hold anything.
            for index in 0..<AudioFormat.blockSize {
                samples[index] = samples[index].isFinite ? max(-1, min(1, samples[index])) : 0
            }
            count = AudioFormat.blockSize
        }
        return isWhole ? AudioBlock(samples: samples, packet: Array(packet)) : Self.silence
    }

    private static let silence = AudioBlock(samples: AudioBlock.silence.samples, packet: OggOpusFile.silence)
}
