/// The configuration of accounts that a server keeps itself: members of classes, who sign in with their name and a PIN.
public struct ClassAccounts: Sendable {
    /// Whether browsers reach this server by https, directly or through a proxy. Otherwise their cookies travel
    /// unencrypted, which is acceptable only on one machine or for a trial.
    public var isEncrypted: Bool

    /// The cost of hashing a PIN.
    package var cost = PINHash.Cost.usual
    /// The limits on guessing.
    package var guessing = GuessLimits()

    /// The maximum number of members of a class.
    static let mostMembers = 200
    /// The maximum length of names of classes and members in characters.
    package static let longestName = 60
    /// The days after which a browser that is not used is signed out.
    static let days = 30.0
    /// The seconds after which a browser gets a new token.
    static let renewal = 86_400.0
    /// The seconds for which requests with a replaced token are still accepted, because they may be on their way.
    static let grace = 60.0

    /// Creates the configuration.
    public init(isEncrypted: Bool) { self.isEncrypted = isEncrypted }
}
