internal import COgg
import Glibc
import SystemSupport

/// An Ogg Opus file (RFC 7845) made of packets that are ready: one channel, 20 ms a packet.
///
/// ```swift
/// let take = try OggOpusFile(path: "part1_q1.opus", preSkip: 312)
/// for _ in 0..<50 { try take.append(OggOpusFile.silence) }
/// try take.close(sampleCount: 15_000, durably: true)
/// ```
///
/// Pages, with their sums and numbers, are libogg's; the two headers and the times are made here. The same packets make the same
/// bytes. A file that was not closed lacks up to a second and the mark of a last page; not every reader minds that, so write under
/// another name and move. The file belongs to this value; one thread at a time.
public final class OggOpusFile {
    /// What stands for a packet that never came: 20 ms of silence, whatever the packets around it are.
    ///
    /// The first byte says CELT, wideband, 20 ms, one channel, one frame (RFC 6716, 3.1); the frame begins with the flag that it is
    /// silent (4.3), and a decoder reads no further.
    public static let silence: [UInt8] = [0xb8, 0xff, 0xfe]

    /// As it was given.
    public let path: String
    /// Packets appended so far.
    public private(set) var packetCount = 0
    /// At 48 kHz.
    private let preSkip: Int
    /// -1 once closed.
    private var file: Int32
    private var failure: SoundFileError?
    private let stream: UnsafeMutablePointer<ogg_stream_state>
    /// The newest packet, which waits for the next one: the last of a file says that it is the last.
    private var waiting: [UInt8] = []
    /// What goes to the file with the next system call.
    private var pages: [UInt8] = []

    /// Tells streams apart that lie in one file together (RFC 3533, 4). Here a file has one, and a number drawn by lot would give
    /// the same answer another digest each time.
    private static let serialNumber: Int32 = 0x6f72_6163  // "orac"
    /// A second, as libsndfile and opusenc do it: so much a player waits for, and a seek reads.
    private static let packetsAPage = 50
    /// In bytes (RFC 3533, 6). Left to itself libogg ends a page at 4,096, which is less than a second of a rich voice.
    private static let largestPage: Int32 = 255 * 255
    /// Opus counts 48,000 a second, whatever the sound's own rate is (RFC 7845, 4).
    private static let ticksASample = 48_000 / AudioFormat.sampleRate
    /// 20 ms at 48 kHz.
    package static let ticksAPacket = AudioFormat.blockSize * ticksASample

    /// Creates the file, readable and writable by its owner only, replaces one that exists, and writes the headers.
    ///
    /// - Parameter preSkip: 0 to 65,535, at 48 kHz: how much comes out of a decoder before the first sample that counts. It is the
    ///   encoder's delay, as a browser tells it in its `description`; and where packets begin in the middle of a stream, 3,840 at
    ///   least (80 ms), so that a decoder has settled (RFC 7845, 4.2).
    /// - Throws: `SoundFileError.unwritable`.
    public init(path: String, preSkip: Int) throws(SoundFileError) {
        precondition(0...Int(UInt16.max) ~= preSkip, "a pre-skip has 16 bits")
        self.path = path
        self.preSkip = preSkip
        file = try createPrivateFile(path)
        stream = .allocate(capacity: 1)
        ogg_stream_init(stream, Self.serialNumber)
        // A page of its own for each (RFC 7845, 3).
        try put(Self.head(preSkip: preSkip), endsAt: 0, endsPage: true)
        try put(Self.tags, endsAt: 0, endsPage: true)
    }

    deinit {
        ogg_stream_clear(stream)
        stream.deallocate()
        if file >= 0 { Glibc.close(file) }
    }

    /// Appends 20 ms. Anything that is not such a packet (`OpusPacketDecoder.isBlock`) is stored as silence: one broken packet from a
    /// stranger would make the rest of the answer unreadable.
    ///
    /// - Throws: `SoundFileError.unwritable`; the file is of no use then.
    public func append(_ packet: some Collection<UInt8>) throws(SoundFileError) {
        try putWaiting()
        waiting.append(contentsOf: packet)
        if !waiting.withUnsafeBytes(OpusPacketDecoder.isBlock) { waiting = Self.silence }
        packetCount += 1
    }

    /// Writes the last page and closes the file; nothing can be appended after it. To close again does nothing.
    ///
    /// - Parameters:
    ///   - sampleCount: how long the sound is, at 16 kHz, without the pre-skip. What the packets have beyond it is cut; where they
    ///     do not reach so far, silence follows.
    ///   - durably: wait until the disk has it.
    /// - Precondition: only the last packet reaches beyond the end.
    /// - Throws: `SoundFileError.unwritable` where not all of the file is on disk, now or earlier.
    public func close(sampleCount: Int, durably: Bool) throws(SoundFileError) {
        guard file >= 0 else { return }
        defer {
            Glibc.close(file)
            file = -1
        }
        if let failure { throw failure }
        let end = preSkip + sampleCount * Self.ticksASample
        precondition(sampleCount >= 0 && end >= (packetCount - 1) * Self.ticksAPacket, "whole packets beyond the end")
        // One at least: a stream without any packet has no page to say its length.
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

    /// - Parameter end: the time at the packet's end, at 48 kHz, the pre-skip counted: a page takes it from its last packet.
    private func put(
        _ packet: [UInt8], endsAt end: Int, endsPage: Bool, isLast: Bool = false
    ) throws(SoundFileError) {
        let isTaken = packet.withUnsafeBufferPointer { bytes in
            // It is only read.
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

    /// One page; two or more where packets are so large that one does not hold them.
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
            + bytes(UInt32(AudioFormat.sampleRate))  // Of what was encoded: libsndfile decodes to it.
            + bytes(UInt16(0))  // Gain.
            + [0]  // One stream, of one channel or two.
    }

    /// The comment header (RFC 7845, 5.2): who wrote it, and no comments. No version of ours or of a library's, which would give the
    /// same answer other bytes.
    private static let tags: [UInt8] = {
        let vendor = Array("Oracy".utf8)
        return Array("OpusTags".utf8) + bytes(UInt32(vendor.count)) + vendor + bytes(UInt32(0))
    }()

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
