public import Foundation

/// A class: learners with a teacher, who sign in with accounts of this server.
public struct SchoolClass: Equatable, Sendable {
    public var id: UUID
    /// The name, which is also the group of its members. No other class has it.
    public var name: String
    /// The code with which learners join.
    public var code: String

    public init(id: UUID, name: String, code: String) {
        (self.id, self.name, self.code) = (id, name, code)
    }
}

/// A member of a class. The id is the user's.
public struct ClassMember: Equatable, Sendable {
    /// A member's role in the class.
    public enum Role: String, Sendable, CaseIterable {
        case learner, teacher, marker
    }

    public var id: UUID
    public var name: String
    public var role: Role
    /// The moment of joining, in UTC. Empty until the store has set it.
    public var joinedAt: String

    public init(id: UUID, name: String, role: Role, joinedAt: String = "") {
        (self.id, self.name, self.role, self.joinedAt) = (id, name, role, joinedAt)
    }

    /// Returns the form in which names are compared: "ann lee" for " Ann  LEE".
    public static func key(of name: String) -> String {
        name.precomposedStringWithCompatibilityMapping.lowercased()
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    static let columns = "id, name, role, joined_at"

    init(_ row: SQLRow) throws(StoreError) {
        id = try row.value("id")
        name = try row.value("name")
        joinedAt = try row.value("joined_at")
        let role: String = try row.value("role")
        guard let known = Role(rawValue: role) else {
            throw StoreError(.unusable, "a member of a class has an unknown role")
        }
        self.role = known
    }
}

/// A member who is signed in, as found by the token of their browser.
public struct SignedInMember: Equatable, Sendable {
    public var member: ClassMember
    /// The name of the member's class.
    public var className: String
    /// The moments at which this token was made and expires.
    public var begun, until: Date
}
