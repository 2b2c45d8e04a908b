import AudioFiles
import Glibc
public import SystemSupport

/// What the erasing of a session did, in the order it was done: each thing, what it held, and when it went.
public struct SessionErasure: Sendable {
    /// The folder that was to go; it is not there any more unless `left` says why.
    public let folder: SessionFolder
    /// What went, in the order in which it did.
    public fileprivate(set) var removed: [Removed] = []
    /// Why the folder is still there; empty where nothing of it is.
    public fileprivate(set) var left: [Left] = []

    /// One thing that is gone.
    public struct Removed: Codable, Equatable, Sendable {
        /// What it was.
        public enum Kind: String, Codable, Sendable {
            /// A recording, a log or whatever else was written into the session's folder.
            case file
            /// A link was removed, and not what it leads to.
            case link
            /// Removed last, when it was empty.
            case folder
        }
        /// File, link or folder.
        public var kind: Kind
        /// In the session's folder: `takes/part1_q3.opus`; `.` is the folder itself.
        public var name: String
        /// 0 for links and folders.
        public var byteCount: Int
        /// Of what the file held, as 64 hexadecimal digits; nil for links and folders, and where it could not be read.
        public var sha256: String?
        /// By the machine's clock, ISO 8601 in UTC.
        public var removedAt: String
    }

    /// One thing that stayed.
    public struct Left: Equatable, Sendable {
        /// Why it stayed.
        public enum Reason: Equatable, Sendable {
            /// It is none of the session's own files.
            case foreign
            /// In the system's words.
            case failed(String)
        }
        /// In the session's folder.
        public var name: String
        /// What kept it there.
        public var reason: Reason
    }
}

extension SessionShelf {
    /// Erases a session: what was recorded first, its log last, and the folder.
    ///
    /// To erase is to unlink: disks may keep the blocks until they are written over, and backups keep what they have. A link
    /// is removed and never followed. Files that are not the session's own stay, and the folder with them. Where one thing
    /// cannot be removed, all others are; erasing again goes on.
    ///
    /// - Parameter folder: on this shelf or anywhere else.
    /// - Throws: `Problem`: `occupied` where a program is using the session: nothing is removed then; `missing`.
    public func erase(_ folder: SessionFolder) throws(Problem) -> SessionErasure {
        let top = open(folder.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard top >= 0 else { throw Problem(.missing, "\(folder.path): \(systemWords(errno))") }
        defer { close(top) }
        // Locked from here on, so that nobody goes on with the session meanwhile; the log goes last for the same reason.
        let lock = try SessionLock(folder, LOCK_EX)
        defer { lock.end() }
        var erasure = SessionErasure(folder: folder)
        let takes = openat(top, "takes", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        let isClosed = takes < 0 && errno == EACCES
        if isClosed { erasure.left.append(.init(name: "takes", reason: .failed(systemWords(EACCES)))) }
        if takes >= 0 {
            defer { close(takes) }
            for name in names(in: takes) { erasure.remove(name, from: takes, in: "takes/", SessionFolder.isTake) }
            fsync(takes)
        }
        let names = names(in: top).filter { $0 != "takes" || takes < 0 && !isClosed }
        for name in names where name != "log.jsonl" {
            erasure.remove(name, from: top, in: "", SessionFolder.isOwn)
        }
        if takes >= 0 { erasure.removeFolder("takes", holds: "takes/") { unlinkat(top, "takes", AT_REMOVEDIR) } }
        if names.contains("log.jsonl") { erasure.remove("log.jsonl", from: top, in: "", SessionFolder.isOwn) }
        fsync(top)
        erasure.removeFolder(".", holds: "") { rmdir(folder.path) }
        return erasure
    }

    private func names(in folder: Int32) -> [String] {
        guard let entries = fdopendir(fcntl(folder, F_DUPFD_CLOEXEC, 0)) else { return [] }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            let start = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
            let name = String(cString: start.assumingMemoryBound(to: CChar.self))
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted(by: inPeoplesOrder)
    }
}

extension SessionErasure {
    fileprivate mutating func remove(_ name: String, from folder: Int32, in path: String, _ isOurs: (String) -> Bool) {
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            left.append(Left(name: path + name, reason: .failed(systemWords(errno))))
            return
        }
        guard status.isLink || status.isFile && isOurs(name) else {
            left.append(Left(name: path + name, reason: .foreign))
            return
        }
        let sha256 = status.isLink ? nil : Self.digest(of: name, in: folder)
        guard unlinkat(folder, name, 0) == 0 else {
            left.append(Left(name: path + name, reason: .failed(systemWords(errno))))
            return
        }
        let size = status.isLink ? 0 : Int(status.st_size)
        removed.append(
            Removed(
                kind: status.isLink ? .link : .file, name: path + name, byteCount: size, sha256: sha256,
                removedAt: WallTime.now.utc))
    }

    /// nil where it cannot be read, which keeps nothing from being erased.
    private static func digest(of name: String, in folder: Int32) -> String? {
        let file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var digest = SHA256()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return digest.hexadecimal() }
            buffer.withUnsafeBytes { digest.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }

    /// - Parameter path: how the names of what is in the folder begin; it stays where any of that does.
    fileprivate mutating func removeFolder(_ name: String, holds path: String, _ remove: () -> Int32) {
        guard !left.contains(where: { $0.name.hasPrefix(path) }) else { return }
        if remove() == 0 {
            removed.append(Removed(kind: .folder, name: name, byteCount: 0, removedAt: WallTime.now.utc))
        } else {
            left.append(Left(name: name, reason: .failed(systemWords(errno))))
        }
    }
}
