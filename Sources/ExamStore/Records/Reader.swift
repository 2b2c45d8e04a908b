public import Foundation

/// A person or service that reads another user's data, with the right to do so. Each reading adds a line to the audit
/// log (`ServiceStore.note`).
public struct Reader: Equatable, Sendable {
    /// The right to read.
    public enum Right: Equatable, Sendable {
        /// A teacher reads exams that members of these groups took as members, and the members' names.
        case teacher(of: Set<String>)
        /// A marker reads the exams given to them for marking, without names.
        case marker
        /// A service reads everything about any session except its recordings.
        case service

        /// The name in the audit log and in the database's policies.
        public var name: String {
            switch self {
            case .teacher: "teacher"
            case .marker: "marker"
            case .service: "service"
            }
        }
    }

    public var user: UUID
    public var right: Right

    public init(_ user: UUID, _ right: Right) {
        self.user = user
        self.right = right
    }

    /// The separator of group names: a control character, which no name contains.
    private static let separator = "\u{1F}"

    /// The groups as one text, which row-level security splits.
    var groups: String {
        guard case .teacher(let groups) = right else { return "" }
        return groups.sorted().joined(separator: Self.separator)
    }

    /// Returns groups as one text in which each is enclosed by separators, so that `{position}` can search it.
    static func list(_ groups: Set<String>) -> String {
        separator + groups.sorted().map { $0 + separator }.joined()
    }

    /// Returns SQL that is true for the sessions that the reader may read, with its values.
    ///
    /// - Parameter session: the column with the session's id.
    func condition(on session: String) -> (sql: String, values: [any SQLParameter]) {
        switch right {
        case .teacher(let groups):
            (
                """
                EXISTS (SELECT 1 FROM session_groups g WHERE g.test_session_id = \(session)
                  AND {position}(?, {separator} || g.group_name || {separator}) > 0)
                """, [Self.list(groups)]
            )
        case .marker:
            (
                "EXISTS (SELECT 1 FROM marking_places p WHERE p.test_session_id = \(session) AND p.marker = ?)", [user]
            )
        case .service: ("TRUE", [])
        }
    }
}

/// A line of the audit log: a reading of another user's data.
public struct Reading: Equatable, Sendable {
    /// The time in ISO 8601, UTC.
    public var at: String
    public var session: UUID
    /// `teacher`, `marker` or `service`.
    public var role: String
    /// The data that was read: `results`, `recording part1_q3` …
    public var what: String
}
