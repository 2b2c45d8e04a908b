internal import COgg
internal import COpus

/// Sound of one channel in a whole Ogg Opus file (RFC 7845), such as every take, decoded by libopus alone.
///
/// libsndfile gives the same samples, to the bit, in three times the time: for each packet its decoder asks the
/// processor eight times for its features, and a virtual machine stops at each question. libsndfile reads all other
/// files: damaged, joined, of several channels, with a gain.
final class OpusSource: SampleSource {
    let sampleRate: Int
    let channelCount = 1
    let frameCount: Int
    let warnings: [RecordingWarning] = []
    private let bytes: SoundBytes
    private let packets: OggPackets
    private let decoder: OpaquePointer
    private var framesRead = 0
    /// The samples before the first that counts which are still to be decoded.
    private var skip: Int
    /// The newest packet's samples. Those in `ready` have not been read yet.
    private var decoded: [Float]
    private var ready = 0..<0

    /// Opus counts 48,000 ticks a second, regardless of the sound's rate.
    private static let tickRate = 48_000
    /// 120 ms, the longest packet (RFC 6716, 3.2.5).
    private static let mostTicks = tickRate * 120 / 1_000
    /// The most frames of a packet: each has 2.5 ms or more.
    private static let mostFrames = 48

    /// Opens a file. Nil if libsndfile should read it.
    ///
    /// Reads all packets once without decoding them, so that the length is right and no fault comes up later.
    init?(_ bytes: SoundBytes) {
        guard let sound = Sound(bytes), bytes.failure == nil else { return nil }
        var code: Int32 = 0
        guard let decoder = opus_decoder_create(Int32(sound.rate), 1, &code), code == OPUS_OK else { return nil }
        self.bytes = bytes
        self.decoder = decoder
        (sampleRate, frameCount, skip) = (sound.rate, sound.frameCount, sound.skip)
        decoded = Array(repeating: 0, count: Self.mostTicks * sound.rate / Self.tickRate)
        packets = OggPackets(bytes)
        for _ in 0..<Sound.headers { _ = packets.next() }
    }

    deinit { opus_decoder_destroy(decoder) }

    func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>) throws(SourceFailure) -> Int {
        let wanted = min(frames, frameCount - framesRead)
        var filled = 0
        while filled < wanted, !ready.isEmpty || decodeNext() {
            let count = min(ready.count, wanted - filled)
            for index in 0..<count { samples[filled + index] = decoded[ready.lowerBound + index] }
            ready = (ready.lowerBound + count)..<ready.upperBound
            filled += count
        }
        framesRead += filled
        if filled < wanted, let failure = bytes.failure {
            let second = Double(framesRead) / Double(sampleRate)
            throw SourceFailure(reason: "cannot be read after \(second.rounded(to: 3)) s (\(failure))")
        }
        return filled
    }

    /// Decodes packets until one has samples that count. Returns whether there was one.
    private func decodeNext() -> Bool {
        while let packet = packets.next() {
            let count = decoded.withUnsafeMutableBufferPointer {
                opus_decode_float(decoder, packet.packet, Int32(packet.bytes), $0.baseAddress!, Int32($0.count), 0)
            }
            guard count > 0 else { return false }
            let skipped = min(skip, Int(count))
            skip -= skipped
            ready = skipped..<Int(count)
            if !ready.isEmpty { return true }
        }
        return false
    }

    /// The form and length of a file's sound, at its own rate.
    private struct Sound {
        let rate, frameCount, skip: Int

        /// The packets before the first with sound: one says what the sound is, the other has comments.
        static let headers = 2

        /// Nil unless the file is whole, its times are those of its packets, and the end lies in the last packet.
        init?(_ bytes: SoundBytes) {
            let packets = OggPackets(bytes)
            guard let head = packets.next().flatMap(Self.head), let comments = packets.next(),
                UnsafeBufferPointer(start: comments.packet, count: comments.bytes).starts(with: "OpusTags".utf8)
            else { return nil }
            var (time, end) = (0, Int?.none)
            while let packet = packets.next() {
                guard end == nil, let ticks = Self.ticks(of: packet) else { return nil }
                let stated = Int(packet.granulepos)
                if packet.e_o_s != 0 {
                    guard time < stated, stated <= time + ticks else { return nil }
                    end = stated
                } else if stated >= 0, stated != time + ticks {
                    return nil
                }
                time += ticks
            }
            let ticksASample = tickRate / head.rate
            guard packets.isWhole, let end, end > head.preSkip, head.preSkip.isMultiple(of: ticksASample),
                end.isMultiple(of: ticksASample)
            else { return nil }
            rate = head.rate
            skip = head.preSkip / ticksASample
            frameCount = end / ticksASample - skip
        }

        /// Returns the rate to decode at and the pre-skip, if the sound has one channel and no gain.
        private static func head(_ packet: ogg_packet) -> (rate: Int, preSkip: Int)? {
            let bytes = UnsafeBufferPointer(start: packet.packet, count: packet.bytes)
            guard bytes.count >= 19, bytes.starts(with: "OpusHead".utf8), bytes[8] == 1, bytes[9] == 1,
                bytes[16] == 0, bytes[17] == 0, bytes[18] == 0
            else { return nil }
            let rate = (12..<16).reduce(0) { $0 | Int(bytes[$1]) << (8 * ($1 - 12)) }
            guard [8_000, 12_000, 16_000, 24_000, 48_000].contains(rate) else { return nil }
            return (rate, Int(bytes[10]) | Int(bytes[11]) << 8)
        }

        /// Returns a packet's length, nil if the packet is invalid.
        private static func ticks(of packet: ogg_packet) -> Int? {
            withUnsafeTemporaryAllocation(of: Int16.self, capacity: mostFrames) { sizes in
                let frames = opus_packet_parse(packet.packet, Int32(packet.bytes), nil, nil, sizes.baseAddress!, nil)
                guard frames > 0 else { return nil }
                let ticks = Int(frames * opus_packet_get_samples_per_frame(packet.packet, Int32(tickRate)))
                return ticks <= mostTicks ? ticks : nil
            }
        }
    }
}
