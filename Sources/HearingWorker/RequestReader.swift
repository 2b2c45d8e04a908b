import Glibc

/// Reads lines and the bytes that follow them from a descriptor.
package struct RequestReader {
    private let file: Int32
    private var bytes: [UInt8] = []
    /// The longest line in bytes.
    private static let longest = 1 << 20

    package init(_ file: Int32) { self.file = file }

    /// Returns the next line without its end. Nil at the end of the input, and if the line is too long.
    package mutating func line() -> [UInt8]? {
        var searched = 0
        while true {
            if let newline = bytes[searched...].firstIndex(of: 10) {
                let line = Array(bytes[..<newline])
                bytes.removeFirst(newline + 1)
                return line
            }
            searched = bytes.count
            guard bytes.count <= Self.longest, read() else { return nil }
        }
    }

    /// Returns this many bytes. Nil at the end of the input.
    package mutating func bytes(_ count: Int) -> [UInt8]? {
        while bytes.count < count { if !read() { return nil } }
        defer { bytes.removeFirst(count) }
        return Array(bytes[..<count])
    }

    private mutating func read() -> Bool {
        var count = 0
        bytes += [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, used in
            repeat { count = Glibc.read(file, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
            used = max(0, count)
        }
        return count > 0
    }
}
