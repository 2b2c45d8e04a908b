import Glibc
import SystemSupport
import UploadQueue

/// A folder that is held open, in which files appear whole or not at all.
///
/// Everything is done below its descriptor: should the disk be unmounted and another thing appear at the same path meanwhile,
/// nothing is written there.
final class OpenFolder {
    private let descriptor: Int32
    /// For messages.
    private let path: String

    /// - Throws: `unreachable` where it is not there.
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

    /// A folder in this one, made where it is missing, and then on disk.
    func subfolder(_ name: String) throws(DeliveryFailure) -> OpenFolder {
        guard mkdirat(descriptor, name, 0o700) == 0 || errno == EEXIST else { throw diskFailure("\(path)/\(name)") }
        // Though it exists: it may have been made by an attempt that died before its name was on disk.
        try synchronize()
        let folder = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { throw diskFailure("\(path)/\(name)") }
        return OpenFolder(descriptor: folder, path: "\(path)/\(name)")
    }

    /// Makes a file here be this content, unless it already is: written beside its name, on disk, read back and compared,
    /// and only then renamed. What an earlier attempt left half-written is replaced.
    func place(
        _ content: Content, as name: String, _ check: () throws(DeliveryFailure) -> Void
    ) throws(DeliveryFailure) {
        try check()
        if try holds(content, as: name, check) {
            // It may have been renamed by an attempt that died before the name was on disk.
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
                    message: "\(path)/\(name): what was read back is not what was written")
            }
            guard renameat(descriptor, part, descriptor, name) == 0 else { throw diskFailure("\(path)/\(name)") }
        } catch {
            unlinkat(descriptor, part, 0)
            throw error
        }
        try synchronize()
    }

    /// - Returns: once all of it is on disk, and no longer in memory: what is read back then comes from the disk, as far as a
    ///   program can see to that.
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

    /// Whether a file here has this content: by length first, then by SHA-256.
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
        // EINVAL: a file system that has no such thing (fsync(2)); its names are as safe as it makes them.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw diskFailure(path) }
    }
}

/// What a disk said, in terms of what to do about it.
private func diskFailure(_ path: String) -> DeliveryFailure {
    // The disk has gone, and its file system with it: pulled out, or a server of files that is away.
    let gone = [ENODEV, ENXIO, ESTALE, ENOTCONN, EHOSTDOWN, EHOSTUNREACH, ENOMEDIUM]
    let code = errno
    return DeliveryFailure(
        gone.contains(code) ? .unreachable : .transient, code: "errno \(code)", message: systemSays(path))
}

/// The path and what `errno` says.
func systemSays(_ path: String) -> String { PrivateFile.unwritable(path).sentence }
