/// The length stated by files that ffmpeg decodes: in the header of MPEG-4 or of WebM.
enum PromisedLength: Equatable {
    case seconds(Double)
    case unknown
    /// MPEG-4 without its index, which makes the file unreadable.
    case noIndex

    /// The seconds below which a difference is not a loss: frames are padded at both ends, and times are rounded.
    static let tolerance = 0.1

    static func seconds(_ bytes: SoundBytes, in container: RecordingContainer) -> PromisedLength {
        switch container {
        case .mpeg4: movie(bytes)
        case .matroska: segment(bytes)
        default: .unknown
        }
    }

    // MARK: - MPEG-4 (ISO 14496-12, 8.2.2)

    private static func movie(_ bytes: SoundBytes) -> PromisedLength {
        guard let index = box("moov", bytes, 0, bytes.part.count) else { return .noIndex }
        guard let header = box("mvhd", bytes, index.lowerBound, index.upperBound) else { return .unknown }
        let head = bytes.bytes(at: header.lowerBound, count: 32)
        guard head.count == 32 else { return .unknown }
        let isLong = head[0] == 1
        let (scale, length) =
            isLong ? (number(head, 20, 4), number(head, 24, 8)) : (number(head, 12, 4), number(head, 16, 4))
        // All ones: unknown. Zero: a fragmented file.
        guard scale > 0, length > 0, length < (isLong ? Int.max : 0xffff_ffff) else { return .unknown }
        return .seconds(Double(length) / Double(scale))
    }

    private static func box(_ name: String, _ bytes: SoundBytes, _ start: Int, _ end: Int) -> Range<Int>? {
        var place = start
        while place + 8 <= end {
            let head = bytes.bytes(at: place, count: 16)
            guard head.count >= 8 else { return nil }
            var (size, headSize) = (number(head, 0, 4), 8)
            if size == 1, head.count == 16 { (size, headSize) = (number(head, 8, 8), 16) }
            if size == 0 { size = end - place }
            guard size >= headSize, place + headSize <= end else { return nil }
            if head[4..<8].elementsEqual(name.utf8) {
                return (place + headSize)..<(size > end - place ? end : place + size)
            }
            guard size <= end - place else { return nil }
            place += size
        }
        return nil
    }

    // MARK: - Matroska (RFC 9559)

    private static func segment(_ bytes: SoundBytes) -> PromisedLength {
        // The segment, its Info, and in that the time scale and the duration. All are near the beginning.
        let head = bytes.bytes(at: 0, count: 65_536)
        guard let segment = element(0x1853_8067, head, 0, head.count),
            let info = element(0x1549_a966, head, segment.lowerBound, head.count),
            let length = element(0x4489, head, info.lowerBound, info.upperBound)
        else { return .unknown }
        let scale = element(0x2ad7b1, head, info.lowerBound, info.upperBound).map {
            number(head, $0.lowerBound, $0.count)
        }
        let bits = UInt64(bitPattern: Int64(number(head, length.lowerBound, length.count)))
        let ticks =
            length.count == 4 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
        guard ticks.isFinite, ticks > 0 else { return .unknown }
        return .seconds(ticks * Double(scale ?? 1_000_000) / 1e9)
    }

    private static func element(_ id: Int, _ bytes: [UInt8], _ start: Int, _ end: Int) -> Range<Int>? {
        var place = start
        while place < end {
            let idWidth = bytes[place].leadingZeroBitCount + 1
            guard idWidth <= 4, place + idWidth < end else { return nil }
            let sizePlace = place + idWidth
            let sizeWidth = bytes[sizePlace].leadingZeroBitCount + 1
            guard sizeWidth <= 8, sizePlace + sizeWidth <= end else { return nil }
            let mask = (1 << (7 * sizeWidth)) - 1
            let size = number(bytes, sizePlace, sizeWidth) & mask
            let contents = sizePlace + sizeWidth
            // All ones: the length is unknown, as while a browser records.
            let limit = size == mask ? end : min(end, contents + min(size, end))
            if number(bytes, place, idWidth) == id { return contents..<limit }
            guard size != mask else { return nil }
            place = contents + min(size, end)
        }
        return nil
    }

    private static func number(_ bytes: [UInt8], _ place: Int, _ width: Int) -> Int {
        bytes.dropFirst(place).prefix(min(width, 8)).reduce(0) { ($0 & (Int.max >> 8)) << 8 | Int($1) }
    }
}
