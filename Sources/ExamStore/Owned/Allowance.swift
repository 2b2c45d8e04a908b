import Foundation

/// The limits of one user; nil for no limit. The transaction that adds something checks them, so a thousand concurrent
/// requests get no more than a thousand in sequence.
public struct Allowance: Equatable, Sendable {
    /// Bytes that are stored, or announced and still arriving.
    public var bytes: Int?
    public var sessions: Int?
    /// Sessions created since midnight, UTC, with the counted papers.
    public var sessionsToday: Int?
    public var counted: PaperFilter
    public var submissions: Int?

    public init(
        bytes: Int? = nil, sessions: Int? = nil, sessionsToday: Int? = nil, counting counted: PaperFilter = .all,
        submissions: Int? = nil
    ) {
        self.bytes = bytes
        self.sessions = sessions
        self.sessionsToday = sessionsToday
        self.counted = counted
        self.submissions = submissions
    }

    /// No limits.
    public static let any = Allowance()

    /// The limit that was exceeded.
    public enum Shortage: Sendable {
        case bytes, sessions, sessionsToday, submissions
    }
}

extension SQLConnection {
    /// Locks this user's allowance: other transactions that take from it wait until this one ends.
    func lockAllowance(of user: UUID) throws(StoreError) { _ = try rows("{allowance lock}", [user]) }

    /// Takes from a user's allowance. Until the transaction ends, no other transaction can add anything for this user.
    ///
    /// - Parameters:
    ///   - bytes: the bytes to add.
    ///   - count: the sessions or submissions to add.
    /// - Throws: `full` if a limit would be exceeded.
    func take(
        of user: UUID, within allowance: Allowance, bytes: Int = 0, count: Int = 0
    ) throws(StoreError) {
        guard allowance != .any else { return }
        try lockAllowance(of: user)
        let usage = try usage(of: user, counting: allowance.counted)
        let kinds: [(Allowance.Shortage, Int, Int?)] = [
            (.bytes, usage.bytes + bytes, allowance.bytes), (.sessions, usage.sessions + count, allowance.sessions),
            (.sessionsToday, usage.sessionsToday + count, allowance.sessionsToday),
            (.submissions, usage.submissions + count, allowance.submissions),
        ]
        for (shortage, wanted, most) in kinds {
            if let most, wanted > most { throw StoreError(.full(shortage), "a user has reached a limit") }
        }
    }

    /// - Parameter counted: the papers of the sessions that count as today's.
    func usage(of user: UUID, counting counted: PaperFilter) throws(StoreError) -> Usage {
        let (isCounted, papers) = counted.condition(on: "paper")
        let row = try first(
            """
            SELECT
              (SELECT count(*) FROM test_sessions WHERE user_id = ?) AS sessions,
              (SELECT count(*) FROM test_sessions WHERE user_id = ? AND created_at >= {today}
               AND \(isCounted)) AS today,
              (SELECT count(*) FROM responses r JOIN test_sessions s ON s.id = r.test_session_id
               WHERE s.user_id = ?) AS responses,
              (SELECT coalesce(sum(byte_count), 0) FROM recordings WHERE user_id = ?)
                + (SELECT coalesce(sum(byte_length), 0) FROM resumable_uploads
                   WHERE user_id = ? AND byte_offset < byte_length AND expires_at >= {now}) AS bytes,
              (SELECT count(*) FROM submissions WHERE user_id = ?) AS submissions
            """, [user, user] + papers + [user, user, user, user])!
        return Usage(
            sessions: try row.value("sessions"), sessionsToday: try row.value("today"),
            responses: try row.value("responses"), bytes: try row.value("bytes"),
            submissions: try row.value("submissions"))
    }
}
