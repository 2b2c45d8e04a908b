import Glibc
import SystemSupport

/// Folders of this program that are made and removed as a whole.
enum OwnFolder {
    /// Removes a folder with everything in it. Links are removed, not followed. Does nothing if it doesn't exist.
    static func remove(_ folder: String) {
        for entry in entries(of: folder) {
            if entry.isFolder { remove(entry.path) } else { unlink(entry.path) }
        }
        rmdir(folder)
    }

    /// Returns the bytes of all files in a folder, whose files may come and go meanwhile.
    static func byteCount(of folder: String) -> Int {
        entries(of: folder).reduce(0) { sum, entry in
            sum + (entry.isFolder ? byteCount(of: entry.path) : FileFacts(at: entry.path)?.byteCount ?? 0)
        }
    }

    /// Waits until all of a folder is on the disk.
    static func synchronize(_ folder: String) throws(Problem) {
        for entry in entries(of: folder) where entry.isFolder { try synchronize(entry.path) }
        try PrivateFile.synchronize(folder)
    }

    /// Returns a folder's entries; empty if it cannot be read.
    static func entries(of folder: String) -> [(path: String, isFolder: Bool)] {
        guard let open = opendir(folder) else { return [] }
        defer { closedir(open) }
        var entries: [(path: String, isFolder: Bool)] = []
        while let entry = readdir(open) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            entries.append(("\(folder)/\(name)", entry.pointee.d_type == UInt8(DT_DIR)))
        }
        return entries
    }
}
