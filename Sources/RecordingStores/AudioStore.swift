public import Foundation
import SystemSupport

/// Storage for recordings: a folder, or a service with the S3 interface.
///
/// Keys are `AudioKey`s, so that a client's text never becomes a path. Every write can be repeated. Writing the same
/// bytes again changes nothing. Any thread may call it.
public protocol AudioStore: Sendable {
    /// Stores a file under a key, completely or not at all. It is on disk when the call returns.
    ///
    /// - Parameters:
    ///   - sha256: the file's digest, 64 digits. Other bytes are not stored.
    /// - Throws: `AudioStoreError`: `differs` if the file has another digest, or the key already has other bytes,
    ///   `unavailable`.
    func put(_ path: String, as key: AudioKey, sha256: String, mediaType: String) async throws(AudioStoreError)

    /// Returns the bytes of a range, or all for nil, in pieces of at most 64 KiB as they are read.
    ///
    /// - Throws: `AudioStoreError`: `missing`, `unavailable`.
    func read(_ key: AudioKey, range: Range<Int>?) async throws(AudioStoreError) -> AsyncThrowingStream<
        [UInt8], any Error
    >

    /// Returns the number of bytes. Nil if there is no object.
    func size(of key: AudioKey) async throws(AudioStoreError) -> Int?

    /// Deletes an object, if it exists.
    func delete(_ key: AudioKey) async throws(AudioStoreError)

    /// Returns all keys of a user's session, including objects that no row names.
    func keys(of session: UUID, user: UUID) async throws(AudioStoreError) -> [AudioKey]

    /// Returns the keys of all objects of a user, including those that no row names. Callers use it to check that
    /// nothing is left.
    func keys(of user: UUID) async throws(AudioStoreError) -> [AudioKey]

    /// Returns a temporary address to which a client may PUT these bytes itself; nil if the store has no such
    /// addresses.
    func uploadURL(for key: AudioKey, mediaType: String, seconds: Int) -> String?

    /// Checks the storage, for `/ready`.
    ///
    /// - Throws: `AudioStoreError.unavailable`.
    func ping() async throws(AudioStoreError)
}

/// A key `<user>/<session>/<name>`: ids in lower case, and a name of letters, digits, `_`, `-` and `.` that does not
/// begin with a dot.
public struct AudioKey: Hashable, Sendable, CustomStringConvertible {
    /// The key as text.
    public let text: String

    /// Reads a key. Nil if the text is not a valid key.
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

/// The reason why a recording cannot be stored or read.
public struct AudioStoreError: Error, Equatable, Sendable {
    /// The kind of error.
    public enum Kind: Sendable {
        /// There is no such recording.
        case missing
        /// The bytes are not those announced, or the key has other bytes.
        case differs
        /// The store is unavailable. The same call may succeed later.
        case unavailable
    }

    /// The kind of error.
    public var kind: Kind
    /// The message for an operator, without secrets.
    public var message: String

    /// Creates an error.
    ///
    /// - Parameter message: for an operator, without secrets.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}

extension AudioStore {
    /// Returns all bytes of an object in memory, for a picture or a single answer.
    ///
    /// - Throws: the errors of `read`.
    package func bytes(of key: AudioKey) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in try await read(key, range: nil) { bytes += piece }
        return bytes
    }

    /// Reads an object to its end.
    ///
    /// - Parameter each: receives the object piece by piece.
    /// - Returns: the object's length and digest.
    /// - Throws: the errors of `read` and of `each`.
    package func digest(
        of key: AudioKey, each: ([UInt8]) async throws -> Void = { _ in }
    ) async throws -> (byteCount: Int, sha256: String) {
        var byteCount = 0
        var digest = SHA256()
        for try await piece in try await read(key, range: nil) {
            piece.withUnsafeBytes { digest.update($0) }
            byteCount += piece.count
            try await each(piece)
        }
        // The stream of a cancelled task ends early, as if the object were shorter.
        try Task.checkCancellation()
        return (byteCount, digest.hexadecimal())
    }

    /// Removes all objects of a session, even those that no row names. Does nothing if the session has no objects.
    package func removeAll(of session: UUID, user: UUID) async throws(AudioStoreError) {
        for key in try await keys(of: session, user: user) { try await delete(key) }
    }

    /// Stores, reads and deletes a small test object, to check whether the keys allow all three.
    ///
    /// - Parameter folder: the folder for a temporary file.
    package func tryOut(in folder: String) async throws {
        let (path, bytes) = ("\(folder)/oracy-check-\(UUID().name)", Array("check\n".utf8))
        try PrivateFile.replace(path, with: bytes)
        defer { try? FileManager.default.removeItem(atPath: path) }
        // A new id, so that it cannot collide with existing objects.
        guard let key = AudioKey("check/\(UUID().name)/check") else { return }
        try await put(path, as: key, sha256: SHA256.hexadecimal(of: bytes), mediaType: "text/plain")
        let read = try await self.bytes(of: key)
        try await delete(key)
        guard read == bytes else {
            throw AudioStoreError(.unavailable, "the storage gave back other bytes than it took")
        }
    }
}
