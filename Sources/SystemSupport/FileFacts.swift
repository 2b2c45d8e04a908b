import Glibc

/// What the system knows of a file. Here, since C's structures are not always found where Foundation is imported, too.
package struct FileFacts {
    /// Whether it is a file, no folder, pipe or link.
    package let isFile: Bool
    package let byteCount: Int
    /// Whether others than its owner may do anything with it.
    package let isShared: Bool
    /// Whether anybody may read it: neither its owner nor one of its group.
    package let isReadableByAll: Bool
    package let changedAt: WallTime

    /// Of an open file; nil, with `errno`, where it is none.
    package init?(of file: Int32) {
        var facts = stat()
        guard fstat(file, &facts) == 0 else { return nil }
        self.init(facts)
    }

    /// Of a path, or a name in an open folder; a link is not followed. nil, with `errno`, where nothing is.
    package init?(at path: String, in folder: Int32 = AT_FDCWD) {
        var facts = stat()
        guard fstatat(folder, path, &facts, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        self.init(facts)
    }

    private init(_ facts: stat) {
        isFile = facts.st_mode & S_IFMT == S_IFREG
        byteCount = Int(facts.st_size)
        isShared = facts.st_mode & 0o077 != 0
        isReadableByAll = facts.st_mode & S_IROTH != 0
        changedAt = WallTime(secondsSince1970: facts.st_mtim.tv_sec)
    }

    /// Bytes that are free on the disk of a file or folder; nil, with `errno`, where it does not say.
    package static func free(at path: String) -> Int? {
        var disk = statvfs()
        return statvfs(path, &disk) == 0 ? free(disk) : nil
    }

    /// Bytes that are free on the disk of an open folder; nil, with `errno`, where it does not say.
    package static func free(in folder: Int32) -> Int? {
        var disk = statvfs()
        return fstatvfs(folder, &disk) == 0 ? free(disk) : nil
    }

    private static func free(_ disk: statvfs) -> Int { Int(disk.f_bavail) * Int(disk.f_frsize) }
}
