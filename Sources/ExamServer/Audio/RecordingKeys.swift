import Foundation
import SystemSupport

extension AudioKey {
    /// An answer's recording. The digest is part of it, so other bytes for the same answer have another key: which of them count is
    /// decided by the store of rows alone, whoever was first there.
    init(recording answer: UUID, of session: UUID, user: UUID, sha256: String) {
        // 128 bits of the digest; the rest is compared where it is stored.
        self.init(user, session, "\(answer.name).\(sha256.lowercased().prefix(32))")
    }

    /// A resumable upload, whose pieces have keys of their own (`piece`); nothing lies under the key itself.
    init(resumable upload: UUID, of session: UUID, user: UUID) {
        self.init(user, session, "\(Self.resumable)\(upload.name)")
    }

    /// What a client puts there by an address. It may put other bytes there as long as the address is good, so this is never the
    /// recording itself.
    init(direct upload: UUID, of session: UUID, user: UUID) {
        self.init(user, session, "\(Self.direct)\(upload.name)")
    }

    var isResumable: Bool { name.hasPrefix(Self.resumable) }

    /// The id that `direct` was made of; nil where it was not.
    var directUpload: UUID? {
        name.hasPrefix(Self.direct) ? UUID(uuidString: String(name.dropFirst(Self.direct.count))) : nil
    }

    /// Whose it is.
    var user: UUID? { UUID(uuidString: String(text.prefix { $0 != "/" })) }

    /// A resumable upload's bytes from an offset on, as many as came at once.
    func piece(at offset: Int) -> AudioKey { AudioKey("\(text)-\(offset)")! }

    private static let resumable = "tus-"
    private static let direct = "direct-"

    private var name: Substring { text.split(separator: "/").last! }

    /// What the keys of a session's sound begin with.
    static func prefix(of session: UUID, user: UUID) -> String { "\(prefix(of: user))\(session.name)/" }

    /// What the keys of a user's sound begin with.
    static func prefix(of user: UUID) -> String { "\(user.name)/" }

    private init(_ user: UUID, _ session: UUID, _ name: String) {
        self = AudioKey(Self.prefix(of: session, user: user) + name)!
    }
}

extension AudioStore {
    /// Removes what lies under a key that a row had: also the pieces of an upload that was under way.
    public func remove(_ key: AudioKey) async throws(AudioStoreError) {
        guard key.isResumable else { return try await delete(key) }
        // From the last one on: who is interrupted finds the rest again from the first one.
        for piece in try await pieces(of: key).reversed() { try await delete(piece.key) }
    }

    /// The pieces of a resumable upload, each where the one before it ends.
    func pieces(of key: AudioKey) async throws(AudioStoreError) -> [(key: AudioKey, byteCount: Int)] {
        var (pieces, offset): ([(key: AudioKey, byteCount: Int)], Int) = ([], 0)
        while let byteCount = try await size(of: key.piece(at: offset)), byteCount > 0 {
            pieces.append((key.piece(at: offset), byteCount))
            offset += byteCount
        }
        return pieces
    }
}
