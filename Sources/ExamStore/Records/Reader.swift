public import Foundation

/// Somebody who reads what is another's, and by which right; every such reading is a line of the audit log (`ServiceStore.note`).
public struct Reader: Equatable, Sendable {
    /// By which right they read.
    public enum Right: Equatable, Sendable {
        /// What members of these groups sat as such, and the members' names.
        case teacher(of: Set<String>)
        /// What was given to them to mark, without a name.
        case marker
        /// What is known of any session, without its recordings.
        case service

        /// As the audit log and the database's policies call it.
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

    /// Between names of groups: a control character, which no name has.
    private static let separator = "\u{1F}"

    /// The groups as one text, which row-level security takes apart.
    var groups: String {
        guard case .teacher(let groups) = right else { return "" }
        return groups.sorted().joined(separator: Self.separator)
    }

    /// Groups as one text in which each stands between two separators: what `{position}` looks into.
    static func list(_ groups: Set<String>) -> String {
        separator + groups.sorted().map { $0 + separator }.joined()
    }

    /// SQL that is true of the sessions that they may read, and its values.
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

/// A line of the audit log: somebody read what is another's.
public struct Reading: Equatable, Sendable {
    /// ISO 8601 in UTC.
    public var at: String
    public var session: UUID
    /// `teacher`, `marker` or `service`.
    public var role: String
    /// `results`, `recording part1_q3` …
    public var what: String
}
