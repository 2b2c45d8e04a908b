import Glibc
import SystemSupport
import UploadQueue

extension UploadFile {
    /// Reads the whole recording, 64 KiB at a time.
    ///
    /// - Throws: `fileMissing`; `fileAltered` if its length or SHA-256 has changed: after the last piece, or as soon as
    ///   the file is too long.
    func forEachChunk(
        _ check: () throws(DeliveryFailure) -> Void, _ body: ([UInt8]) throws(DeliveryFailure) -> Void
    ) throws(DeliveryFailure) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw unreadable() }
        defer { close(descriptor) }
        var digest = SHA256()
        var count = 0
        while let chunk = try nextChunk(of: descriptor, orFail: unreadable) {
            try check()
            chunk.withUnsafeBytes { digest.update($0) }
            count += chunk.count
            guard count <= byteCount else { throw altered("it became longer") }
            try body(chunk)
        }
        guard count == byteCount else { throw altered("it had \(byteCount) bytes and now has \(count)") }
        guard digest.hexadecimal() == sha256.lowercased() else { throw altered("its SHA-256 differs") }
    }

    /// Reads the whole recording and compares it, because a backend says that it received something else.
    ///
    /// - Throws: `fileMissing`, `fileAltered`, `cancelled`.
    func check() async throws(DeliveryFailure) {
        try await runBlocking { check throws(DeliveryFailure) in
            try forEachChunk(check) { _ throws(DeliveryFailure) in }
        }
    }

    /// Checks quickly that the file exists and has its length, before a connection is opened for it.
    ///
    /// - Throws: `fileMissing`, `fileAltered`.
    func hasItsLength() throws(DeliveryFailure) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw unreadable() }
        guard Int(status.st_size) == byteCount else {
            throw altered("it had \(byteCount) bytes and now has \(status.st_size)")
        }
    }

    private func unreadable() -> DeliveryFailure {
        DeliveryFailure(.fileMissing, code: "errno \(errno)", message: systemSays(path))
    }

    private func altered(_ how: String) -> DeliveryFailure {
        DeliveryFailure(.fileAltered, message: "\(path): changed since it was recorded: \(how)")
    }
}

/// Returns the next piece of an open file; nil at its end.
func nextChunk(
    of file: Int32, orFail failure: () -> DeliveryFailure
) throws(DeliveryFailure) -> [UInt8]? {
    var count = 0
    var code: Int32 = 0
    let chunk = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, used in
        repeat { count = read(file, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
        code = errno
        used = max(0, count)
    }
    if count < 0 {
        errno = code
        throw failure()
    }
    return count == 0 ? nil : chunk
}
