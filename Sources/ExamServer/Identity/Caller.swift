public import Foundation

/// Who asks: the user whose token it is, and what that token says they may do beside what is their own.
public struct Caller: Equatable, Sendable {
    /// The token's `sub`.
    public var user: UUID
    /// What they may do for others; empty for a learner.
    public var roles: Set<Role>
    /// Whose member they are, by names of the school's own; for a teacher those that they teach, for a marker those that they mark.
    public var groups: Set<String>
    /// When their token's time is over; nil where they have none.
    public var until: Date?

    public init(user: UUID, roles: Set<Role> = [], groups: Set<String> = [], until: Date? = nil) {
        self.user = user
        self.roles = roles
        self.groups = groups
        self.until = until
    }

    /// Whose teachers may see what they sit: a teacher's own exams, or a marker's, are nobody's but theirs; in development everybody is all of it.
    var groupsAsLearner: Set<String> {
        roles.isEmpty || self == SignIn.everybody ? groups : []
    }

    /// Groups that one token may name: more would make every question to the database long.
    static let mostGroups = 100
    /// Characters of a group's name.
    static let longestGroup = 100
}

/// What somebody may do with exams that others sat.
public enum Role: String, CaseIterable, Codable, Sendable {
    /// Hears and marks the answers that were given to them, without names.
    case marker
    /// Sees and hears what members of their groups sat as such.
    case teacher
    /// Reads results: a program of the school's.
    case service
}

/// The claims that say it: `oracy_roles` and `oracy_groups`, one name or several. Names of roles that are none here are other programs'.
struct RoleClaims: Decodable {
    var roles: Set<Role>
    var groups: Set<String>

    private enum CodingKeys: String, CodingKey {
        case roles = "oracy_roles"
        case groups = "oracy_groups"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        roles = Set(try fields.names(.roles).compactMap(Role.init))
        groups = Set(try fields.names(.groups))
    }
}

extension KeyedDecodingContainer {
    fileprivate func names(_ key: Key) throws -> [String] {
        if let name = try? decodeIfPresent(String.self, forKey: key) { return [name] }
        return try decodeIfPresent([String].self, forKey: key) ?? []
    }
}
