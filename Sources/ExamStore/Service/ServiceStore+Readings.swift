public import Foundation
import SystemSupport

/// Reading another user's data, and the audit log of it.
extension ServiceStore {
    /// The days for which lines of the audit log are kept: a year, and a month to ask about it.
    public static let readingDays = 400

    /// Returns the rows of a session's owner as far as a reader may read them. Nil if there is no such session, or the
    /// reader may not read it.
    ///
    /// Before reading, write a line to the audit log with `note`.
    public func reading(_ session: UUID, by reader: Reader) async throws(StoreError) -> OwnedStore? {
        let (mayRead, values) = reader.condition(on: "test_sessions.id")
        let owner: UUID? = try await database.transaction(.read, as: .reader(reader)) { connection in
            try connection.first(
                "SELECT user_id FROM test_sessions WHERE id = ? AND \(mayRead)", [session] + values)?.value("user_id")
        }
        return owner.map { owner in
            var owned = OwnedStore(user: owner, wishes: .init(assessor: "none"), database: database)
            owned.reader = reader
            return owned
        }
    }

    /// Writes to the audit log that a part of some sessions is about to be read.
    ///
    /// - Parameter what: `results`, `recording part1_q3`: Oracy's own words and names of answers.
    public func note(
        reading what: String, of sessions: [(id: UUID, owner: UUID)], by reader: Reader
    ) async throws(StoreError) {
        let rows = sessions.map {
            [UUID(), reader.user, reader.right.name, $0.owner, $0.id, what] as [any SQLParameter]
        }
        try await write { connection in
            for row in rows {
                try connection.change(
                    "INSERT INTO readings (id, read_at, reader, role, owner, session, what) VALUES (?, {now}, ?, ?, ?, ?, ?)",
                    row)
            }
        }
    }

    /// Writes to the audit log that a list names some sessions. Since readers open a list often, each reader and
    /// session gets only one line.
    ///
    /// - Returns: the sessions with a new line.
    public func noteOnce(
        reading what: String, of sessions: [(id: UUID, owner: UUID)], by reader: Reader
    ) async throws(StoreError) -> [(id: UUID, owner: UUID)] {
        if sessions.isEmpty { return [] }
        let owners = Set(sessions.map(\.owner))
        let known = try await read { connection in
            var known: Set<UUID> = []
            for owner in owners {
                for row in try connection.rows(
                    "SELECT session FROM readings WHERE owner = ? AND reader = ? AND what = ?",
                    [owner, reader.user, what])
                {
                    known.insert(try row.value("session"))
                }
            }
            return known
        }
        let new = sessions.filter { !known.contains($0.id) }
        if !new.isEmpty { try await note(reading: what, of: new, by: reader) }
        return new
    }

    /// Removes expired lines of the audit log.
    public func removeOldReadings() async throws(StoreError) {
        let moment = try UTCTime(Self.moment(daysAgo: Self.readingDays))
        try await write { connection in
            _ = try connection.change("DELETE FROM readings WHERE read_at < ?", [moment])
        }
    }

    static func moment(daysAgo days: Int) -> String {
        WallTime(secondsSince1970: WallTime.now.secondsSince1970 - days * 86_400).utc
    }
}

/// A session in a group, with its user.
public struct GroupSession: Sendable {
    public var session: TestSession
    public var user: UUID
    public var profile: Profile
}

extension ServiceStore {
    /// Returns a page of a group's sessions, newest first.
    ///
    /// - Parameters:
    ///   - reader: a teacher, who sees only sessions of their groups.
    ///   - limit: 1 or more.
    ///   - before: the end of the previous page. Nil for the first page.
    ///   - papers: only sessions with papers that pass this filter are returned.
    public func sessions(
        in group: String, by reader: Reader, limit: Int, before place: PageCursor? = nil, papers: PaperFilter = .all
    ) async throws(StoreError) -> [GroupSession] {
        let (right, wanted) = (reader.condition(on: "test_sessions.id"), papers.condition(on: "paper"))
        let (conditions, values) = ("\(right.0) AND \(wanted.0)", right.1 + wanted.1)
        return try await database.transaction(.read, as: .reader(reader)) { connection in
            let isBefore = place == nil ? "TRUE" : "(started_at, id) < (?, ?)"
            let rows = try connection.rows(
                """
                SELECT user_id, \(TestSession.columns(for: reader)) FROM test_sessions
                WHERE EXISTS (SELECT 1 FROM session_groups o WHERE o.test_session_id = test_sessions.id AND o.group_name = ?)
                  AND \(conditions) AND \(isBefore) ORDER BY started_at DESC, id DESC LIMIT ?
                """, [group] + values + (try place.map { [try UTCTime($0.startedAt), $0.id] } ?? []) + [limit])
            var profiles: [UUID: Profile] = [:]
            return try rows.map { row in
                let user: UUID = try row.value("user_id")
                if profiles[user] == nil { profiles[user] = try connection.profile(of: user) }
                return GroupSession(session: try TestSession(row), user: user, profile: profiles[user] ?? Profile())
            }
        }
    }
}

extension OwnedStore {
    /// Returns other people's readings of this user's sessions, latest first.
    public func readings(limit: Int) async throws(StoreError) -> [Reading] {
        let user = user
        return try await read { connection in
            try connection.rows(
                "SELECT read_at, session, role, what FROM readings WHERE owner = ? ORDER BY read_at DESC, id LIMIT ?",
                [user, limit]
            ).map {
                Reading(
                    at: try $0.value("read_at"), session: try $0.value("session"), role: try $0.value("role"),
                    what: try $0.value("what"))
            }
        }
    }
}
