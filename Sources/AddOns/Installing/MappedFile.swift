import Glibc
import SystemSupport

/// A file mapped into memory: its bytes are read when they are used. The file must not become shorter meanwhile.
struct MappedFile: ~Copyable {
    let bytes: UnsafeRawBufferPointer

    /// - Throws: `Problem`: `missing`; `malformed` if it is empty.
    init(_ path: String) throws(Problem) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw PrivateFile.missing(path) }
        defer { close(file) }
        guard let facts = FileFacts(of: file) else { throw PrivateFile.missing(path) }
        guard facts.byteCount > 0 else { throw Problem(.malformed, "\(path): is empty") }
        let place = mmap(nil, facts.byteCount, PROT_READ, MAP_PRIVATE, file, 0)
        guard let place, place != MAP_FAILED else { throw PrivateFile.missing(path) }
        bytes = UnsafeRawBufferPointer(start: place, count: facts.byteCount)
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress!), bytes.count) }
}
