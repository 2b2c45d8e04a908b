import AudioFiles
import FoundationEssentials
import Glibc
import SystemSupport

/// Writes results to files, whole or not at all. The user's umask decides who can read them.
enum OutputFile {
    /// Checks an output path before the work, so that a recording named by mistake isn't overwritten.
    ///
    /// - Throws: `Problem.occupied`.
    static func checkPlace(_ path: String) throws(Problem) {
        switch kind(of: path) {
        case S_IFDIR: throw Problem(.occupied, "\(path): is a folder; name a file")
        case S_IFREG where (try? SoundFileReader(path: path)) != nil:
            throw Problem(.occupied, "\(path): is a recording and will not be overwritten; name another file")
        default: return
        }
    }

    /// - Parameter mode: 0o600 for private data.
    /// - Throws: `Problem.unwritable`. The previous content is intact then.
    static func replace(_ path: String, with text: String, mode: UInt32 = 0o666) throws(Problem) {
        let kind = kind(of: path)
        if kind == nil || kind == S_IFREG {
            let place = realPath(path) ?? path  // A link keeps pointing to its file.
            let part = "\(place).\(String(UInt64.random(in: .min ... .max), radix: 36)).part"
            try PrivateFile.replace(place, with: Array(text.utf8), part: part, mode: mode)
        } else {
            // A pipe or a device. A file must not replace it.
            let file = open(path, O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { throw PrivateFile.unwritable(path) }
            defer { close(file) }
            guard PrivateFile.writeAll(Array(text.utf8), to: file) else { throw PrivateFile.unwritable(path) }
        }
    }

    /// - Throws: `Problem.unwritable`.
    static func print(_ text: String) throws(Problem) {
        guard PrivateFile.writeAll(Array(text.utf8), to: STDOUT_FILENO) else {
            throw PrivateFile.unwritable("standard output")
        }
    }

    /// Returns the same spelling for all paths to one file: `a.svg`, `./a.svg`, a link to it.
    static func place(of path: String) -> String {
        realPath(path) ?? URL(filePath: path).standardizedFileURL.path
    }

    private static func kind(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
