import Glibc
import SystemSupport
import UploadQueue

/// An open folder in which files appear only as a whole.
///
/// All operations are relative to its descriptor. If the disk is unmounted and something else appears at the same path
/// meanwhile, nothing is written there.
final class OpenFolder {
    private let descriptor: Int32
    /// The path for messages.
    private let path: String

    /// - Throws: `unreachable` if the folder is missing.
    init(_ path: String) throws(DeliveryFailure) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        self.path = path
        guard descriptor >= 0 else {
            throw errno == EACCES
                ? diskFailure(path) : DeliveryFailure(.unreachable, code: "errno \(errno)", message: systemSays(path))
        }
    }

    private init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func has(_ name: String) -> Bool { faccessat(descriptor, name, F_OK, 0) == 0 }

    /// Returns a subfolder, and makes it if it is missing. Its name is on disk when this returns.
    func subfolder(_ name: String) throws(DeliveryFailure) -> OpenFolder {
        guard mkdirat(descriptor, name, 0o700) == 0 || errno == EEXIST else { throw diskFailure("\(path)/\(name)") }
        // Needed even if the folder exists: an earlier attempt may have died before the name was on disk.
        try synchronize()
        let folder = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { throw diskFailure("\(path)/\(name)") }
        return OpenFolder(descriptor: folder, path: "\(path)/\(name)")
    }

    /// Gives a file this content, unless it already has it. Writes a temporary file, syncs it, reads it back and
    /// compares it, and only then renames it. Replaces a partial file of an earlier attempt.
    func place(
        _ content: Content, as name: String, _ check: () throws(DeliveryFailure) -> Void
    ) throws(DeliveryFailure) {
        try check()
        if try holds(content, as: name, check) {
            // An earlier attempt may have renamed it and died before the name was on disk.
            return try synchronize()
        }
        let part = name + ".part"
        unlinkat(descriptor, part, 0)
        do throws(DeliveryFailure) {
            try write(content, to: part, check)
            try check()
            guard try holds(content, as: part, check) else {
                throw DeliveryFailure(
                    .transient, code: "read back",
                    message: "\(path)/\(name): the data read back differs from the data written")
            }
            guard renameat(descriptor, part, descriptor, name) == 0 else { throw diskFailure("\(path)/\(name)") }
        } catch {
            unlinkat(descriptor, part, 0)
            throw error
        }
        try synchronize()
    }

    /// Writes a file. Returns when all of it is on disk and, as far as a program can control that, no longer cached, so
    /// that reading it back reads from the disk.
    private func write(
        _ content: Content, to name: String, _ check: () throws(DeliveryFailure) -> Void
    ) throws(DeliveryFailure) {
        let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw diskFailure("\(path)/\(name)") }
        defer { close(file) }
        try content.forEachChunk(check) { chunk throws(DeliveryFailure) in
            guard PrivateFile.writeAll(chunk, to: file) else { throw diskFailure("\(path)/\(name)") }
        }
        guard fsync(file) == 0 else { throw diskFailure("\(path)/\(name)") }
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
    }

    /// Returns whether a file has this content: compares the length first, then the SHA-256.
    private func holds(
        _ content: Content, as name: String, _ check: () throws(DeliveryFailure) -> Void
    ) throws(DeliveryFailure) -> Bool {
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            Int(status.st_size) == content.byteCount
        else { return false }
        var digest = SHA256()
        while let chunk = try nextChunk(of: file, orFail: { diskFailure("\(path)/\(name)") }) {
            try check()
            chunk.withUnsafeBytes { digest.update($0) }
        }
        return digest.hexadecimal() == content.sha256
    }

    /// Waits until the names in this folder are on disk.
    private func synchronize() throws(DeliveryFailure) {
        // EINVAL: the file system doesn't support this (fsync(2)). Its names are as safe as it makes them.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw diskFailure(path) }
    }
}

/// Converts `errno` of a disk to a failure that tells the queue what to do.
private func diskFailure(_ path: String) -> DeliveryFailure {
    // The disk is gone, and its file system with it: unplugged, or a file server that can't be reached.
    let gone = [ENODEV, ENXIO, ESTALE, ENOTCONN, EHOSTDOWN, EHOSTUNREACH, ENOMEDIUM]
    let code = errno
    return DeliveryFailure(
        gone.contains(code) ? .unreachable : .transient, code: "errno \(code)", message: systemSays(path))
}

/// Returns the path with the system's words for `errno`.
func systemSays(_ path: String) -> String { PrivateFile.unwritable(path).sentence }
