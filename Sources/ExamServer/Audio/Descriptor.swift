import ExamKit
import Glibc

/// An open file or folder, closed when nobody holds it any more. Any thread.
final class Descriptor: Sendable {
    let number: Int32

    /// - Returns: nil, with `errno`, where it cannot be opened.
    init?(_ number: Int32) {
        guard number >= 0 else { return nil }
        self.number = number
    }

    deinit { close(number) }

    /// Waits until the disk has all of it; false, with `errno`, where it cannot.
    func synchronize() -> Bool { fsync(number) == 0 }

    /// How long the file is; nil where it is none, but a folder or a pipe.
    var byteCount: Int? {
        guard let facts = FileFacts(of: number), facts.isFile else { return nil }
        return facts.byteCount
    }

    /// Bytes from a place on, fewer at the end of the file; nil, with `errno`, where it cannot be read.
    func read(at offset: Int, count: Int) -> [UInt8]? {
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
