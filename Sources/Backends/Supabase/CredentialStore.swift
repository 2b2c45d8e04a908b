public import SystemSupport

/// What a signed-in user has: a token for requests, and one to get the next.
public struct Credentials: Codable, Equatable, Sendable {
    /// The URL of the project that gave them; they go to no other.
    public var project: String
    /// The user's id: `test_sessions.user_id`.
    public var user: String
    var accessToken: String
    /// Good for one refresh, which brings the next (wire-contracts 5).
    var refreshToken: String
}

extension Credentials: CustomStringConvertible, CustomReflectable {
    /// Without the tokens: credentials end up in logs by way of what holds them.
    public var description: String { "credentials of \(user) for \(project)" }
    public var customMirror: Mirror { Mirror(self, children: ["project": project, "user": user]) }
}

/// Where credentials lie between two runs of a program.
public protocol CredentialStore: Sendable {
    /// nil where nobody is signed in.
    func read() throws(Problem) -> Credentials?
    /// Replaces what is there: at every moment the old or the new ones are there, whole; the new ones for good when it returns.
    func write(_ credentials: Credentials) throws(Problem)
    /// Forgets them for good; nothing happens where there are none.
    func remove() throws(Problem)
    /// Keeps everybody else who shares the store from refreshing until the lock ends.
    ///
    /// - Throws: `Problem.occupied` where another program has it for too long.
    func lock() async throws(Problem) -> CredentialLock
}

/// A store that is held. It ends when it is let go of.
public final class CredentialLock: Sendable {
    private let end: @Sendable () -> Void

    public init(ending end: @escaping @Sendable () -> Void = {}) {
        self.end = end
    }

    deinit {
        end()
    }
}
