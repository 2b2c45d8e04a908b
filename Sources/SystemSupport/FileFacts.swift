import Glibc

/// The system's facts about a file. They are read here because C's structures aren't always visible to code that
/// imports Foundation too.
package struct FileFacts {
    /// Whether it is a regular file, not a folder, pipe or link.
    package let isFile: Bool
    package let byteCount: Int
    /// Whether anyone but its owner has any permission for it.
    package let isShared: Bool
    package let changedAt: WallTime

    /// Reads the facts of an open file; nil, with `errno` set, if the descriptor is invalid.
    package init?(of file: Int32) {
        var facts = stat()
        guard fstat(file, &facts) == 0 else { return nil }
        self.init(facts)
    }

    /// Reads the facts of a path, or of a name in an open folder, without following a link; nil, with `errno` set, if
    /// nothing is there.
    package init?(at path: String, in folder: Int32 = AT_FDCWD) {
        var facts = stat()
        guard fstatat(folder, path, &facts, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        self.init(facts)
    }

    private init(_ facts: stat) {
        isFile = facts.st_mode & S_IFMT == S_IFREG
        byteCount = Int(facts.st_size)
        isShared = facts.st_mode & 0o077 != 0
        changedAt = WallTime(secondsSince1970: facts.st_mtim.tv_sec)
    }

    /// Returns the free bytes on the disk of a file or folder; nil, with `errno` set, on failure.
    package static func free(at path: String) -> Int? {
        var disk = statvfs()
        return statvfs(path, &disk) == 0 ? free(disk) : nil
    }

    /// Returns the free bytes on the disk of an open folder; nil, with `errno` set, on failure.
    package static func free(in folder: Int32) -> Int? {
        var disk = statvfs()
        return fstatvfs(folder, &disk) == 0 ? free(disk) : nil
    }

    private static func free(_ disk: statvfs) -> Int { Int(disk.f_bavail) * Int(disk.f_frsize) }
}
