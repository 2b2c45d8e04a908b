public import SystemSupport

/// The credentials of a signed-in user: a token for requests, and one to get the next.
public struct Credentials: Codable, Equatable, Sendable {
    /// The URL of the project that issued them. They are sent to no other.
    public var project: String
    /// The user's id: `test_sessions.user_id`.
    public var user: String
    var accessToken: String
    /// Valid for one refresh, which returns the next one.
    var refreshToken: String
}

extension Credentials: CustomStringConvertible, CustomReflectable {
    /// A description without the tokens, since credentials often reach logs inside other values.
    public var description: String { "credentials of \(user) for \(project)" }
    public var customMirror: Mirror { Mirror(self, children: ["project": project, "user": user]) }
}

/// The store of credentials between two runs of a program.
public protocol CredentialStore: Sendable {
    /// Reads the credentials; nil if no one is signed in.
    func read() throws(Problem) -> Credentials?
    /// Replaces the credentials atomically. The new ones are on disk when this returns.
    func write(_ credentials: Credentials) throws(Problem)
    /// Removes the credentials for good. Does nothing if no one is signed in.
    func remove() throws(Problem)
    /// Keeps other users of the store from refreshing until the lock is released.
    ///
    /// - Throws: `Problem.occupied` if another program holds it for too long.
    func lock() async throws(Problem) -> CredentialLock
}

/// A lock on a store. Releasing this object ends it.
public final class CredentialLock: Sendable {
    private let end: @Sendable () -> Void

    public init(ending end: @escaping @Sendable () -> Void = {}) {
        self.end = end
    }

    deinit {
        end()
    }
}
