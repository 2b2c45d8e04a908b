import Glibc

/// The access of this machine's other users to a file, by its permissions and those of the folders above it.
package enum OtherUsers {
    /// Returns whether all users can read a file, or can list or enter a folder. Links are followed. Returns false if
    /// nothing is there. The file's group may have access, as in Debian's packages.
    package static func canRead(_ path: String) -> Bool {
        guard let resolved = realpath(path, nil) else { return false }
        defer { free(resolved) }
        let real = String(cString: resolved)
        guard let mode = mode(of: real) else { return false }
        let wanted = mode & S_IFMT == S_IFDIR ? S_IROTH | S_IXOTH : S_IROTH
        return mode & wanted != 0 && canReach(real)
    }

    /// Returns whether all users can enter every folder above a path without links.
    private static func canReach(_ path: String) -> Bool {
        var folder = path
        while folder != "/" {
            folder = folder.folder
            guard let mode = mode(of: folder), mode & S_IXOTH != 0 else { return false }
        }
        return true
    }

    private static func mode(of path: String) -> mode_t? {
        var facts = stat()
        return stat(path, &facts) == 0 ? facts.st_mode : nil
    }
}
