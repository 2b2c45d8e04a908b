public import Foundation
import SystemSupport

/// What somebody reads who is not the owner, and the audit log of it.
extension ServiceStore {
    /// How long lines of the audit log are kept, days: a year, and a month to ask about it.
    public static let readingDays = 400

    /// A session's owner's rows, as far as a reader may read them; nil where there is no such session, or it is not theirs to read.
    ///
    /// Nothing is read before its line is in the audit log: `note`.
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

    /// Writes into the audit log that something of sessions is about to be read.
    ///
    /// - Parameter what: `results`, `recording part1_q3`: words of ours and names of answers.
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

    /// Removes lines of the audit log that are older than they are kept.
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

/// A session in a group, and who sat it.
public struct GroupSession: Sendable {
    public var session: TestSession
    public var user: UUID
    public var profile: Profile
}

extension ServiceStore {
    /// A page of what was sat in a group, newest first.
    ///
    /// - Parameters:
    ///   - reader: a teacher; what is not of their groups is not there.
    ///   - limit: 1 or more.
    ///   - before: where the page before ended; nil for the first one.
    public func sessions(
        in group: String, by reader: Reader, limit: Int, before place: PageCursor? = nil
    ) async throws(StoreError) -> [GroupSession] {
        let (mayRead, values) = reader.condition(on: "test_sessions.id")
        return try await database.transaction(.read, as: .reader(reader)) { connection in
            let isBefore = place == nil ? "TRUE" : "(started_at, id) < (?, ?)"
            let rows = try connection.rows(
                """
                SELECT user_id, \(TestSession.columns(for: reader)) FROM test_sessions
                WHERE EXISTS (SELECT 1 FROM session_groups o WHERE o.test_session_id = test_sessions.id AND o.group_name = ?)
                  AND \(mayRead) AND \(isBefore) ORDER BY started_at DESC, id DESC LIMIT ?
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
    /// Who else read this user's sessions, the latest first.
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
