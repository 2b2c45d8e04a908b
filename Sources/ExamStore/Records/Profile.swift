/// What a user says of themselves (D1). All of it may be absent.
public struct Profile: Codable, Equatable, Sendable {
    public var username: String?
    public var fullName: String?
    /// Where the picture lies: the object's key (`avatar_url`); the store's own, nil in what is to be written.
    public var picture: String?
    /// `2026-11-21T09:12:29Z`; the store's own, nil in what is to be written.
    public var updatedAt: String?

    public init(username: String? = nil, fullName: String? = nil) {
        self.username = username
        self.fullName = fullName
    }
}
