import Crypto
import ExamKit
import Foundation
import Glibc
import Hummingbird

/// The body of a request on its way to a file of this node, digested as it comes: never in memory as a whole.
///
/// The file goes with this value: what is to stay is put into an `AudioStore`.
struct IncomingFile: ~Copyable {
    let path: String
    let byteCount: Int
    /// 64 hexadecimal digits.
    let sha256: String

    /// - Parameters:
    ///   - folder: this node's; `incoming` in it is made if need be.
    ///   - most: bytes that are taken.
    /// - Throws: `APIProblem`: 413, and 503 where it cannot be written; whatever reading the request throws.
    init(_ body: RequestBody, in folder: String, atMost most: Int) async throws {
        let path = "\(folder)/incoming/\(UUID().uuidString.lowercased())"
        do {
            (byteCount, sha256) = try await Self.write(body, to: path, atMost: most)
        } catch {
            unlink(path)
            throw error
        }
        self.path = path
    }

    private static func write(_ body: RequestBody, to path: String, atMost most: Int) async throws -> (Int, String) {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        guard (try? PrivateFile.createFolder(folder)) != nil else { throw APIProblem.busy }
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw APIProblem.busy }
        defer { close(file) }
        var digest = Crypto.SHA256()
        var count = 0
        for try await piece in body {
            count += piece.readableBytes
            guard count <= most else { throw APIProblem.tooLarge(most) }
            let isWritten = piece.withUnsafeReadableBytes { bytes in
                digest.update(bufferPointer: bytes)
                return PrivateFile.writeAll(Array(bytes), to: file)
            }
            guard isWritten else { throw APIProblem.busy }
        }
        let hexadecimal = digest.finalize().map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        return (count, hexadecimal.joined())
    }

    deinit {
        unlink(path)
    }
}

extension APIProblem {
    static func tooLarge(_ most: Int) -> APIProblem {
        APIProblem(
            .contentTooLarge, "too-large", "Too much", "A recording may have \(most >> 20) MB (\(most) bytes) at most.")
    }
}
