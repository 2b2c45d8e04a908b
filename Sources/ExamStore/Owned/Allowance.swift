import Foundation

/// How much one user may have. It is asked for in the transaction that adds to it, so that a thousand requests at once come to no more than
/// one after the other. nil: any.
public struct Allowance: Equatable, Sendable {
    /// Bytes that are stored, or on their way with a length that was announced.
    public var bytes: Int?
    public var sessions: Int?
    /// Sessions that were made since midnight, UTC.
    public var sessionsToday: Int?
    public var submissions: Int?

    public init(bytes: Int? = nil, sessions: Int? = nil, sessionsToday: Int? = nil, submissions: Int? = nil) {
        self.bytes = bytes
        self.sessions = sessions
        self.sessionsToday = sessionsToday
        self.submissions = submissions
    }

    /// Asks for nothing.
    public static let any = Allowance()

    /// What there is too much of.
    public enum Shortage: Sendable {
        case bytes, sessions, sessionsToday, submissions
    }
}

extension SQLConnection {
    /// Makes other transactions wait that take something of this user's allowance, until this one ends.
    func lockAllowance(of user: UUID) throws(StoreError) { _ = try rows("{allowance lock}", [user]) }

    /// Takes something of a user's allowance. What is added in the same transaction is the only thing that is added meanwhile.
    ///
    /// - Parameters:
    ///   - bytes: that are added.
    ///   - count: of sessions or submissions that are added.
    /// - Throws: `full`.
    func take(
        of user: UUID, within allowance: Allowance, bytes: Int = 0, count: Int = 0
    ) throws(StoreError) {
        guard allowance != .any else { return }
        try lockAllowance(of: user)
        let usage = try usage(of: user)
        let kinds: [(Allowance.Shortage, Int, Int?)] = [
            (.bytes, usage.bytes + bytes, allowance.bytes), (.sessions, usage.sessions + count, allowance.sessions),
            (.sessionsToday, usage.sessionsToday + count, allowance.sessionsToday),
            (.submissions, usage.submissions + count, allowance.submissions),
        ]
        for (shortage, wanted, most) in kinds {
            if let most, wanted > most { throw StoreError(.full(shortage), "a user has as much as they may") }
        }
    }

    func usage(of user: UUID) throws(StoreError) -> Usage {
        let row = try first(
            """
            SELECT
              (SELECT count(*) FROM test_sessions WHERE user_id = ?) AS sessions,
              (SELECT count(*) FROM test_sessions WHERE user_id = ? AND created_at >= {today}) AS today,
              (SELECT count(*) FROM responses r JOIN test_sessions s ON s.id = r.test_session_id
               WHERE s.user_id = ?) AS responses,
              (SELECT coalesce(sum(byte_count), 0) FROM recordings WHERE user_id = ?)
                + (SELECT coalesce(sum(byte_length), 0) FROM resumable_uploads
                   WHERE user_id = ? AND byte_offset < byte_length AND expires_at >= {now}) AS bytes,
              (SELECT count(*) FROM submissions WHERE user_id = ?) AS submissions
            """, [user, user, user, user, user, user])!
        return Usage(
            sessions: try row.value("sessions"), sessionsToday: try row.value("today"),
            responses: try row.value("responses"), bytes: try row.value("bytes"),
            submissions: try row.value("submissions"))
    }
}
