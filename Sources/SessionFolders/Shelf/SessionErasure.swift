import Glibc
public import SystemSupport

/// A record of a session's erasure: each thing that was removed, its digest, and the time, in order.
public struct SessionErasure: Sendable {
    /// The folder to erase. It is gone unless `left` is not empty.
    public let folder: SessionFolder
    /// The things that were removed, in order.
    public fileprivate(set) var removed: [Removed] = []
    /// The things that keep the folder in place, with reasons; empty if the folder is gone.
    public fileprivate(set) var left: [Left] = []

    /// One thing that was removed.
    public struct Removed: Codable, Equatable, Sendable {
        /// The kind of thing that it was.
        public enum Kind: String, Codable, Sendable {
            /// A recording, a log or any other file of the session.
            case file
            /// A link. It was removed, not its target.
            case link
            /// A folder, removed last, when it was empty.
            case folder
        }
        /// File, link or folder.
        public var kind: Kind
        /// The path in the session's folder, such as `takes/part1_q3.opus`; `.` is the folder itself.
        public var name: String
        /// 0 for links and folders.
        public var byteCount: Int
        /// The digest of the file's content, as 64 hexadecimal digits; nil for links and folders, and if the file could
        /// not be read.
        public var sha256: String?
        /// The time by the machine's clock, ISO 8601 in UTC.
        public var removedAt: String
    }

    /// One thing that stayed.
    public struct Left: Equatable, Sendable {
        /// The reason why it stayed.
        public enum Reason: Equatable, Sendable {
            /// It isn't one of the session's own files.
            case foreign
            /// Removing it failed, in the system's words.
            case failed(String)
        }
        /// The path in the session's folder.
        public var name: String
        /// The reason why it stayed.
        public var reason: Reason
    }
}

extension SessionShelf {
    /// Erases a session: its recordings first, then its log, then the folder.
    ///
    /// Erasing means unlinking: disks may keep the blocks until they are overwritten, and backups keep their copies. A
    /// link is removed and never followed. Files that aren't the session's own stay, and the folder with them. If one
    /// thing cannot be removed, all others still are, and erasing again continues.
    ///
    /// - Parameter folder: A session on this shelf or anywhere else.
    /// - Throws: `Problem`: `occupied` if a program is using the session (nothing is removed then); `missing`.
    public func erase(_ folder: SessionFolder) throws(Problem) -> SessionErasure {
        let top = open(folder.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard top >= 0 else { throw Problem(.missing, "\(folder.path): \(systemWords(errno))") }
        defer { close(top) }
        // Locked from here on, so that no other program resumes the session meanwhile. The log goes last for the same
        // reason.
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

    /// Returns nil if the file cannot be read. It can still be erased.
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

    /// - Parameter path: The prefix of the names of the folder's contents. If any of them stays, the folder stays too.
    fileprivate mutating func removeFolder(_ name: String, holds path: String, _ remove: () -> Int32) {
        guard !left.contains(where: { $0.name.hasPrefix(path) }) else { return }
        if remove() == 0 {
            removed.append(Removed(kind: .folder, name: name, byteCount: 0, removedAt: WallTime.now.utc))
        } else {
            left.append(Left(name: name, reason: .failed(systemWords(errno))))
        }
    }
}
