public import Foundation
import SystemSupport

/// Where recordings are kept: a folder, or storage that speaks S3.
///
/// Keys are `AudioKey`s, so that nothing a client says becomes a path. Every write can be repeated: the same bytes again are done
/// already. Any thread.
public protocol AudioStore: Sendable {
    /// Stores a file under a key, whole or not at all; on disk when it returns.
    ///
    /// - Parameters:
    ///   - sha256: of the file, 64 digits: other bytes are not stored.
    /// - Throws: `AudioStoreError`: `differs` where the file has another digest, or other bytes are there; `unavailable`.
    func put(_ path: String, as key: AudioKey, sha256: String, mediaType: String) async throws(AudioStoreError)

    /// The bytes of a range; nil for all. Pieces come as they are read, at most 64 KiB each.
    ///
    /// - Throws: `AudioStoreError`: `missing`, `unavailable`.
    func read(_ key: AudioKey, range: Range<Int>?) async throws(AudioStoreError) -> AsyncThrowingStream<
        [UInt8], any Error
    >

    /// How many bytes there are; nil where nothing is.
    func size(of key: AudioKey) async throws(AudioStoreError) -> Int?

    /// Removes what is under a key; done where nothing is.
    func delete(_ key: AudioKey) async throws(AudioStoreError)

    /// All that lies under a session of a user's, also what no row names.
    func keys(of session: UUID, user: UUID) async throws(AudioStoreError) -> [AudioKey]

    /// All that lies under a user, also what no row names: for looking whether anything is left.
    func keys(of user: UUID) async throws(AudioStoreError) -> [AudioKey]

    /// An address to which a client may PUT these bytes itself (C14), for a time; nil where the store has none.
    func uploadURL(for key: AudioKey, mediaType: String, seconds: Int) -> String?

    /// - Throws: `AudioStoreError.unavailable`: for `/ready`.
    func ping() async throws(AudioStoreError)
}

/// `<user>/<session>/<name>`: ids in lower case, and a name of letters, digits, `_`, `-` and `.` that does not begin with a dot.
public struct AudioKey: Hashable, Sendable, CustomStringConvertible {
    /// The key as stores have it.
    public let text: String

    /// nil where the text is no such key.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let isSafe = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.count <= 100 && part.first != "."
                && part.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                        true
                    default: false
                    }
                }
        }
        guard parts.count == 3, isSafe else { return nil }
        self.text = text
    }

    public var description: String { text }
}

/// Why a recording cannot be stored or read.
public struct AudioStoreError: Error, Equatable, Sendable {
    /// What to make of it.
    public enum Kind: Sendable {
        /// There is no such recording.
        case missing
        /// Its bytes are not those that were announced, or others lie under its key.
        case differs
        /// The store is away; the same again may well succeed.
        case unavailable
    }

    /// What to make of it.
    public var kind: Kind
    /// For an operator: no secrets.
    public var message: String

    /// - Parameter message: for an operator; no secrets.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}

extension AudioStore {
    /// All bytes of an object, in memory: of a picture, or of one answer.
    ///
    /// - Throws: as `read`.
    func bytes(of key: AudioKey) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in try await read(key, range: nil) { bytes += piece }
        return bytes
    }

    /// Reads an object to its end.
    ///
    /// - Parameter each: gets it, piece by piece.
    /// - Returns: how long it is, and its digest.
    /// - Throws: as `read`; what `each` throws.
    func digest(
        of key: AudioKey, each: ([UInt8]) async throws -> Void = { _ in }
    ) async throws -> (byteCount: Int, sha256: String) {
        var byteCount = 0
        var digest = SHA256()
        for try await piece in try await read(key, range: nil) {
            piece.withUnsafeBytes { digest.update($0) }
            byteCount += piece.count
            try await each(piece)
        }
        return (byteCount, digest.hexadecimal())
    }

    /// Stores, reads and removes a small test object, to see whether the keys allow all three.
    ///
    /// - Parameter folder: for a file that goes again.
    package func tryOut(in folder: String) async throws {
        let (path, bytes) = ("\(folder)/oracy-check-\(UUID().name)", Array("check\n".utf8))
        try PrivateFile.replace(path, with: bytes)
        defer { try? FileManager.default.removeItem(atPath: path) }
        // An id of its own: nobody else's bytes are there.
        guard let key = AudioKey("check/\(UUID().name)/check") else { return }
        try await put(path, as: key, sha256: SHA256.hexadecimal(of: bytes), mediaType: "text/plain")
        let read = try await self.bytes(of: key)
        try await delete(key)
        guard read == bytes else {
            throw AudioStoreError(.unavailable, "the storage gave back other bytes than it took")
        }
    }
}
