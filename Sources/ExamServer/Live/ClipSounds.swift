import AudioFiles
import Dispatch
import ExamKit
import Glibc

/// The examiner's words as browsers play them, each made once and kept: 16 kHz mono.
struct ClipSounds: Sendable {
    enum Form: String, Sendable {
        /// Ogg/Opus: 4 kB a second.
        case opus
        /// What every browser plays: 32 kB a second.
        case wav

        var mediaType: String {
            switch self {
            case .opus: "audio/ogg"
            case .wav: "audio/wav"
            }
        }

        fileprivate func writer(to path: String) throws(SoundFileError) -> any SoundWriter {
            switch self {
            case .opus: try OpusFileWriter(path: path, bitRate: 32_000, effort: .most)
            case .wav: try SoundFileWriter(path: path, encoding: .wav)
            }
        }
    }

    /// The folder they lie in.
    var folder: String

    /// A prompt's sound.
    ///
    /// - Parameter path: of a sound file of any kind.
    /// - Returns: the path of a file.
    /// - Throws: `Problem`.
    func file(of path: String, as form: Form) async throws -> String {
        let made = "\(folder)/\(SHA256.hexadecimal(of: Array(path.utf8)).prefix(24)).\(form.rawValue)"
        if access(made, R_OK) == 0 { return made }
        let folder = folder
        return try await withCheckedThrowingContinuation { done in
            // Some milliseconds, which nobody else should wait for.
            DispatchQueue.global(qos: .userInitiated).async {
                done.resume(
                    with: Result { () throws -> String in
                        try PrivateFile.createFolder(folder)
                        // A name of its own: two may ask for the same words at once.
                        let part = "\(made).\(UInt64.random(in: 0 ... .max)).part"
                        defer { unlink(part) }
                        try Self.convert(path, to: part, form)
                        guard rename(part, made) == 0 else { throw PrivateFile.unwritable(made) }
                        return made
                    })
            }
        }
    }

    private static func convert(_ path: String, to part: String, _ form: Form) throws(Problem) {
        do throws(SoundFileError) {
            let reader = try BlockReader(path: path)
            let writer = try form.writer(to: part)
            while let block = try reader.next() { try writer.write(block) }
            try writer.close(durably: false)
        } catch {
            throw Problem(error)
        }
    }
}
