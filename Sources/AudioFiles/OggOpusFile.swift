internal import COgg
import Glibc
import SystemSupport

/// An Ogg Opus file (RFC 7845) made of ready packets: one channel, 20 ms a packet.
///
/// ```swift
/// let take = try OggOpusFile(path: "part1_q1.opus", preSkip: 312)
/// for _ in 0..<50 { try take.append(OggOpusFile.silence) }
/// try take.close(sampleCount: 15_000, durably: true)
/// ```
///
/// libogg makes the pages with their checksums and numbers. This type makes the two headers and the times. The same
/// packets give the same bytes. A file that was not closed lacks up to a second and the mark of the last page. Some
/// readers reject that, so write under another name and move the file. The file belongs to this value. Use it on one
/// thread at a time.
public final class OggOpusFile {
    /// A replacement for a missing packet: 20 ms of silence, regardless of the packets around it.
    ///
    /// The first byte means CELT, wideband, 20 ms, one channel, one frame (RFC 6716, 3.1). The frame begins with the
    /// flag for silence (4.3), and a decoder reads no further.
    public static let silence: [UInt8] = [0xb8, 0xff, 0xfe]

    /// The path given to the initializer.
    public let path: String
    /// The number of packets appended so far.
    public private(set) var packetCount = 0
    /// The pre-skip in samples at 48 kHz.
    private let preSkip: Int
    /// The file descriptor. -1 once closed.
    private var file: Int32
    private var failure: SoundFileError?
    private let stream: UnsafeMutablePointer<ogg_stream_state>
    /// The newest packet. It waits for the next one, because the last packet of a file must be marked as the last.
    private var waiting: [UInt8] = []
    /// The pages that the next system call writes.
    private var pages: [UInt8] = []

    /// The number that distinguishes streams in one file (RFC 3533, 4). This file has only one stream, and a random
    /// number would give the same answer a different digest each time.
    private static let serialNumber: Int32 = 0x6f72_6163  // "orac"
    /// One second, as in libsndfile and opusenc. It is also what a player buffers and a seek reads.
    private static let packetsAPage = 50
    /// The largest page in bytes (RFC 3533, 6). By default libogg ends a page at 4,096 bytes, which is less than a
    /// second of a rich voice.
    private static let largestPage: Int32 = 255 * 255
    /// Opus counts 48,000 ticks a second, regardless of the sound's rate (RFC 7845, 4).
    private static let ticksASample = 48_000 / AudioFormat.sampleRate
    /// 20 ms at 48 kHz.
    package static let ticksAPacket = AudioFormat.blockSize * ticksASample

    /// Creates the file and writes the headers. Only its owner can read or write the file. An existing file is
    /// replaced.
    ///
    /// - Parameter preSkip: the samples at 48 kHz that a decoder outputs before the first sample that counts, 0 to
    ///   65,535. It is the encoder's delay, which a browser gives in its `description`. If packets begin in the middle
    ///   of a stream, it is at least 3,840 (80 ms), so that a decoder has settled (RFC 7845, 4.2).
    /// - Throws: `SoundFileError.unwritable`.
    public init(path: String, preSkip: Int) throws(SoundFileError) {
        precondition(0...Int(UInt16.max) ~= preSkip, "a pre-skip has 16 bits")
        self.path = path
        self.preSkip = preSkip
        file = try createPrivateFile(path)
        stream = .allocate(capacity: 1)
        ogg_stream_init(stream, Self.serialNumber)
        // Each header has a page of its own (RFC 7845, 3).
        try put(Self.head(preSkip: preSkip), endsAt: 0, endsPage: true)
        try put(Self.tags, endsAt: 0, endsPage: true)
    }

    deinit {
        ogg_stream_clear(stream)
        stream.deallocate()
        if file >= 0 { Glibc.close(file) }
    }

    /// Appends 20 ms. An invalid packet (see `OpusPacketDecoder.isBlock`) is stored as silence, because one broken
    /// packet from a client would make the rest of the answer unreadable.
    ///
    /// - Throws: `SoundFileError.unwritable`. The file is then useless.
    public func append(_ packet: some Collection<UInt8>) throws(SoundFileError) {
        try putWaiting()
        waiting.append(contentsOf: packet)
        if !waiting.withUnsafeBytes(OpusPacketDecoder.isBlock) { waiting = Self.silence }
        packetCount += 1
    }

    /// Writes the last page and closes the file. Nothing can be appended afterwards. Closing again does nothing.
    ///
    /// - Parameters:
    ///   - sampleCount: the length of the sound at 16 kHz, without the pre-skip. Longer packets are cut. If the packets
    ///     are shorter, silence follows.
    ///   - durably: whether to wait until the file is on the disk.
    /// - Precondition: only the last packet reaches beyond the end.
    /// - Throws: `SoundFileError.unwritable` if not all of the file is on the disk, because of this call or an earlier
    ///   one.
    public func close(sampleCount: Int, durably: Bool) throws(SoundFileError) {
        guard file >= 0 else { return }
        defer {
            Glibc.close(file)
            file = -1
        }
        if let failure { throw failure }
        let end = preSkip + sampleCount * Self.ticksASample
        precondition(sampleCount >= 0 && end >= (packetCount - 1) * Self.ticksAPacket, "whole packets beyond the end")
        // At least one packet: a stream without packets has no page to state its length.
        while packetCount == 0 || packetCount * Self.ticksAPacket < end { try append(Self.silence) }
        try put(waiting, endsAt: end, endsPage: true, isLast: true)
        if durably && fsync(file) != 0 { throw fail(errno) }
    }

    // MARK: - Packets into pages

    private func putWaiting() throws(SoundFileError) {
        guard file >= 0 else { throw failure ?? SoundFileError(kind: .unwritable, path: path, reason: "is closed") }
        if let failure { throw failure }
        if packetCount > 0 {
            let endsPage = packetCount.isMultiple(of: Self.packetsAPage)
            try put(waiting, endsAt: packetCount * Self.ticksAPacket, endsPage: endsPage)
        }
        waiting.removeAll(keepingCapacity: true)
    }

    /// Puts a packet into the stream.
    ///
    /// - Parameter end: the time at the packet's end at 48 kHz, including the pre-skip. A page takes its time from its
    ///   last packet.
    private func put(
        _ packet: [UInt8], endsAt end: Int, endsPage: Bool, isLast: Bool = false
    ) throws(SoundFileError) {
        let isTaken = packet.withUnsafeBufferPointer { bytes in
            // libogg only reads the packet.
            var packet = ogg_packet()
            packet.packet = UnsafeMutablePointer(mutating: bytes.baseAddress)
            packet.bytes = bytes.count
            packet.e_o_s = isLast ? 1 : 0
            packet.granulepos = Int64(end)
            return ogg_stream_packetin(stream, &packet) == 0
        }
        guard isTaken else { throw fail(ENOMEM) }
        if endsPage { try writePages() }
    }

    /// Writes one page, or several if the packets are too large for one.
    private func writePages() throws(SoundFileError) {
        pages.removeAll(keepingCapacity: true)
        var page = ogg_page()
        while ogg_stream_flush_fill(stream, &page, Self.largestPage) != 0 {
            pages.append(contentsOf: UnsafeBufferPointer(start: page.header, count: page.header_len))
            pages.append(contentsOf: UnsafeBufferPointer(start: page.body, count: page.body_len))
        }
        var offset = 0
        while offset < pages.count {
            let count = pages[offset...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw fail(errno) }
            offset += count
        }
    }

    private func fail(_ code: Int32) -> SoundFileError {
        let error = SoundFileError(kind: .unwritable, path: path, reason: systemWords(code))
        failure = error
        return error
    }

    // MARK: - Headers

    /// The identification header (RFC 7845, 5.1).
    private static func head(preSkip: Int) -> [UInt8] {
        Array("OpusHead".utf8)
            + [1, 1]  // Version, channels.
            + bytes(UInt16(preSkip))
            + bytes(UInt32(AudioFormat.sampleRate))  // The rate of the encoded sound: libsndfile decodes to it.
            + bytes(UInt16(0))  // Gain.
            + [0]  // One stream, of one channel or two.
    }

    /// The comment header (RFC 7845, 5.2) with the vendor and no comments. It contains no version of Oracy or of a
    /// library, because that would change the bytes of the same answer.
    private static let tags: [UInt8] = {
        let vendor = Array("Oracy".utf8)
        return Array("OpusTags".utf8) + bytes(UInt32(vendor.count)) + vendor + bytes(UInt32(0))
    }()

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
