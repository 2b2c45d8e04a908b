internal import COgg

/// The packets of an Ogg file that consists of one whole stream (RFC 3533), in order.
///
/// libogg checks the checksum and the number of each page. The packets end at the first fault.
final class OggPackets {
    /// Whether all packets so far belong to one stream, without damage and gaps.
    private(set) var isWhole = true
    private let bytes: SoundBytes
    private var place = 0
    private let pages: UnsafeMutablePointer<ogg_sync_state>
    private let stream: UnsafeMutablePointer<ogg_stream_state>
    private var hasBegun = false

    /// The bytes that one system call reads.
    private static let piece = 32_768

    init(_ bytes: SoundBytes) {
        self.bytes = bytes
        pages = .allocate(capacity: 1)
        stream = .allocate(capacity: 1)
        ogg_sync_init(pages)
    }

    deinit {
        if hasBegun { ogg_stream_clear(stream) }
        ogg_sync_clear(pages)
        stream.deallocate()
        pages.deallocate()
    }

    /// Returns the next packet. Its bytes are valid until the next call. Nil at the end, and at a fault.
    func next() -> ogg_packet? {
        var packet = ogg_packet()
        while isWhole {
            switch hasBegun ? ogg_stream_packetout(stream, &packet) : 0 {
            case 1: return packet
            case 0: guard takePage() else { return nil }
            default: isWhole = false
            }
        }
        return nil
    }

    /// Gives the next page to the stream. Returns whether there is one.
    private func takePage() -> Bool {
        var page = ogg_page()
        while true {
            switch ogg_sync_pageout(pages, &page) {
            case 1:
                if !hasBegun {
                    ogg_stream_init(stream, ogg_page_serialno(&page))
                    hasBegun = true
                }
                isWhole = ogg_stream_pagein(stream, &page) == 0
                return isWhole
            case 0:
                guard readMore() else { return false }
            default:
                isWhole = false
                return false
            }
        }
    }

    private func readMore() -> Bool {
        guard let buffer = ogg_sync_buffer(pages, Self.piece) else { return false }
        let count = bytes.read(at: place, into: UnsafeMutableRawBufferPointer(start: buffer, count: Self.piece))
        place += count
        return ogg_sync_wrote(pages, count) == 0 && count > 0
    }
}
