import SystemSupport

/// A zip archive in memory, such as a Python wheel: members that are stored or deflated, without encryption and below
/// 4 GB.
package struct ZipArchive {
    /// The reason why an archive cannot be read.
    package enum Damage: Error, Equatable {
        case notAnArchive
        /// A member is cut off, damaged, or in a form that isn't supported.
        case member(String)
    }

    /// A file in the archive.
    package struct Member: Equatable {
        /// The path in the archive.
        package var name: String
        /// The number of bytes after decompression.
        package var byteCount: Int
        fileprivate var storedCount: Int
        fileprivate var isDeflated: Bool
        fileprivate var checksum: UInt32
        fileprivate var headerAt: Int
    }

    private let bytes: UnsafeRawBufferPointer
    /// The members in the order of the archive's directory.
    package let members: [Member]

    /// - Parameter bytes: the archive, which must stay valid.
    package init(_ bytes: UnsafeRawBufferPointer) throws(Damage) {
        self.bytes = bytes
        // The directory's end is the last record. A comment of up to 64 KB may follow it.
        let first = max(0, bytes.count - 22 - 65_535)
        guard bytes.count >= 22,
            let end = stride(from: bytes.count - 22, through: first, by: -1).first(where: {
                bytes.number(at: $0) == 0x0605_4B50
            })
        else { throw .notAnArchive }
        let (count, start) = (Int(bytes.short(at: end + 10)), Int(bytes.number(at: end + 16)))
        var (members, at): ([Member], Int) = ([], start)
        for _ in 0..<count {
            guard at + 46 <= end, bytes.number(at: at) == 0x0201_4B50 else { throw .notAnArchive }
            let (method, flags) = (bytes.short(at: at + 10), bytes.short(at: at + 8))
            let (nameLength, extra, comment) = (
                Int(bytes.short(at: at + 28)), Int(bytes.short(at: at + 30)), Int(bytes.short(at: at + 32))
            )
            guard at + 46 + nameLength <= end else { throw .notAnArchive }
            let name = String(decoding: bytes[(at + 46)..<(at + 46 + nameLength)], as: UTF8.self)
            guard method == 0 || method == 8, flags & 1 == 0 else { throw .member(name) }
            members.append(
                Member(
                    name: name, byteCount: Int(bytes.number(at: at + 24)), storedCount: Int(bytes.number(at: at + 20)),
                    isDeflated: method == 8, checksum: bytes.number(at: at + 16),
                    headerAt: Int(bytes.number(at: at + 42))))
            at += 46 + nameLength + extra + comment
        }
        self.members = members
    }

    /// Decompresses a member and checks its checksum.
    ///
    /// - Parameter most: the largest size to accept. An archive of a few bytes may announce gigabytes.
    /// - Throws: `Damage.member` if it is larger or damaged.
    package func content(of member: Member, most: Int = 1 << 28) throws(Damage) -> [UInt8] {
        guard member.byteCount <= most else { throw .member(member.name) }
        let header = member.headerAt
        guard header + 30 <= bytes.count, bytes.number(at: header) == 0x0403_4B50 else { throw .member(member.name) }
        let start = header + 30 + Int(bytes.short(at: header + 26)) + Int(bytes.short(at: header + 28))
        guard start + member.storedCount <= bytes.count else { throw .member(member.name) }
        let stored = UnsafeRawBufferPointer(rebasing: bytes[start..<(start + member.storedCount)])
        let content = member.isDeflated ? Zlib.inflated(stored, count: member.byteCount) : Array(stored)
        guard let content, content.count == member.byteCount, Zlib.crc32(content) == member.checksum else {
            throw .member(member.name)
        }
        return content
    }
}
