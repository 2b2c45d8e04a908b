internal import COpus

/// Encodes 16 kHz mono sound as a stream of Opus packets (RFC 6716) of 20 ms. Not to be used from two threads at once.
///
/// Application AUDIO: below complexity 7 that is CELT, which keeps the wave. The rate varies as the sound asks for it and is right in
/// the mean of voices, 32 to 36 kbit/s for a wish of 32; held to the wish frame by frame ("constrained", libopus's own choice) the
/// same answers lose 2 dB and 0.12 of PESQ.
package final class OpusPacketEncoder {
    /// How hard libopus tries, 0 to 10. On 52 learners' answers, at 32 kbit/s, 5 costs 1.6 ms a second of sound and 10 costs 9.1,
    /// for 20.0 dB of signal to noise against 20.5, the same log-spectral distance (2.2 dB) and a PESQ of 4.36 (least 4.17) against
    /// 4.55 (4.45). From 7 on libopus analyses each frame, and chooses SILK for speech (libopus 1.3.1).
    package static let usualComplexity = 5

    /// By how many samples what is decoded comes after what was encoded.
    package let delay: Int
    private let encoder: OpaquePointer

    /// - Parameters:
    ///   - bitRate: about so many bits a second, 6,000 to 256,000.
    ///   - complexity: 0 to 10.
    /// - Throws: `SoundFileError` where there is no memory.
    package init(bitRate: Int, complexity: Int = usualComplexity) throws(SoundFileError) {
        precondition(6_000...256_000 ~= bitRate && 0...10 ~= complexity)
        var code: Int32 = 0
        let rate = Int32(AudioFormat.sampleRate)
        guard let encoder = opus_encoder_create(rate, 1, OPUS_APPLICATION_AUDIO, &code), code == OPUS_OK else {
            throw SoundFileError(kind: .unwritable, path: "a stream of Opus", reason: "libopus says \(code)")
        }
        var delay: Int32 = 0
        oracy_opus_set(encoder, OPUS_SET_BITRATE_REQUEST, Int32(bitRate))
        oracy_opus_set(encoder, OPUS_SET_COMPLEXITY_REQUEST, Int32(complexity))
        oracy_opus_set(encoder, OPUS_SET_VBR_CONSTRAINT_REQUEST, 0)
        oracy_opus_get(encoder, OPUS_GET_LOOKAHEAD_REQUEST, &delay)
        self.encoder = encoder
        self.delay = Int(delay)
    }

    deinit { opus_encoder_destroy(encoder) }

    /// Encodes the next 20 ms.
    ///
    /// - Parameters:
    ///   - samples: `AudioFormat.blockSize` of them, full scale ±1.
    ///   - packet: room for `OpusPacketDecoder.longestPacket` bytes.
    /// - Returns: how many of them the packet has.
    package func encode(_ samples: UnsafePointer<Float>, into packet: UnsafeMutablePointer<UInt8>) -> Int {
        let count = opus_encode_float(
            encoder, samples, Int32(AudioFormat.blockSize), packet, Int32(OpusPacketDecoder.longestPacket))
        // It fails on nothing but a size that Opus does not have, and room that is too small.
        precondition(count > 0, "libopus says \(count)")
        return Int(count)
    }
}
