import AudioFiles
import Glibc
import SessionFolders

/// The Opus packets of the candidate's sound, on their way into the open take's file. Sound that arrives encoded is not
/// encoded again.
///
/// The take is also written as WAV like any other, so that a WAV remains after a kill. If a single block of a take
/// didn't arrive as a packet, the take is encoded from its WAV.
struct ArrivedPackets: ~Copyable {
    /// The number of packets that are written before a take's first one, so that a decoder can settle: 80 ms, which
    /// players skip (RFC 7845, 4.2).
    private static let settling = 4

    /// The last packets: enough for a lead-in and, before it, for a decoder to settle.
    private var recent: [[UInt8]] = []
    private static let recentCount =
        settling + AudioFormat.sampleCount(in: TakeBookkeeping.longestLeadIn) / AudioFormat.blockSize
    private var file: OggOpusFile?
    /// The number of packets in the file before the open take's first one.
    private var settlingCount = 0
    /// The packets that are not written to the file yet.
    private var waiting: [[UInt8]] = []

    /// Takes in the packet of the next 20 ms; nil if the sound came without one. Nothing is written.
    ///
    /// - Parameter isTaken: Whether it belongs to the open take.
    mutating func append(_ packet: [UInt8]?, isTaken: Bool) {
        guard let packet else {
            recent.removeAll()
            if isTaken { drop() }
            return
        }
        if isTaken && file != nil { waiting.append(packet) }
        if recent.count == Self.recentCount { recent.removeFirst() }
        recent.append(packet)
    }

    /// Fills a gap in the microphone's sound with silent packets.
    ///
    /// - Parameter isTaken: Whether the gap is part of the open take.
    mutating func miss(_ span: Duration, isTaken: Bool) {
        let samples = AudioFormat.sampleCount(in: span)
        guard samples.isMultiple(of: AudioFormat.blockSize) else { return append(nil, isTaken: isTaken) }
        guard !recent.isEmpty else { return }
        for _ in 0..<samples / AudioFormat.blockSize { append(OggOpusFile.silence, isTaken: isTaken) }
    }

    /// Opens a take. If its sound doesn't arrive as packets, or the file cannot be created, the take isn't made of
    /// packets.
    ///
    /// - Parameter leadIn: The number of earlier packets that belong to the take.
    mutating func open(_ path: String, leadIn: Int) {
        drop()
        guard !recent.isEmpty, recent.count >= leadIn else { return }
        let first = recent.suffix(leadIn + Self.settling)
        settlingCount = first.count - leadIn
        file = try? OggOpusFile(path: path, preSkip: settlingCount * OggOpusFile.ticksAPacket)
        waiting = Array(first)
    }

    /// Adds the last packets, which arrived while the open take was held.
    mutating func insert(_ count: Int) {
        guard file != nil else { return }
        guard recent.count >= count else { return drop() }
        waiting += recent.suffix(count)
    }

    /// Writes the waiting packets. If that fails, the take isn't made of packets.
    mutating func flush() {
        guard let file else { return }
        do {
            for packet in waiting { try file.append(packet) }
            waiting.removeAll(keepingCapacity: true)
        } catch {
            drop()
        }
    }

    /// Closes the take.
    ///
    /// - Parameter sampleCount: The number of samples in its WAV.
    /// - Returns: Whether the file is complete; it is not yet synced to disk. If false, there is no file, and the take
    ///   has to be encoded.
    mutating func close(sampleCount: Int) -> Bool {
        flush()
        guard let file, sampleCount > 0,
            (file.packetCount - settlingCount) * AudioFormat.blockSize == sampleCount,
            (try? file.close(sampleCount: sampleCount, durably: false)) != nil
        else {
            drop()
            return false
        }
        self.file = nil
        return true
    }

    /// Stops making the open take of packets.
    mutating func drop() {
        waiting.removeAll()
        guard let file else { return }
        unlink(file.path)
        self.file = nil
    }
}
