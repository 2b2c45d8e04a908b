/// The consecutive recordings in an Ogg file (RFC 3533 calls them links of a chain), found by its pages.
///
/// libsndfile stops at the end of the first link, so each is opened separately. The length of each is computed from the
/// times of its pages.
struct OggLinks {
    struct Link {
        /// The range of the link's whole pages.
        fileprivate(set) var part: Range<Int>
        /// The rate of the link's times in ticks a second. Nil if the link has no sound of a known kind.
        fileprivate(set) var tickRate: Int?
        /// The time at the end of the first page with sound. Nil before that page.
        fileprivate var firstEnd: Int?
        /// The time at the end of the last whole page.
        fileprivate(set) var end = 0
        /// The time at the end of the page that is cut off, if its header is complete enough to state it.
        fileprivate(set) var cutEnd: Int?
        fileprivate(set) var hasEnd = false
        fileprivate(set) var preSkip = 0
        fileprivate var serial: [UInt8] = []
        fileprivate var isOpen = true
        /// The bytes between pages that do not belong to any page, and the position of the first.
        fileprivate var junk: (at: Int, byteCount: Int)?

        /// The seconds up to the end of the last whole page.
        var seconds: Double { time(end) }

        /// Whether the times begin long after zero, as in a broadcast that was joined in the middle.
        var startsLate: Bool { Double(firstEnd ?? 0) / Double(tickRate ?? 1) > 10 }

        fileprivate func time(_ ticks: Int) -> Double {
            let start = startsLate ? firstEnd! : preSkip
            return Double(max(0, ticks - start)) / Double(tickRate ?? 1)
        }

        /// The warnings about missing sound that the pages show.
        var warnings: [RecordingWarning] {
            guard tickRate != nil else { return [] }
            var warnings: [RecordingWarning] = []
            if let junk { warnings.append(.damaged(at: time(junk.at), byteCount: junk.byteCount, seconds: nil)) }
            if let cutEnd, cutEnd > end {
                warnings.append(.endsEarly(seconds: time(cutEnd) - time(end)))
            } else if !hasEnd {
                warnings.append(.noEnd(after: seconds))
            }
            return warnings
        }
    }

    private(set) var links: [Link] = []

    /// The range in which to look for the next page after a damaged one, in bytes.
    private static let mostDamage = 4 << 20

    init(_ bytes: SoundBytes) {
        var place = 0
        let size = bytes.part.count
        while place < size {
            guard let page = Page(bytes, at: place) else {
                guard let next = Self.nextPage(bytes, from: place + 1) else { break }
                if let last = links.indices.last, links[last].junk == nil {
                    links[last].junk = (links[last].end, next - place)
                }
                place = next
                continue
            }
            if page.begins && links.last?.isOpen != true { links.append(Link(part: place..<place)) }
            guard let last = links.indices.last else {
                place += page.size
                continue
            }
            if page.begins {
                links[last].see(bytes.bytes(at: place + page.headerSize, count: 40), of: page.serial)
            } else {
                links[last].isOpen = false
            }
            let isSound = page.serial == links[last].serial
            guard place + page.size <= size else {
                if isSound, page.time >= 0 { links[last].cutEnd = page.time }
                break
            }
            if isSound, page.time >= 0 {
                links[last].end = page.time
                if page.time > 0, links[last].firstEnd == nil { links[last].firstEnd = page.time }
            }
            if isSound, page.ends { links[last].hasEnd = true }
            place += page.size
            links[last].part = links[last].part.lowerBound..<place
        }
        links.removeAll { $0.part.isEmpty }
    }

    private static func nextPage(_ bytes: SoundBytes, from start: Int) -> Int? {
        let mark = Array("OggS".utf8)
        var place = start
        while place < min(bytes.part.count, start + mostDamage) {
            let piece = bytes.bytes(at: place, count: 65_536)
            guard piece.count >= 4 else { return nil }
            for index in 0...(piece.count - 4)
            where piece[index] == 0x4f && piece[index..<(index + 4)].elementsEqual(mark) {
                if Page(bytes, at: place + index) != nil { return place + index }
            }
            place += piece.count - 3
        }
        return nil
    }

    /// The header of a page (RFC 3533, section 6).
    private struct Page {
        let begins, ends: Bool
        /// The time at the page's end in the codec's ticks. -1 if no packet ends on the page.
        let time: Int
        let serial: [UInt8]
        let headerSize, size: Int

        init?(_ bytes: SoundBytes, at place: Int) {
            let head = bytes.bytes(at: place, count: 27 + 255)
            guard head.count >= 27, head.starts(with: "OggS".utf8), head[4] == 0 else { return nil }
            let segments = Int(head[26])
            begins = head[5] & 2 != 0
            ends = head[5] & 4 != 0
            time = Int(Int64(bitPattern: head[6..<14].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
            serial = Array(head[14..<18])
            headerSize = 27 + segments
            // If a header is cut off, the rest of its page is missing too.
            let lengths = head.dropFirst(27).prefix(segments)
            size = lengths.count < segments ? .max / 2 : headerSize + lengths.reduce(0) { $0 + Int($1) }
        }
    }
}

extension OggLinks.Link {
    /// Sets the link's sound to the first sound stream. The file may also contain pictures and subtitles.
    fileprivate mutating func see(_ packet: [UInt8], of stream: [UInt8]) {
        guard tickRate == nil, packet.count >= 20 else { return }
        func number(_ place: Int, _ width: Int) -> Int {
            packet[place..<(place + width)].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        if packet.starts(with: "OpusHead".utf8) {
            (tickRate, preSkip) = (48_000, number(10, 2))
        } else if packet.starts(with: [1] + Array("vorbis".utf8)) {
            tickRate = number(12, 4)
        } else if packet.starts(with: [0x7f] + Array("FLAC".utf8)), packet.count >= 30 {
            tickRate = Int(packet[27]) << 12 | Int(packet[28]) << 4 | Int(packet[29]) >> 4
        } else if packet.starts(with: "Speex   ".utf8), packet.count >= 40 {
            tickRate = number(36, 4)
        }
        if tickRate == 0 { tickRate = nil }
        if tickRate != nil { serial = stream }
    }
}
