import COgg
import Foundation
import Testing

/// A page of an Ogg file with a valid checksum, as libogg finds it.
struct OggPage: Equatable {
    var number: Int
    var granule: Int64
    var serial: Int32
    var isFirst: Bool
    var isLast: Bool
    /// The number of packets that end on it.
    var packets: Int
    var body: [UInt8]

    /// Returns all pages of a file, which must not contain anything else.
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
            // −1 means that bytes were skipped, or that a checksum was wrong.
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
