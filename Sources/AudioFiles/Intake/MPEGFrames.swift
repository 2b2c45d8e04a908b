/// The headers of MPEG audio frames in a file (ISO 11172-3, 13818-3, and the non-standard MPEG 2.5).
struct MPEGFrames {
    struct Header {
        /// 0: MPEG 2.5; 2: MPEG 2; 3: MPEG 1.
        var version: Int
        /// 1 to 3.
        var layer: Int
        var sampleRate: Int
        /// The number of bytes from this header to the next.
        var size: Int
        /// The number of bytes of side information (layer III).
        var sideInformation: Int

        /// The number of samples per channel.
        var sampleCount: Int { layer == 1 ? 384 : layer == 3 && version != 3 ? 576 : 1_152 }

        func isLike(_ other: Header) -> Bool {
            version == other.version && layer == other.layer && sampleRate == other.sampleRate
        }
    }

    let size: Int
    private let bytes: SoundBytes
    /// A buffered piece of the file.
    private var piece = [UInt8](repeating: 0, count: 65_536)
    private var pieceStart = 0
    /// The bytes of a free-format frame without its padding. Nil before the first such frame.
    private var freeSize: Int?
    private var pieceCount = 0

    init(_ bytes: SoundBytes) {
        self.bytes = bytes
        size = bytes.part.count
    }

    /// Returns the byte at an index, and 0 beyond the end.
    mutating func byte(_ index: Int) -> Int {
        if index < pieceStart || index >= pieceStart + pieceCount {
            guard index < size else { return 0 }
            pieceStart = index
            pieceCount = piece.withUnsafeMutableBytes { bytes.read(at: index, into: $0) }
            if pieceCount == 0 { return 0 }
        }
        return Int(piece[index - pieceStart])
    }

    mutating func header(at start: Int) -> Header? {
        guard byte(start) == 0xff, byte(start + 1) & 0xe0 == 0xe0 else { return nil }
        let bytes = (0..<4).map { byte(start + $0) }
        if bytes[2] >> 4 == 0 { return freeHeader(bytes, at: start) }
        return Self.header(bytes)
    }

    /// Returns the header of a free-format frame. Its size isn't stated but is the same for all frames: it ends where
    /// the next one begins.
    private mutating func freeHeader(_ bytes: [Int], at start: Int) -> Header? {
        // The rest of the header can be read with any bit rate of the table.
        guard var header = Self.header([bytes[0], bytes[1], bytes[2] | 0x10, bytes[3]]) else { return nil }
        let slot = header.layer == 1 ? 4 : 1
        func padding(_ rates: Int) -> Int { rates >> 1 & 1 == 1 ? slot : 0 }
        func isLike(_ place: Int) -> Bool {
            byte(place) == 0xff && byte(place + 1) == bytes[1] && byte(place + 2) & 0xfc == bytes[2] & 0xfc
        }
        if freeSize == nil {
            let found = (24...Self.largestFree).first { distance in
                guard isLike(start + distance) else { return false }
                let second = start + distance + distance - padding(bytes[2]) + padding(byte(start + distance + 2))
                return isLike(second) || second >= size
            }
            guard let found else { return nil }
            freeSize = found - padding(bytes[2])
        }
        header.size = freeSize! + padding(bytes[2])
        return header
    }

    /// The bytes of a frame with 640 kbit/s at 16 kHz.
    private static let largestFree = 5_760

    private static func header(_ bytes: [Int]) -> Header? {
        let (kind, rates, channels) = (bytes[1], bytes[2], bytes[3])
        guard kind & 0xe0 == 0xe0 else { return nil }
        let version = kind >> 3 & 3
        let layer = 4 - (kind >> 1 & 3)
        guard version != 1, layer != 4, rates >> 2 & 3 != 3, 1...14 ~= rates >> 4 else { return nil }
        let rate = [44_100, 48_000, 32_000][rates >> 2 & 3] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
        let bitRate = 1_000 * kilobits[version == 3 ? layer - 1 : layer == 1 ? 3 : 4][(rates >> 4) - 1]
        let padding = rates >> 1 & 1
        let size =
            switch layer {
            case 1: (12 * bitRate / rate + padding) * 4
            case 3 where version != 3: 72 * bitRate / rate + padding
            default: 144 * bitRate / rate + padding
            }
        let isMono = channels >> 6 == 3
        return Header(
            version: version, layer: layer, sampleRate: rate, size: size,
            sideInformation: version == 3 ? (isMono ? 17 : 32) : (isMono ? 9 : 17))
    }

    /// The bit rates by the four bits of a header, 1 to 14: MPEG 1, layers 1 to 3, then MPEG 2, layer 1, then layers 2
    /// and 3.
    private static let kilobits = [
        [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]

    /// Returns whether `count` frames of one kind follow one another. With `orToTheEnd`, fewer are enough if the file
    /// ends or a tag begins after them.
    mutating func chain(at start: Int, _ count: Int, orToTheEnd: Bool = false) -> Bool {
        guard let first = header(at: start) else { return false }
        var place = start
        for _ in 0..<count {
            if orToTheEnd && place > start && (place >= size || isTag(at: place)) { return true }
            if place >= size { return false }
            guard let header = header(at: place), header.isLike(first) else { return false }
            place += header.size
        }
        return true
    }

    /// Returns the offset of the first chain of frames within this many bytes.
    mutating func find(from start: Int, _ reach: Int, _ count: Int) -> Int? {
        for place in start..<max(start, min(start + reach, size)) where byte(place) == 0xff && chain(at: place, count) {
            return place
        }
        return nil
    }

    /// Returns the offset after ID3v2 tags (id3.org: the length is four times seven bits).
    mutating func afterTags(_ start: Int) -> Int {
        var place = start
        while byte(place) == 0x49, byte(place + 1) == 0x44, byte(place + 2) == 0x33 {
            let length = (6...9).reduce(0) { $0 << 7 | byte(place + $1) & 0x7f }
            place += 10 + length + (byte(place + 5) & 0x10 == 0 ? 0 : 10)
        }
        return place
    }

    /// The facts about the whole file in a first frame.
    struct Promise {
        /// The number of frames besides this one. Nil if not stated.
        var frames: Int?
        /// The samples that the encoder added before and after the sound. Nil if not stated.
        var added: (before: Int, after: Int)?
    }

    /// Reads the number of frames (Xing, VBRI). Nil if this frame is ordinary sound.
    mutating func promise(in header: Header, at start: Int) -> Promise? {
        guard header.layer == 3 else { return nil }
        // Fraunhofer's encoder uses another name, always at the same place.
        if (0..<4).map({ UInt8(byte(start + 36 + $0)) }) == Array("VBRI".utf8) {
            return Promise(frames: number(at: start + 50))
        }
        // Some encoders leave space for the checksum that the header announces, others don't.
        let places = [0, 2].map { start + 4 + $0 + header.sideInformation }
        guard
            let place = places.first(where: { place in
                let name = (0..<4).map { UInt8(byte(place + $0)) }
                return name == Array("Xing".utf8) || name == Array("Info".utf8)
            })
        else { return nil }
        let has = number(at: place + 4)
        let frames = has & 1 == 0 ? nil : number(at: place + 8)
        // After the numbers (frames, bytes, a table, a quality) LAME and FFmpeg write their names and the samples they
        // added.
        let numbers = (has & 1) * 4 + (has >> 1 & 1) * 4 + (has >> 2 & 1) * 100 + (has >> 3 & 1) * 4
        let writer = place + 8 + numbers
        let encoder = (0..<4).map { UInt8(byte(writer + $0)) }
        guard ["LAME", "Lavf", "Lavc"].contains(where: { encoder.elementsEqual($0.utf8) }) else {
            return Promise(frames: frames)
        }
        let added = byte(writer + 21) << 16 | byte(writer + 22) << 8 | byte(writer + 23)
        return Promise(frames: frames, added: (added >> 12, added & 0xfff))
    }

    /// Returns whether another program's tag begins here: ID3 version 1 or 2, APE or Lyrics3.
    mutating func isTag(at start: Int) -> Bool {
        let beginning = (0..<8).map { UInt8(byte(start + $0)) }
        return ["ID3", "TAG", "APETAGEX", "LYRICSBE"].contains { beginning.starts(with: $0.utf8) }
    }

    private mutating func number(at start: Int) -> Int { (0..<4).reduce(0) { $0 << 8 | byte(start + $1) } }
}
