import Glibc
import SystemSupport

extension SoundBytes {
    /// Copies everything from a pipe to a temporary file. libsndfile reads FLAC only by seeking in it, and for other
    /// kinds a pipe does not show whether they are cut off.
    ///
    /// The file has no name, other users cannot read it, and it disappears with this value, even if the process is
    /// killed.
    ///
    /// - Parameters:
    ///   - pipe: open for reading. It stays open.
    ///   - name: the name of the pipe in errors.
    ///   - folder: the folder for the file. Nil for the folder in `TMPDIR`, or `/tmp`.
    /// - Throws: `SoundFileError`: `unusable` if the pipe cannot be read, or `unwritable`, with the folder as its path,
    ///   if the folder has no space.
    convenience init(spooling pipe: Int32, named name: String, in folder: String?) throws(SoundFileError) {
        let folder = folder ?? NamelessFile.folder
        func unwritable() -> SoundFileError {
            let reason = "has no room for what \(name) sends (\(systemWords(errno))); set TMPDIR to another folder"
            return SoundFileError(kind: .unwritable, path: folder, reason: reason)
        }
        let file = NamelessFile.open(in: folder)
        guard file >= 0 else { throw unwritable() }
        self.init(file: file, size: 0)
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(pipe, &piece, piece.count)
            if count < 0 && errno == EINTR { continue }
            if count < 0 {
                throw SoundFileError(kind: .unusable, path: name, reason: "cannot be read (\(systemWords(errno)))")
            }
            if count == 0 { return }
            guard append(piece[..<count]) else { throw unwritable() }
        }
    }
}
