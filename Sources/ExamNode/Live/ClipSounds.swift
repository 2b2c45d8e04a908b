import AudioFiles
import Dispatch
import Glibc
import SessionFolders
import SystemSupport

/// The examiner's prompts in forms that browsers play: 16 kHz mono, each converted once and kept.
package struct ClipSounds: Sendable {
    package enum Form: String, Sendable {
        /// Ogg/Opus: 4 kB a second.
        case opus
        /// WAV, which every browser plays: 32 kB a second.
        case wav

        package var mediaType: String {
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

    /// The folder for the converted files.
    package var folder: String

    package init(folder: String) { self.folder = folder }

    /// Returns a prompt's sound in a form.
    ///
    /// - Parameter path: a sound file of any kind.
    /// - Returns: the path of the converted file.
    /// - Throws: `Problem`.
    package func file(of path: String, as form: Form) async throws -> String {
        let made = "\(folder)/\(SHA256.hexadecimal(of: Array(path.utf8)).prefix(24)).\(form.rawValue)"
        if access(made, R_OK) == 0 { return made }
        let folder = folder
        return try await withCheckedThrowingContinuation { done in
            // Takes some milliseconds, which must not block other tasks.
            DispatchQueue.global(qos: .userInitiated).async {
                done.resume(
                    with: Result { () throws -> String in
                        try PrivateFile.createFolder(folder)
                        // A separate name, because two requests may convert the same words at the same time.
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
