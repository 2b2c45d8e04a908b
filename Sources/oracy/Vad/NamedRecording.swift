import AudioFiles
import Glibc
import SystemSupport

/// A recording named on the command line: a file, a pipe such as a shell's `<(…)`, or `-` for standard input.
enum NamedRecording {
    static let standardInput = "-"

    /// Returns the path as it appears in messages.
    static func called(_ path: String) -> String { path == standardInput ? "stdin" : path }

    /// Opens a recording. A pipe is first read to its end.
    ///
    /// - Throws: The errors of `SoundFileReader`.
    static func open(_ path: String) throws(SoundFileError) -> SoundFileReader {
        if path == standardInput { return try openStandardInput() }
        guard isPipe(path) else { return try SoundFileReader(path: path) }
        let pipe = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard pipe >= 0 else { throw SoundFileError(kind: .missing, path: path, reason: systemWords(errno)) }
        defer { close(pipe) }
        return try SoundFileReader(pipe: pipe, named: path)
    }

    private static func openStandardInput() throws(SoundFileError) -> SoundFileReader {
        if isatty(STDIN_FILENO) == 1 {
            let reason = "is a terminal; give it a recording: oracy vad - < answer.wav"
            throw SoundFileError(kind: .unusable, path: called(standardInput), reason: reason)
        }
        return try SoundFileReader(pipe: STDIN_FILENO, named: called(standardInput))
    }

    private static func isPipe(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }
}
