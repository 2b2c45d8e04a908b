import AudioFiles
import ExamCore
import Glibc

/// The Opus packets that the candidate's sound came in, on their way into the file that the open take is kept as: a sound that came
/// encoded is not encoded again.
///
/// Beside it the take is written as WAV like any other, which is what a kill leaves. Where one block of a take did not come as a
/// packet, the take is encoded from its WAV.
struct ArrivedPackets: ~Copyable {
    /// Before a take's first packet come so many of what was heard just before it, for a decoder to settle: 80 ms, which are passed
    /// over when it is played (RFC 7845, 4.2).
    private static let settling = 4

    /// The last packets, one after the other: those of a lead-in, and before them those that a decoder settles with.
    private var recent: [[UInt8]] = []
    private static let recentCount =
        settling + AudioFormat.sampleCount(in: TakeBookkeeping.longestLeadIn) / AudioFormat.blockSize
    private var file: OggOpusFile?
    /// Packets of the open take that came before its first.
    private var settlingCount = 0
    /// For the file, and not in it yet.
    private var waiting: [[UInt8]] = []

    /// Takes in what came with the next 20 ms; nil: no packet. Nothing is written.
    ///
    /// - Parameter isTaken: it belongs to the open take.
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

    /// The microphone missed so much.
    ///
    /// - Parameter isTaken: of the open take.
    mutating func miss(_ span: Duration, isTaken: Bool) {
        let samples = AudioFormat.sampleCount(in: span)
        guard samples.isMultiple(of: AudioFormat.blockSize) else { return append(nil, isTaken: isTaken) }
        guard !recent.isEmpty else { return }
        for _ in 0..<samples / AudioFormat.blockSize { append(OggOpusFile.silence, isTaken: isTaken) }
    }

    /// Opens a take. If its sound does not come as packets, or the file cannot be made, it is not made of packets.
    ///
    /// - Parameter leadIn: how many of the packets that came before belong to it.
    mutating func open(_ path: String, leadIn: Int) {
        drop()
        guard !recent.isEmpty, recent.count >= leadIn else { return }
        let first = recent.suffix(leadIn + Self.settling)
        settlingCount = first.count - leadIn
        file = try? OggOpusFile(path: path, preSkip: settlingCount * OggOpusFile.ticksAPacket)
        waiting = Array(first)
    }

    /// Takes in the last packets, which came while the open take was held.
    mutating func insert(_ count: Int) {
        guard file != nil else { return }
        guard recent.count >= count else { return drop() }
        waiting += recent.suffix(count)
    }

    /// Writes what was taken in; where that fails, the take is not of packets.
    mutating func flush() {
        guard let file else { return }
        do {
            for packet in waiting { try file.append(packet) }
            waiting.removeAll(keepingCapacity: true)
        } catch {
            drop()
        }
    }

    /// The take is closed.
    ///
    /// - Parameter sampleCount: how many there are in its WAV.
    /// - Returns: true where the file is complete; nobody has waited for the disk yet. False: there is no file, and the take has to be
    ///   encoded.
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

    /// The open take is not of packets, or is let go of.
    mutating func drop() {
        waiting.removeAll()
        guard let file else { return }
        unlink(file.path)
        self.file = nil
    }
}
