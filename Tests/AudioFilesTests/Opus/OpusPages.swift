import AudioFiles
import Foundation
import Testing

/// The requirements of RFC 7845 on a file, page by page.
@Suite struct OpusPages {
    @Test(arguments: [0, 1, 319, 320, 321, 15_896, 15_897, 16_000, 40_000])
    func theHeadersHaveAPageEachAndTheLastPageEndsTheSound(_ count: Int) throws {
        try inFolder { folder in
            let path = folder.file("a.opus")
            try record(Array(everySampleValue.prefix(count)), to: path, as: .opus(bitRate: 32_000))
            let pages = try OggPage.all(ofFile: path)
            try #require(pages.count >= 3)
            #expect(pages.map(\.number) == Array(pages.indices))
            #expect(pages.map(\.isFirst) == pages.indices.map { $0 == 0 })
            #expect(pages.map(\.isLast) == pages.indices.map { $0 == pages.count - 1 })
            #expect(Set(pages.map(\.serial)).count == 1)
            #expect(pages[..<2].map(\.granule) == [0, 0])
            #expect(pages[..<2].map(\.packets) == [1, 1])

            let head = pages[0].body
            #expect(head.count == 19)
            #expect(Array(head[..<10]) == Array("OpusHead".utf8) + [1, 1])
            // 6.5 ms: CELT's 2.5, and 4 to keep step with SILK.
            let preSkip = Int(head[10]) + Int(head[11]) << 8
            #expect(preSkip == 312)
            #expect(Array(head[12...]) == [0x80, 0x3e, 0, 0, 0, 0, 0])
            #expect(pages[1].body == Array("OpusTags".utf8) + [5, 0, 0, 0] + Array("Oracy".utf8) + [0, 0, 0, 0])

            // All pages of sound except the last end with a packet, at most a second after the page before.
            var packets = 0
            for page in pages[2...].dropLast() {
                packets += page.packets
                #expect(page.granule == Int64(packets * 960))
                #expect(page.packets == 50)
            }
            #expect(pages.last!.granule == Int64(preSkip + 3 * count))
            packets += pages.last!.packets
            // As few packets as hold all of the sound.
            #expect(packets == max(1, (preSkip + 3 * count + 959) / 960))
        }
    }

    /// Because of this, a stored answer always has the same digest, and a repeated upload sends the same bytes.
    @Test func theSameSoundMakesTheSameBytes() throws {
        let answer = try spokenAnswer("sentence-4")
        try inFolder { folder in
            let first = folder.file("1.opus")
            try record(answer, to: first, as: .opus(bitRate: 32_000))
            // The packets don't depend on the pieces in which the sound came.
            for size in [1, 7, 319, 5_000, answer.count] {
                let writer = try OpusFileWriter(path: folder.file("2.opus"), bitRate: 32_000)
                for start in stride(from: 0, to: answer.count, by: size) {
                    try writer.write(answer[start..<min(start + size, answer.count)])
                }
                try writer.close(durably: false)
                #expect(writer.sampleCount == answer.count)
                #expect(FileManager.default.contentsEqual(atPath: first, andPath: folder.file("2.opus")))
            }
        }
    }

    /// A killed process leaves a file that was not closed.
    @Test func aFileThatWasNotClosedHasNoLastPage() throws {
        try inFolder { folder in
            let path = folder.file("a.opus")
            do {
                let writer = try OpusFileWriter(path: path, bitRate: 32_000)
                try writer.write(sine(400, seconds: 3.5)[...])
            }
            let pages = try OggPage.all(ofFile: path)
            #expect(pages.map(\.packets) == [1, 1, 50, 50, 50])
            #expect(!pages.contains { $0.isLast })
        }
    }
}
