import Glibc
import SystemSupport

/// The beginning of a file that is being fetched. It is on disk, and a second file beside it holds the ETag of the
/// server's file.
final class PartialFile {
    let path: String
    /// The number of bytes on the disk.
    private(set) var byteCount: Int
    /// The server's tag for the content of these bytes; nil if it gave none.
    private(set) var tag: String?

    private var tagPath: String { path + ".etag" }

    /// Continues the file at a path, or creates it.
    ///
    /// - Throws: `Problem.unwritable`.
    init(_ path: String) throws(Problem) {
        self.path = path
        byteCount = FileFacts(at: path)?.byteCount ?? 0
        if byteCount > 0, let text = try? PrivateFile.read(path + ".etag"), !text.isEmpty {
            tag = String(decoding: text, as: UTF8.self)
        }
        try PrivateFile.createFolder(path.folder)
    }

    /// Forgets all bytes.
    func restart() throws(Problem) {
        unlink(tagPath)
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw PrivateFile.unwritable(path) }
        close(file)
        (byteCount, tag) = (0, nil)
    }

    /// Adds bytes, and waits until they are on the disk. After a failure the file has the bytes that it had before.
    func add(_ bytes: [UInt8], tag: String?) throws(Problem) {
        if byteCount == 0 {
            // Write the tag before the bytes: a tag without bytes does no harm, but bytes of an unknown version do.
            unlink(tagPath)
            if let tag { try PrivateFile.replace(tagPath, with: Array(tag.utf8)) }
            self.tag = tag
        }
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw PrivateFile.unwritable(path) }
        defer { close(file) }
        guard lseek(file, off_t(byteCount), SEEK_SET) >= 0, PrivateFile.writeAll(bytes, to: file), fsync(file) == 0
        else {
            let problem = PrivateFile.unwritable(path)
            ftruncate(file, off_t(byteCount))
            throw problem
        }
        byteCount += bytes.count
    }

    func remove() throws(Problem) {
        unlink(tagPath)
        unlink(path)
        (byteCount, tag) = (0, nil)
    }

    /// Gives the file its name.
    func finish(as path: String) throws(Problem) {
        try PrivateFile.move(self.path, to: path)
        unlink(tagPath)
    }
}
