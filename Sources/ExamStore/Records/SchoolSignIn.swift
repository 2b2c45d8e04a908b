public import Foundation

/// A person whom a school's own sign-in service has named, with the rights that the school's rules gave them then.
public struct SchoolPerson: Equatable, Sendable {
    /// The user, made from the service's issuer and the person's subject there.
    public var user: UUID
    /// The school's id in the settings of this server.
    public var school: String
    /// The name for teachers, which becomes the profile's if the user has none. Nil if the school tells none.
    public var name: String?
    /// The roles. A learner has no other one.
    public var roles: Set<ClassMember.Role>
    public var groups: Set<String>

    public init(
        user: UUID, school: String, name: String? = nil, roles: Set<ClassMember.Role>, groups: Set<String>
    ) {
        (self.user, self.school, self.name, self.roles, self.groups) = (user, school, name, roles, groups)
    }
}

/// A browser in which a person is signed in by their school.
public struct SchoolSignIn: Equatable, Sendable {
    /// The person, without the name.
    public var person: SchoolPerson
    /// The moment at which the sign-in ends.
    public var until: Date
}

/// A sign-in at a school that a browser has begun, until the school sends the browser back.
public struct SchoolAttempt: Equatable, Sendable {
    /// The digest of the secret in the school's answer (`state`).
    public var stateHash: String
    /// The digest of the secret in the browser's cookie.
    public var browserHash: String
    /// The school's id in the settings of this server.
    public var school: String
    /// The text that the school's token must repeat.
    public var nonce: String
    /// The secret that proves to the school that the same server asks (RFC 7636, `code_verifier`).
    public var verifier: String
    /// The moment at which the attempt ends.
    public var until: Date

    public init(
        stateHash: String, browserHash: String, school: String, nonce: String, verifier: String, until: Date
    ) {
        (self.stateHash, self.browserHash, self.school) = (stateHash, browserHash, school)
        (self.nonce, self.verifier, self.until) = (nonce, verifier, until)
    }
}
