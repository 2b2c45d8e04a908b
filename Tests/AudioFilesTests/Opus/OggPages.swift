import COgg
import Foundation
import Testing

/// A page of an Ogg file, as libogg finds it: with a sum that is right.
struct OggPage: Equatable {
    var number: Int
    var granule: Int64
    var serial: Int32
    var isFirst: Bool
    var isLast: Bool
    /// Packets that end on it.
    var packets: Int
    var body: [UInt8]

    /// All pages of a file, in which there must be nothing else.
    static func all(ofFile path: String) throws -> [OggPage] {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        var sync = ogg_sync_state()
        ogg_sync_init(&sync)
        defer { ogg_sync_clear(&sync) }
        let buffer = try #require(ogg_sync_buffer(&sync, bytes.count))
        bytes.withUnsafeBytes { UnsafeMutableRawPointer(buffer).copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        ogg_sync_wrote(&sync, bytes.count)
        var (pages, size) = ([OggPage](), 0)
        var page = ogg_page()
        while true {
            let found = ogg_sync_pageout(&sync, &page)
            // −1: bytes had to be skipped, or a sum was wrong.
            try #require(found >= 0)
            if found == 0 { break }
            size += page.header_len + page.body_len
            pages.append(
                OggPage(
                    number: ogg_page_pageno(&page), granule: ogg_page_granulepos(&page),
                    serial: ogg_page_serialno(&page), isFirst: ogg_page_bos(&page) != 0,
                    isLast: ogg_page_eos(&page) != 0, packets: Int(ogg_page_packets(&page)),
                    body: Array(UnsafeBufferPointer(start: page.body, count: page.body_len))))
        }
        try #require(size == bytes.count)
        return pages
    }
}
