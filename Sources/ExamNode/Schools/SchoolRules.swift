package import ExamStore

/// The rules of a school: who may sign in, with what roles, and in which groups. This is the only place that decides
/// it.
package struct SchoolRules: Equatable, Sendable {
    /// A role for people whose claim has a value.
    package struct PersonRule: Codable, Equatable, Sendable {
        /// The claim's name. Nil for everyone who has an account at the school.
        package var claim: String?
        /// The value that the claim must have, or contain if it is a list.
        package var `is`: String?
        /// `learner`, `teacher` or `marker`.
        package var role: String

        package init(claim: String? = nil, is value: String? = nil, role: String) {
            (self.claim, self.is, self.role) = (claim, value, role)
        }
    }

    /// Groups from the values of a claim: one value, all that begin with a text, or all.
    package struct GroupRule: Codable, Equatable, Sendable {
        package var claim: String
        /// The only value that counts. It becomes `group`.
        package var `is`: String?
        /// The name of the group for that value.
        package var group: String?
        /// Only values that begin with this text count. The rest of the value is the group's name.
        package var begins: String?

        package init(claim: String, is value: String? = nil, group: String? = nil, begins: String? = nil) {
            (self.claim, self.is, self.group, self.begins) = (claim, value, group, begins)
        }
    }

    /// The school's id, with which the name of each of its groups begins (`elm:7b`). Two schools of a server may have
    /// a 7b, and the teacher of one must not see the learners of the other.
    package var school: String
    package var people: [PersonRule]
    package var groups: [GroupRule]
    /// Whether the server has other schools, too.
    package var isOneOfSeveral: Bool

    package init(school: String, people: [PersonRule], groups: [GroupRule] = [], isOneOfSeveral: Bool = false) {
        (self.school, self.people, self.groups, self.isOneOfSeveral) = (school, people, groups, isOneOfSeveral)
    }

    /// The rights of a person.
    package struct Admission: Equatable, Sendable {
        package var roles: Set<ClassMember.Role>
        package var groups: Set<String>
        /// The person's name. Nil if the school tells none that can be shown.
        package var name: String?
    }

    /// The reason why a person gets no rights.
    package enum Refusal: Error, Equatable, Sendable {
        /// No rule gives this person a role.
        case notAdmitted
        /// There are too many groups, or a group's name is empty, too long or contains control characters. Or a marker
        /// has no group on a server with several schools, and would be offered the exams of all of them.
        case groups
    }

    /// Decides about a person by the claims of their verified token.
    package func admit(_ claims: Claims) throws(Refusal) -> Admission {
        let roles = Set(people.filter { $0.fits(claims) }.compactMap { ClassMember.Role(rawValue: $0.role) })
        guard !roles.isEmpty else { throw .notAdmitted }
        let names = Set(self.groups.flatMap { $0.groups(of: claims) })
        let groups = Set(names.map { "\(school):\($0)" })
        guard !names.contains(""), GroupNames.areValid(groups) else { throw .groups }
        if isOneOfSeveral, roles.contains(.marker), groups.isEmpty { throw .groups }
        return Admission(roles: roles, groups: groups, name: Self.name(in: claims))
    }

    /// The maximum length of a name in characters.
    private static let longestName = 60

    private static func name(in claims: Claims) -> String? {
        for claim in ["name", "preferred_username"] {
            let shown = (claims.texts(claim).first ?? "").unicodeScalars.filter { !$0.isControl }
            let name = String(String.UnicodeScalarView(shown)).split(separator: " ").joined(separator: " ")
            if !name.isEmpty { return String(name.prefix(longestName)) }
        }
        return nil
    }
}

extension SchoolRules.PersonRule {
    fileprivate func fits(_ claims: Claims) -> Bool {
        guard let claim, let value = self.is else { return claim == nil && self.is == nil }
        return claims.texts(claim).contains(value)
    }
}

extension SchoolRules.GroupRule {
    fileprivate func groups(of claims: Claims) -> [String] {
        let values = claims.texts(claim)
        if let value = self.is { return values.contains(value) ? [group ?? value] : [] }
        guard let begins else { return values }
        return values.filter { $0.hasPrefix(begins) && $0 != begins }.map { String($0.dropFirst(begins.count)) }
    }
}

/// The names of groups that a token or a school may give.
package enum GroupNames {
    /// The maximum number of groups of a caller. More would make every database query long.
    package static let most = 100
    /// The maximum length of a group's name in characters.
    package static let longest = 100

    /// Returns whether there are not too many groups, and each name can be shown.
    package static func areValid(_ names: Set<String>) -> Bool {
        names.count <= most
            && names.allSatisfy { name in
                1...longest ~= name.count
                    && name.unicodeScalars.allSatisfy { !$0.isControl }
            }
    }
}
