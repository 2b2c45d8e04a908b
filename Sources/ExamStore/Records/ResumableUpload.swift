public import Foundation

/// An upload that may be broken off and gone on with (TUS 1.0).
public struct ResumableUpload: Codable, Equatable, Identifiable, Sendable {
    public var id: UUID
    /// The session it belongs to, where it says so: erased with it.
    public var session: UUID?
    /// How many bytes it has; nil while its client has not said.
    public var length: Int?
    /// How many are here.
    public var offset: Int
    /// `Upload-Metadata` as it was sent.
    public var metadata: String
    /// Where the bytes lie.
    public var key: String
    /// `2026-11-21T09:12:29Z`; then it may be thrown away.
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
