public import Foundation

/// The caller of a request: the token's user, and permissions from the token for other users' data.
public struct Caller: Equatable, Sendable {
    /// The user: the token's `sub`.
    public var user: UUID
    /// The roles with permissions for other users' data. Empty for a learner.
    public var roles: Set<Role>
    /// The groups, with the school's own names: a learner is a member of them, a teacher teaches them, and a marker
    /// marks their exams.
    public var groups: Set<String>
    /// The expiry of the caller's token. Nil without a token.
    public var until: Date?

    public init(user: UUID, roles: Set<Role> = [], groups: Set<String> = [], until: Date? = nil) {
        self.user = user
        self.roles = roles
        self.groups = groups
        self.until = until
    }

    /// Groups whose teachers may read this caller's exams. Empty for teachers and markers: their own exams stay
    /// private. In development, the caller has every role.
    var groupsAsLearner: Set<String> {
        roles.isEmpty || self == SignIn.everybody ? groups : []
    }
}

/// A permission for exams of other users.
public enum Role: String, CaseIterable, Codable, Sendable {
    /// Hears and marks the answers assigned to them, without names.
    case marker
    /// Sees and hears the exams that members of their groups took as members.
    case teacher
    /// Reads results: a program of the school.
    case service
}

/// The claims for permissions: `oracy_roles` and `oracy_groups`, with one name or several. Unknown roles belong to
/// other programs and are ignored.
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
