/// The frames of a FLAC file (RFC 9639, 9.1), found by their headers. They show how much sound there is, and from
/// which point it continues after damage.
struct FLACFrames {
    struct Frame {
        /// The offset of the frame's first byte.
        var place: Int
        /// The number of the frame's first sample in each channel.
        var start: Int
        var sampleCount: Int
    }

    let sampleRate: Int
    /// The samples of each channel by the file's own count. 0 if it doesn't state one.
    let sampleCount: Int
    /// The stream's description without its length and digest. It precedes a piece that is read by itself.
    let preface: [UInt8]
    private let bytes: SoundBytes
    private let firstFrame: Int
    /// The size of every block but the last. 0 if they differ.
    private let blockSize: Int
    /// The bits of the first header that are the same in all frames: how frames are counted, the rate and the sample
    /// size. Nil if the first frame is missing from its place.
    private let common: [UInt8]?

    init?(_ bytes: SoundBytes) {
        let head = bytes.bytes(at: 0, count: 42)
        guard head.count == 42, head.starts(with: "fLaC".utf8), head[4] & 0x7f == 0 else { return nil }
        func number(_ place: Int, _ width: Int) -> Int { head[place..<(place + width)].reduce(0) { $0 << 8 | Int($1) } }
        let (least, most) = (number(8, 2), number(10, 2))
        blockSize = least == most ? most : 0
        sampleRate = number(18, 3) >> 4
        sampleCount = number(21, 5) & 0xf_ffff_ffff
        guard sampleRate > 0 else { return nil }
        var info = head
        info[4] = 0x80
        info[21] &= 0xf0
        for place in 22..<42 { info[place] = 0 }
        preface = info
        var place = 4
        while true {
            let header = bytes.bytes(at: place, count: 4)
            guard header.count == 4 else { return nil }
            place += 4 + header[1...].reduce(0) { $0 << 8 | Int($1) }
            if header[0] & 0x80 != 0 { break }
        }
        firstFrame = place
        self.bytes = bytes
        let first = bytes.bytes(at: place, count: 4)
        let isHeader = first.count == 4 && first[0] == 0xff && first[1] & 0xfe == 0xf8
        common = isHeader ? Self.common(first) : nil
    }

    private static func common(_ header: [UInt8]) -> [UInt8] { [header[1], header[2] & 0xf, header[3] & 0xf] }

    /// The number of samples in whole frames up to the end of the file. Nil if no frame is found near the end.
    var samplesThere: Int? {
        guard let last = last(ofBytes: 1 << 15) ?? last(ofBytes: 1 << 18) else { return nil }
        var frame = bytes.bytes(at: last.place, count: bytes.part.count - last.place)
        // An ID3 version 1 title at the end of the file.
        if frame.count > 128, frame.suffix(128).starts(with: "TAG".utf8) { frame.removeLast(128) }
        return frame.count > 2 && Self.checksum(frame) == 0 ? last.start + last.sampleCount : last.start
    }

    /// Returns the last frame in this many bytes at the end.
    private func last(ofBytes count: Int) -> Frame? {
        let start = max(firstFrame, bytes.part.count - count)
        let piece = bytes.bytes(at: start, count: bytes.part.count - start)
        var last: Frame?
        for index in piece.indices where piece[index] == 0xff {
            guard let frame = frame(piece[index...].prefix(Self.largestHeader), at: start + index) else { continue }
            // Sound sometimes looks like a header, but times only increase.
            if frame.start > last?.start ?? -1, frame.start < sampleCount { last = frame }
        }
        return last
    }

    /// Returns the first frame at or after an offset that begins after a given sample.
    func next(from start: Int, after sample: Int) -> Frame? {
        var place = max(start, firstFrame)
        while place < bytes.part.count {
            let piece = bytes.bytes(at: place, count: 65_536)
            guard piece.count >= Self.largestHeader || place + piece.count == bytes.part.count else { return nil }
            for index in piece.indices where piece[index] == 0xff {
                guard let frame = frame(piece[index...].prefix(Self.largestHeader), at: place + index) else { continue }
                if frame.start > sample && (sampleCount == 0 || frame.start < sampleCount) { return frame }
            }
            if place + piece.count == bytes.part.count { return nil }
            place += piece.count - Self.largestHeader
        }
        return nil
    }

    private static let largestHeader = 16

    private func frame(_ header: ArraySlice<UInt8>, at place: Int) -> Frame? {
        let bytes = Array(header)
        guard bytes.count >= 6, bytes[0] == 0xff, bytes[1] & 0xfe == 0xf8, bytes[3] & 1 == 0,
            common == nil || Self.common(bytes) == common
        else { return nil }
        let (sizeCode, rateCode) = (bytes[2] >> 4, bytes[2] & 0xf)
        guard sizeCode != 0, rateCode != 15, bytes[3] >> 4 <= 10 else { return nil }
        // The number of a frame or a sample, encoded like UTF-8.
        let width = bytes[4] < 0x80 ? 1 : (~bytes[4]).leadingZeroBitCount
        guard width != 0, width <= 7, bytes.count >= 4 + width + 5 else { return nil }
        var number = width == 1 ? Int(bytes[4]) : Int(bytes[4]) & (0x7f >> width)
        for byte in bytes[5..<(4 + width)] {
            guard byte & 0xc0 == 0x80 else { return nil }
            number = number << 6 | Int(byte & 0x3f)
        }
        var end = 4 + width
        func more(_ width: Int) -> Int {
            defer { end += width }
            return bytes[end..<(end + width)].reduce(0) { $0 << 8 | Int($1) }
        }
        let size =
            switch sizeCode {
            case 1: 192
            case 2...5: 576 << Int(sizeCode - 2)
            case 6: more(1) + 1
            case 7: more(2) + 1
            default: 256 << Int(sizeCode - 8)
            }
        if rateCode == 12 { end += 1 } else if rateCode > 12 { end += 2 }
        guard end < bytes.count, bytes[..<end].reduce(0, Self.headerChecksum) == bytes[end] else { return nil }
        let isByFrames = bytes[1] & 1 == 0
        if isByFrames && blockSize == 0 { return nil }
        return Frame(place: place, start: isByFrames ? number * blockSize : number, sampleCount: size)
    }

    /// Returns the next CRC-8 with the polynomial x⁸ + x² + x + 1.
    private static func headerChecksum(_ sum: UInt8, _ byte: UInt8) -> UInt8 {
        (0..<8).reduce(sum ^ byte) { sum, _ in sum & 0x80 == 0 ? sum << 1 : sum << 1 ^ 0x07 }
    }

    /// Returns the CRC-16 with the polynomial x¹⁶ + x¹⁵ + x² + 1. It is 0 over a whole frame with its own checksum.
    private static func checksum(_ bytes: [UInt8]) -> UInt16 {
        bytes.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ UInt16(byte) << 8) { sum, _ in sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x8005 }
        }
    }
}
