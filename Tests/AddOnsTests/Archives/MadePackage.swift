import SystemSupport

@testable import AddOns

/// A small package like those of PyPI: a zip archive. Its members are stored, or were deflated by another program.
enum MadePackage {
    /// A member: its content, and how it lies in the archive.
    struct Member {
        var name: String
        var content: [UInt8]
        /// The deflated bytes; nil for a stored member.
        var deflated: [UInt8]?

        init(_ name: String, _ content: [UInt8], deflated: [UInt8]? = nil) {
            self.name = name
            self.content = content
            self.deflated = deflated
        }
    }

    /// Returns the bytes of an archive.
    static func archive(_ members: [Member]) -> [UInt8] {
        var (bytes, directory): ([UInt8], [UInt8]) = ([], [])
        for member in members {
            let stored = member.deflated ?? member.content
            let method: [UInt8] = [member.deflated == nil ? 0 : 8, 0]
            let numbers =
                four(Zlib.crc32(member.content)) + four(UInt32(stored.count)) + four(UInt32(member.content.count))
            let name = Array(member.name.utf8)
            directory += [0x50, 0x4B, 1, 2, 20, 0, 20, 0, 0, 0] + method + [0, 0, 0, 0] + numbers
            directory += two(name.count) + [UInt8](repeating: 0, count: 12) + four(UInt32(bytes.count)) + name
            bytes += [0x50, 0x4B, 3, 4, 20, 0, 0, 0] + method + [0, 0, 0, 0] + numbers + two(name.count) + [0, 0]
            bytes += name + stored
        }
        let count = two(members.count)
        return bytes + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + count + count + four(UInt32(directory.count))
            + four(UInt32(bytes.count)) + [0, 0]
    }

    private static func two(_ number: Int) -> [UInt8] { [UInt8(number & 255), UInt8(number >> 8)] }

    private static func four(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 255) } }
}
