import Glibc
import SystemSupport

extension SoundBytes {
    /// What comes through a pipe, to its end, in a file of its own: libsndfile reads FLAC only by going back and forth in it, and of
    /// other kinds a pipe does not tell whether they are cut off.
    ///
    /// The file has no name, nobody else may read it, and it is gone with this value, whatever becomes of the process.
    ///
    /// - Parameters:
    ///   - pipe: open for reading; it stays open.
    ///   - name: what it is called in errors.
    ///   - folder: where there is room for it; nil: where `TMPDIR` says, or `/tmp`.
    /// - Throws: `SoundFileError`: `unusable` where the pipe cannot be read; `unwritable`, with the folder as its path, where
    ///   that has no room.
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
