import Glibc

/// The body of a request, which libcurl reads in pieces that fit its buffer (64 KiB).
///
/// A file is opened at the beginning. Renaming or deleting it later does no harm.
final class RequestBody {
    let byteCount: Int
    /// The reason why it could not be read to its end.
    private(set) var failure: HTTPFailure?

    private enum Source {
        case bytes([UInt8])
        case file(descriptor: Int32, offset: Int)
    }

    private let source: Source
    private var position = 0

    /// - Throws: `unreadable` if the file is missing, or shorter than the piece.
    init(_ body: HTTPRequest.Body) throws(HTTPFailure) {
        switch body {
        case .none:
            source = .bytes([])
            byteCount = 0
        case .bytes(let bytes):
            source = .bytes(bytes)
            byteCount = bytes.count
        case .file(let path, let offset, let byteCount):
            precondition(offset >= 0 && byteCount >= 0)
            // Doesn't wait for the other end if it is a pipe. Pipes are refused.
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else {
                throw HTTPFailure(.unreadable, "the file cannot be opened: \(Self.words(errno))")
            }
            var facts = stat()
            guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
                close(descriptor)
                throw HTTPFailure(.unreadable, "the body is not a file")
            }
            guard Int(facts.st_size) - byteCount >= offset else {
                close(descriptor)
                throw HTTPFailure(.unreadable, "the file has \(facts.st_size) bytes, fewer than expected")
            }
            source = .file(descriptor: descriptor, offset: offset)
            self.byteCount = byteCount
        }
    }

    deinit {
        if case .file(let descriptor, _) = source { close(descriptor) }
    }

    /// Fills `room` as far as possible. Returns 0 at the end, and nil if reading fails (`failure` has the reason).
    func read(into room: UnsafeMutableRawBufferPointer) -> Int? {
        let wanted = min(room.count, byteCount - position)
        guard wanted > 0 else { return 0 }
        switch source {
        case .bytes(let bytes):
            room.copyBytes(from: bytes[position..<position + wanted])
            position += wanted
            return wanted
        case .file(let descriptor, let offset):
            var count: Int
            repeat {
                count = pread(descriptor, room.baseAddress, wanted, off_t(offset + position))
            } while count < 0 && errno == EINTR
            guard count > 0 else {
                failure = HTTPFailure(
                    .unreadable,
                    count == 0
                        ? "the file became shorter while it was sent"
                        : "the file cannot be read: \(Self.words(errno))")
                return nil
            }
            position += count
            return count
        }
    }

    /// Moves to a position, because libcurl starts over.
    func seek(to place: Int) -> Bool {
        guard 0...byteCount ~= place else { return false }
        position = place
        return true
    }

    private static func words(_ code: Int32) -> String { String(cString: strerror(code)) }
}
