package import Foundation
import SystemSupport

extension AudioKey {
    /// Creates the key of an answer's recording. It contains the digest, so that different bytes for the same answer
    /// have different keys. The database alone decides which of them counts, not the order of storing.
    package init(recording answer: UUID, of session: UUID, user: UUID, sha256: String) {
        // 128 bits of the digest. The rest is compared when storing.
        self.init(user, session, "\(answer.name).\(sha256.lowercased().prefix(32))")
    }

    /// Creates the key of a resumable upload. Its pieces have their own keys (`piece`), and there is no object under
    /// the key itself.
    package init(resumable upload: UUID, of session: UUID, user: UUID) {
        self.init(user, session, "\(Self.resumable)\(upload.name)")
    }

    /// Creates the key to which a client uploads directly. The client may replace the bytes as long as the address is
    /// valid, so this object never becomes the recording itself.
    package init(direct upload: UUID, of session: UUID, user: UUID) {
        self.init(user, session, "\(Self.direct)\(upload.name)")
    }

    package var isResumable: Bool { name.hasPrefix(Self.resumable) }

    /// The id from which `direct` made this key. Nil for other keys.
    package var directUpload: UUID? {
        name.hasPrefix(Self.direct) ? UUID(uuidString: String(name.dropFirst(Self.direct.count))) : nil
    }

    /// The id of the user.
    package var user: UUID? { UUID(uuidString: String(text.prefix { $0 != "/" })) }

    /// Returns the key of the piece of a resumable upload that begins at an offset.
    package func piece(at offset: Int) -> AudioKey { AudioKey("\(text)-\(offset)")! }

    private static let resumable = "tus-"
    private static let direct = "direct-"

    private var name: Substring { text.split(separator: "/").last! }

    /// The prefix of the keys of a session's sound.
    package static func prefix(of session: UUID, user: UUID) -> String { "\(prefix(of: user))\(session.name)/" }

    /// The prefix of the keys of a user's sound.
    package static func prefix(of user: UUID) -> String { "\(user.name)/" }

    private init(_ user: UUID, _ session: UUID, _ name: String) {
        self = AudioKey(Self.prefix(of: session, user: user) + name)!
    }
}

extension AudioStore {
    /// Deletes a key's object, or all pieces if it is the key of a resumable upload.
    public func remove(_ key: AudioKey) async throws(AudioStoreError) {
        guard key.isResumable else { return try await delete(key) }
        // Starts with the last piece: after an interruption the rest can be found again from the first one.
        for piece in try await pieces(of: key).reversed() { try await delete(piece.key) }
    }

    /// Returns the pieces of a resumable upload, each of which begins at the end of the one before.
    package func pieces(of key: AudioKey) async throws(AudioStoreError) -> [(key: AudioKey, byteCount: Int)] {
        var (pieces, offset): ([(key: AudioKey, byteCount: Int)], Int) = ([], 0)
        while let byteCount = try await size(of: key.piece(at: offset)), byteCount > 0 {
            pieces.append((key.piece(at: offset), byteCount))
            offset += byteCount
        }
        return pieces
    }
}
