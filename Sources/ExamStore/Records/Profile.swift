/// A user's own data. All fields may be absent.
public struct Profile: Codable, Equatable, Sendable {
    public var username: String?
    public var fullName: String?
    /// The object key of the picture (`avatar_url`). The store sets it. Nil in a value to be written.
    public var picture: String?
    /// `2026-11-21T09:12:29Z`. The store sets it. Nil in a value to be written.
    public var updatedAt: String?

    public init(username: String? = nil, fullName: String? = nil) {
        self.username = username
        self.fullName = fullName
    }
}
