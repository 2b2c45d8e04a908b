import ExamCore
import Foundation
import SystemSupport
import Testing

/// Tests of compressed streams, whole and damaged.
@Suite struct ZlibTests {
    private static let sentence = String(
        repeating: "It is fine, I think. It is fine, I think so. ", count: 3)
    /// The sentence, with the codes that RFC 1951 fixes.
    private static let fixed = bytes("8yxRyCxWSMvMS9VR8FQoycjMy9ZT8MQUVCjOxypOJcUA")
    /// 400 letters drawn from "abcab d", then 300 times "x": codes of its own, and copies that overlap themselves.
    private static let dynamic = bytes(
        "7ZCBkQQwCAJbsTWBIr78W8wV8AVckplEVCRYSXbdHTkz7nu1LEveeAicngkImBaQusZke2Y1NHAvpZ4+NsQli6kZwUOpMoFri6cYfHZnCTZKuHND"
            + "TkIaI4pWqjMVeTTu0Kf1cet07TUzAa4AHe33TyBwKK2pcDV2lTBkm9pLFUq7m6n6PZVEOr+YUqueVKQ39DEcaTPCgmfY+3ANUk2bIyPpujo4gQam"
            + "9QuZv9/69/oA")

    private static func bytes(_ text: String) -> [UInt8] { Array(Data(base64Encoded: text)!) }

    private func inflated(_ bytes: [UInt8], _ count: Int) -> [UInt8]? {
        bytes.withUnsafeBytes { Zlib.inflated($0, count: count) }
    }

    @Test func fixedCodesAreRead() {
        #expect(inflated(Self.fixed, 135) == Array(Self.sentence.utf8))
    }

    @Test func codesOfItsOwnAreRead() throws {
        let text = try #require(inflated(Self.dynamic, 700))
        #expect(
            SHA256.hexadecimal(of: text) == "499e0fcb024f185539b8b2dcc33e19acf3afbda9b069d338be5ec39d38ec9140")
        #expect(Zlib.crc32(text) == 885_798_453)
    }

    @Test func storedBytesAreRead() {
        #expect(inflated([0x01, 0x03, 0x00, 0xFC, 0xFF, 7, 8, 9], 3) == [7, 8, 9])
    }

    @Test func otherLengthsThanAnnouncedAreRefused() {
        for count in [0, 1, 134, 136, 100_000] {
            #expect(inflated(Self.fixed, count) == nil, "\(count)")
        }
    }

    @Test func everyCutOffStreamIsRefused() {
        for length in 0..<Self.dynamic.count {
            #expect(inflated(Array(Self.dynamic.prefix(length)), 700) == nil, "\(length)")
        }
    }

    /// Changed bits may still make a stream. They never make the program read or write outside of its buffers.
    @Test func damagedStreamsDoNotCrash() {
        var dice = SplitMix64(seed: 5)
        var refused = 0
        for _ in 0..<2_000 {
            var stream = Self.dynamic
            for _ in 0...dice.below(3) { stream[dice.below(stream.count)] = UInt8(dice.below(256)) }
            if inflated(stream, 700) == nil { refused += 1 }
        }
        #expect(refused > 1_500)
    }

    @Test(arguments: [0, 1, 135, 100_000])
    func aCompressedTextIsReadAgain(count: Int) throws {
        let text = Array(repeatElement(Array(Self.sentence.utf8), count: count / 135 + 1).joined().prefix(count))
        let packed = try #require(Zlib.gzip(text))
        // A header of ten bytes, and eight of checksum and length (RFC 1952).
        #expect(packed.prefix(3) == [0x1F, 0x8B, 8] && inflated(Array(packed[10...].dropLast(8)), count) == text)
    }
}
