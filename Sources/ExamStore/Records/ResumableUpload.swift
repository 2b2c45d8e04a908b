public import Foundation

/// An upload that can be interrupted and continued (TUS 1.0).
public struct ResumableUpload: Codable, Equatable, Identifiable, Sendable {
    public var id: UUID
    /// The session to which it belongs, if it states one. The upload is erased with the session.
    public var session: UUID?
    /// The total number of bytes. Nil until the client has stated it.
    public var length: Int?
    /// The number of bytes received.
    public var offset: Int
    /// `Upload-Metadata` as it was sent.
    public var metadata: String
    /// The key of the object with the bytes.
    public var key: String
    /// `2026-11-21T09:12:29Z`. From then on the upload may be discarded.
    public var expiresAt: String

    public init(
        id: UUID, session: UUID? = nil, length: Int?, offset: Int = 0, metadata: String, key: String, expiresAt: String
    ) {
        self.id = id
        self.session = session
        self.length = length
        self.offset = offset
        self.metadata = metadata
        self.key = key
        self.expiresAt = expiresAt
    }
}
