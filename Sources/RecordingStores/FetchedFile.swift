import Foundation
import Glibc
import SystemSupport

/// A copy of a stored recording on this node's disk, for the lifetime of this value.
package struct FetchedFile: ~Copyable {
    package let path: String
    package let byteCount: Int
    /// 64 hexadecimal digits.
    package let sha256: String

    /// Fetches a recording.
    ///
    /// - Throws: `AudioStoreError`.
    package init(_ key: AudioKey, from audio: any AudioStore, in folder: String) async throws {
        let path = "\(folder)/incoming/\(UUID().name)"
        do {
            (byteCount, sha256) = try await Self.fetch(key, from: audio, to: path)
        } catch {
            unlink(path)
            throw error
        }
        self.path = path
    }

    /// Copies a recording to a new file, which only its owner can read. The file stays.
    ///
    /// - Throws: `AudioStoreError`.
    package static func fetch(
        _ key: AudioKey, from audio: any AudioStore, to path: String
    ) async throws -> (byteCount: Int, sha256: String) {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let opened = try await runBlocking { () throws(AudioStoreError) in
            guard (try? PrivateFile.createFolder(folder)) != nil else {
                throw AudioStoreError(.unavailable, "\(folder): cannot be made")
            }
            return Descriptor(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
        }
        guard let file = opened else { throw AudioStoreError(.unavailable, "\(folder): cannot be written to") }
        return try await audio.digest(of: key) { piece in
            guard await runBlocking({ PrivateFile.writeAll(piece, to: file.number) }) else {
                throw AudioStoreError(.unavailable, "\(folder): cannot be written to")
            }
        }
    }

    deinit {
        unlink(path)
    }
}
