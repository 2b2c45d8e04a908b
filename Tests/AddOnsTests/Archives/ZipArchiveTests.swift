import ExamCore
import Testing

@testable import AddOns

@Suite struct ZipArchiveTests {
    private static let members = [
        MadePackage.Member("a/LICENSE", Array("free".utf8)),
        MadePackage.Member(
            "a/fine.txt",
            Array(String(repeating: "It is fine, I think. It is fine, I think so. ", count: 3).utf8),
            deflated: [
                0xF3, 0x2C, 0x51, 0xC8, 0x2C, 0x56, 0x48, 0xCB, 0xCC, 0x4B, 0xD5, 0x51, 0xF0, 0x54, 0x28, 0xC9, 0xC8,
                0xCC,
                0xCB, 0xD6, 0x53, 0xF0, 0xC4, 0x14, 0x54, 0x28, 0xCE, 0xC7, 0x2A, 0x4E, 0x25, 0xC5, 0x00,
            ]),
    ]

    private func contents(of bytes: [UInt8]) throws -> [[UInt8]] {
        try bytes.withUnsafeBytes { bytes in
            let archive = try ZipArchive(bytes)
            return try archive.members.map { try archive.content(of: $0, most: 1 << 20) }
        }
    }

    @Test func storedAndDeflatedMembersAreRead() throws {
        #expect(try contents(of: MadePackage.archive(Self.members)) == Self.members.map(\.content))
    }

    @Test func otherFilesAreNoArchives() {
        for bytes in [[], Array("hello".utf8), [UInt8](repeating: 0, count: 70_000)] {
            #expect(throws: ZipArchive.Damage.notAnArchive) { try contents(of: bytes) }
        }
    }

    @Test func aWrongChecksumIsNoticed() throws {
        var bytes = MadePackage.archive(Self.members)
        let place = try #require(bytes.firstIndex(of: UInt8(ascii: "f")))
        // "a/LICENSE" has no f, so this is the first letter of "free".
        bytes[place] = UInt8(ascii: "F")
        #expect(throws: ZipArchive.Damage.member("a/LICENSE")) { try contents(of: bytes) }
    }

    @Test func aMemberThatAnnouncesMoreThanAllowedIsNotUnpacked() throws {
        let bytes = MadePackage.archive(Self.members)
        try bytes.withUnsafeBytes { bytes in
            let archive = try ZipArchive(bytes)
            #expect(throws: ZipArchive.Damage.member("a/fine.txt")) {
                try archive.content(of: archive.members[1], most: 134)
            }
        }
    }

    @Test func damagedArchivesDoNotCrash() {
        let whole = MadePackage.archive(Self.members)
        var dice = SplitMix64(seed: 9)
        var refused = 0
        for number in 0..<4_000 {
            var bytes = number.isMultiple(of: 4) ? Array(whole.prefix(dice.below(whole.count))) : whole
            for _ in 0...dice.below(4) where !bytes.isEmpty { bytes[dice.below(bytes.count)] = UInt8(dice.below(256)) }
            if (try? contents(of: bytes)) == nil { refused += 1 }
        }
        #expect(refused > 3_000)
    }
}
