import Glibc
import SystemSupport

/// An open file or folder, closed with its last reference. Any thread may use it.
package final class Descriptor: Sendable {
    package let number: Int32

    /// Takes over a descriptor.
    ///
    /// - Returns: nil if it could not be opened. `errno` says why.
    package init?(_ number: Int32) {
        guard number >= 0 else { return nil }
        self.number = number
    }

    deinit { close(number) }

    /// Waits until everything is on the disk. Returns false if that fails. `errno` says why.
    package func synchronize() -> Bool { fsync(number) == 0 }

    /// The length of the file. Nil if it is a folder or a pipe.
    package var byteCount: Int? {
        guard let facts = FileFacts(of: number), facts.isFile else { return nil }
        return facts.byteCount
    }

    /// Returns bytes from an offset on, fewer at the end of the file. Nil if reading fails. `errno` says why.
    package func read(at offset: Int, count: Int) -> [UInt8]? {
        var got = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            repeat {
                got = pread(number, buffer.baseAddress, count, off_t(offset))
            } while got < 0 && errno == EINTR
            used = max(0, got)
        }
        return got < 0 ? nil : bytes
    }
}
