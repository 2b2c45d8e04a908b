public import Foundation

/// Classes and their members.
extension ServiceStore {
    /// The outcome of joining a class.
    public enum Joining: Equatable, Sendable {
        case joined
        /// Another member of the class has this name.
        case nameTaken
        /// The class has as many members as it may.
        case full
        /// There is no such class any more.
        case noClass
    }

    /// Makes a class.
    ///
    /// - Returns: false if there is a class of this name or code. Then nothing is changed.
    public func make(_ made: SchoolClass) async throws(StoreError) -> Bool {
        try await write { connection in
            try connection.change(
                "INSERT INTO classes (id, name, code, created_at) VALUES (?, ?, ?, {now}) ON CONFLICT DO NOTHING",
                [made.id, made.name, made.code]) == 1
        }
    }

    /// Returns the class that a code opens. Nil if none has it.
    public func schoolClass(code: String) async throws(StoreError) -> SchoolClass? {
        try await oneClass("code = ?", code)
    }

    /// Returns a class by its name. Nil if no class has it.
    public func schoolClass(named name: String) async throws(StoreError) -> SchoolClass? {
        try await oneClass("name = ?", name)
    }

    /// Returns the class of a member. Nil if the user is in none.
    public func schoolClass(of member: UUID) async throws(StoreError) -> SchoolClass? {
        try await oneClass("id = (SELECT class_id FROM class_members WHERE id = ?)", member)
    }

    private func oneClass(_ condition: String, _ value: any SQLParameter) async throws(StoreError) -> SchoolClass? {
        try await read { connection in
            try connection.first("SELECT id, name, code FROM classes WHERE \(condition)", [value]).map { row in
                SchoolClass(id: try row.value("id"), name: try row.value("name"), code: try row.value("code"))
            }
        }
    }

    /// Replaces the code of a class. The earlier code opens nothing any more.
    ///
    /// - Returns: false if another class has this code.
    public func put(code: String, of schoolClass: UUID) async throws(StoreError) -> Bool {
        try await write { connection in
            try connection.change(
                """
                UPDATE classes SET code = ? WHERE id = ? AND NOT EXISTS (SELECT 1 FROM classes c WHERE c.code = ?)
                """, [code, schoolClass, code]) == 1
        }
    }

    /// Adds a member to a class, and the member's name to their profile.
    ///
    /// - Parameters:
    ///   - pinHash: nil for a member who signs in with links.
    ///   - limit: the maximum number of members of a class.
    public func add(
        _ member: ClassMember, to schoolClass: UUID, pinHash: String?, limit: Int
    ) async throws(StoreError) -> Joining {
        try await write { connection in
            // Locked, so that two who join at the same time are counted one after the other.
            guard try connection.first("SELECT id FROM classes WHERE id = ? {lock}", [schoolClass]) != nil else {
                return .noClass
            }
            let key = ClassMember.key(of: member.name)
            let same = "SELECT 1 AS one FROM class_members WHERE class_id = ? AND name_key = ?"
            if try connection.first(same, [schoolClass, key]) != nil { return .nameTaken }
            let count: Int = try connection.first(
                "SELECT count(*) AS count FROM class_members WHERE class_id = ?", [schoolClass])!.value("count")
            guard count < limit else { return .full }
            try connection.change(
                """
                INSERT INTO class_members (id, class_id, name, name_key, role, pin_hash, joined_at)
                VALUES (?, ?, ?, ?, ?, ?, {now})
                """, [member.id, schoolClass, member.name, key, member.role.rawValue, pinHash])
            try connection.change(
                "INSERT INTO profiles (id, username, updated_at) VALUES (?, ?, {now}) ON CONFLICT DO NOTHING",
                [member.id, member.name])
            return .joined
        }
    }

    /// Returns the members of a class, in the order of their names.
    public func members(of schoolClass: UUID) async throws(StoreError) -> [ClassMember] {
        try await read { connection in
            try connection.rows(
                "SELECT \(ClassMember.columns) FROM class_members WHERE class_id = ? ORDER BY name_key", [schoolClass]
            ).map(ClassMember.init)
        }
    }

    /// Returns a member by their name, with the hash of their PIN. Nil if the class has no such member.
    public func member(
        named name: String, of schoolClass: UUID
    ) async throws(StoreError) -> (member: ClassMember, pinHash: String?)? {
        let found = try await read { connection in
            try connection.first(
                "SELECT \(ClassMember.columns), pin_hash FROM class_members WHERE class_id = ? AND name_key = ?",
                [schoolClass, ClassMember.key(of: name)]
            ).map { row in NamedMember(member: try ClassMember(row), pinHash: try row.optional("pin_hash")) }
        }
        return found.map { ($0.member, $0.pinHash) }
    }

    private struct NamedMember: Sendable {
        var member: ClassMember
        var pinHash: String?
    }

    /// Replaces a learner's PIN, and signs the learner out everywhere.
    ///
    /// - Returns: false if the class has no such learner.
    public func put(pinHash: String, ofLearner id: UUID, in schoolClass: UUID) async throws(StoreError) -> Bool {
        try await write { connection in
            let changed = try connection.change(
                "UPDATE class_members SET pin_hash = ? WHERE id = ? AND class_id = ? AND role = 'learner'",
                [pinHash, id, schoolClass])
            guard changed == 1 else { return false }
            try connection.change("DELETE FROM class_sign_ins WHERE user_id = ?", [id])
            return true
        }
    }

    /// Replaces the PIN of a member who knows it, and signs the member out everywhere.
    ///
    /// - Parameter known: the hash of the PIN that the member typed.
    /// - Returns: false if the member has another PIN by now, or is in no class any more.
    public func put(pinHash: String, of id: UUID, replacing known: String) async throws(StoreError) -> Bool {
        try await write { connection in
            let changed = try connection.change(
                "UPDATE class_members SET pin_hash = ? WHERE id = ? AND pin_hash = ?", [pinHash, id, known])
            guard changed == 1 else { return false }
            try connection.change("DELETE FROM class_sign_ins WHERE user_id = ?", [id])
            return true
        }
    }

    /// Removes a learner from a class, and signs them out everywhere. Their exams stay until they are erased.
    ///
    /// - Returns: false if the class has no such learner.
    public func remove(learner id: UUID, from schoolClass: UUID) async throws(StoreError) -> Bool {
        try await write { connection in
            try connection.change(
                "DELETE FROM class_members WHERE id = ? AND class_id = ? AND role = 'learner'", [id, schoolClass]) == 1
        }
    }
}
