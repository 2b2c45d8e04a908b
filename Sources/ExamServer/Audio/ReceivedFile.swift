import Crypto
import ExamNode
import Foundation
import Glibc
import HTTPTypes
import NIOCore
import RecordingStores
import SystemSupport

/// Received bytes on disk whose use is not decided yet. The file has no name and disappears with its last reference,
/// even if the process is killed.
struct ReceivedFile: Sendable {
    private let file: Descriptor
    let byteCount: Int
    /// The SHA-256, 64 digits in lower case.
    let sha256: String
    /// The checksum by the requested algorithm.
    let checksum: [UInt8]?
    /// Whether all bytes arrived. If not, the connection broke, and no more will come.
    let isWhole: Bool

    /// Stores the bytes as a recording.
    func put(into audio: any AudioStore, as key: AudioKey, mediaType: String) async throws(AudioStoreError) {
        defer { withExtendedLifetime(file) {} }
        try await audio.put(path, as: key, sha256: sha256, mediaType: mediaType)
    }

    /// Runs blocking code with a path to the file that is valid during the call.
    func read<Value: Sendable>(_ body: @escaping @Sendable (String) -> Value) async -> Value {
        defer { withExtendedLifetime(file) {} }
        let path = path
        return await runBlocking { body(path) }
    }

    /// Returns the duration in the sound file's header. Nil if it has none or is unreadable.
    func length(by workers: SoundWorkers, for learner: UUID) async -> Duration? {
        defer { withExtendedLifetime(file) {} }
        // A worker process doesn't share this process's descriptors.
        let path = "/proc/\(getpid())/fd/\(file.number)"
        let found = try? await workers.perform(.length, on: path, byteCount: byteCount, for: learner).found
        return found?.milliseconds.map { .milliseconds($0) }
    }

    /// Valid only as long as this value lives: afterwards another file may have the number.
    private var path: String { "/proc/self/fd/\(file.number)" }

    /// Receives bytes to their end.
    ///
    /// - Parameters:
    ///   - body: the pieces of a request's body.
    ///   - limit: the maximum number of bytes.
    ///   - folder: the folder whose disk is used.
    ///   - algorithm: the algorithm of an additional digest.
    /// - Throws: `recording-too-large`, or `busy` if this disk fails.
    static func take<Body: AsyncSequence & Sendable>(
        _ body: Body, limit: Int, folder: String, algorithm: (any HashFunction & Sendable)? = nil
    ) async throws(APIProblem) -> ReceivedFile where Body.Element == ByteBuffer {
        var sink = try await Sink(folder: folder, algorithm: algorithm)
        var (pending, isWhole): ([UInt8], Bool) = ([], true)
        var iterator = body.makeAsyncIterator()
        while true {
            do {
                guard let piece = try await iterator.next() else { break }
                pending += piece.readableBytesView
            } catch {
                isWhole = false
                break
            }
            // Networks deliver about a kilobyte at a time. Larger writes are faster.
            if pending.count >= 1 << 18 {
                try await sink.write(pending, limit: limit)
                pending.removeAll(keepingCapacity: true)
            }
        }
        if !pending.isEmpty { try await sink.write(pending, limit: limit) }
        return sink.end(isWhole: isWhole)
    }

    /// Takes bytes that are complete.
    ///
    /// - Throws: `busy` if this disk fails.
    static func take(_ bytes: [UInt8], folder: String) async throws(APIProblem) -> ReceivedFile {
        var sink = try await Sink(folder: folder, algorithm: nil)
        if !bytes.isEmpty { try await sink.write(bytes, limit: bytes.count) }
        return sink.end(isWhole: true)
    }

    /// Concatenates objects.
    ///
    /// - Throws: `busy` if the store or this disk fails.
    static func take(
        _ keys: [AudioKey], from audio: any AudioStore, limit: Int, folder: String
    ) async throws(APIProblem) -> ReceivedFile {
        var sink = try await Sink(folder: folder, algorithm: nil)
        do {
            for key in keys {
                for try await piece in try await audio.read(key, range: nil) {
                    try await sink.write(piece, limit: limit)
                }
            }
        } catch {
            throw error as? APIProblem ?? .busy
        }
        return sink.end(isWhole: true)
    }

    private init(_ file: Descriptor, byteCount: Int, sha256: String, checksum: [UInt8]?, isWhole: Bool) {
        self.file = file
        self.byteCount = byteCount
        self.sha256 = sha256
        self.checksum = checksum
        self.isWhole = isWhole
    }

    private struct Sink {
        private let file: Descriptor
        private var byteCount = 0
        private var digest = Crypto.SHA256()
        private var algorithm: (any HashFunction & Sendable)?

        init(folder: String, algorithm: (any HashFunction & Sendable)?) async throws(APIProblem) {
            self.algorithm = algorithm
            let file = await runBlocking { () -> Descriptor? in
                try? PrivateFile.createFolder(folder)
                let path = "\(folder)/\(UUID().uuidString)"
                let number = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
                if number >= 0 { unlink(path) }
                return Descriptor(number)
            }
            guard let file else { throw .busy }
            self.file = file
        }

        mutating func write(_ bytes: [UInt8], limit: Int) async throws(APIProblem) {
            guard byteCount + bytes.count <= limit else { throw .tooLarge(limit: limit) }
            byteCount += bytes.count
            let (file, before, further) = (file, digest, algorithm)
            let written = await runBlocking { () -> (Crypto.SHA256, (any HashFunction & Sendable)?)? in
                var (digest, algorithm) = (before, further)
                bytes.withUnsafeBytes {
                    digest.update(bufferPointer: $0)
                    algorithm?.update(bufferPointer: $0)
                }
                return PrivateFile.writeAll(bytes, to: file.number) ? (digest, algorithm) : nil
            }
            guard let written else { throw .busy }
            (digest, algorithm) = written
        }

        func end(isWhole: Bool) -> ReceivedFile {
            ReceivedFile(
                file, byteCount: byteCount, sha256: digest.finalize().hexadecimal, checksum: algorithm?.digest,
                isWhole: isWhole)
        }
    }
}

extension HashFunction {
    fileprivate var digest: [UInt8] { Array(finalize()) }
}

extension APIProblem {
    static func tooLarge(limit: Int) -> APIProblem {
        APIProblem(
            .contentTooLarge, "recording-too-large", "Too large",
            "A recording can have at most \(String(format: "%.1f", Double(limit) / 1_048_576)) MB.")
    }
}
