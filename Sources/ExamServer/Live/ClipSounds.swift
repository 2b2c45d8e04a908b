import AudioFiles
import Dispatch
import ExamKit
import Glibc

/// The examiner's words as browsers play them: WAV, each made once and kept.
struct ClipSounds: Sendable {
    /// The folder they lie in.
    var folder: String

    /// A prompt's sound as WAV, 16 kHz mono.
    ///
    /// - Parameter path: of a sound file of any kind.
    /// - Returns: the path of a file.
    /// - Throws: `Problem`.
    func wav(of path: String) async throws -> String {
        let wav = "\(folder)/\(SHA256.hexadecimal(of: Array(path.utf8)).prefix(24)).wav"
        if access(wav, R_OK) == 0 { return wav }
        let folder = folder
        return try await withCheckedThrowingContinuation { done in
            // Some milliseconds, which nobody else should wait for.
            DispatchQueue.global(qos: .userInitiated).async {
                done.resume(
                    with: Result { () throws -> String in
                        try PrivateFile.createFolder(folder)
                        // A name of its own: two may ask for the same words at once.
                        let part = "\(wav).\(UInt64.random(in: 0 ... .max)).part"
                        defer { unlink(part) }
                        try Self.convert(path, to: part)
                        guard rename(part, wav) == 0 else { throw PrivateFile.unwritable(wav) }
                        return wav
                    })
            }
        }
    }

    private static func convert(_ path: String, to part: String) throws(Problem) {
        do throws(SoundFileError) {
            let reader = try BlockReader(path: path)
            let writer = try SoundFileWriter(path: part, encoding: .wav)
            while let block = try reader.next() { try writer.write(block) }
            try writer.close(durably: false)
        } catch {
            throw Problem(error)
        }
    }
}
