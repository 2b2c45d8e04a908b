/// What a user is called (D1). The id is the user's.
public struct Profile: Codable, Equatable, Sendable {
    public var username: String?
    public var fullName: String?
    public var avatarURL: String?
    /// When it was last written, `2026-11-21T09:12:29Z`; the store's own, nil in what is to be written.
    public var updatedAt: String?

    public init(username: String? = nil, fullName: String? = nil, avatarURL: String? = nil) {
        self.username = username
        self.fullName = fullName
        self.avatarURL = avatarURL
    }
}
