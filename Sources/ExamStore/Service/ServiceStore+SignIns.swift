public import Foundation

/// The browsers in which members of classes are signed in. Tokens are stored as hashes only.
extension ServiceStore {
    /// Signs a member in. Expired tokens of all members are removed.
    ///
    /// - Parameters:
    ///   - ended: the hash of the same browser's earlier token, which becomes invalid.
    /// - Returns: false if the member was removed meanwhile.
    public func signIn(
        _ member: UUID, tokenHash: String, at now: Date, until: Date, ending ended: String?
    ) async throws(StoreError) -> Bool {
        try await write { connection in
            try connection.change(
                "DELETE FROM class_sign_ins WHERE until < ? OR token_hash = ?",
                [now.timeIntervalSince1970, ended ?? ""])
            return try connection.change(
                """
                INSERT INTO class_sign_ins (token_hash, user_id, begun, until)
                SELECT CAST(? AS TEXT), id, CAST(? AS {real}), CAST(? AS {real}) FROM class_members WHERE id = ?
                """, [tokenHash, now.timeIntervalSince1970, until.timeIntervalSince1970, member]) == 1
        }
    }

    /// Returns the member whom a token signs in. Nil if it is unknown or has expired.
    ///
    /// The first use of a token ends the token that it replaces. The replaced token stays valid for a few more seconds,
    /// for requests that are on their way.
    ///
    /// - Parameter grace: the seconds for which the replaced token stays valid.
    public func signedIn(
        tokenHash: String, at now: Date, grace: Double
    ) async throws(StoreError) -> SignedInMember? {
        let found = try await read { connection in
            try connection.first(
                """
                SELECT m.id, m.name, m.role, m.joined_at, c.name AS class_name, s.begun, s.until, s.replaces
                FROM class_sign_ins s JOIN class_members m ON m.id = s.user_id JOIN classes c ON c.id = m.class_id
                WHERE s.token_hash = ? AND s.until > ?
                """, [tokenHash, now.timeIntervalSince1970]
            ).map { row in
                Found(
                    signedIn: SignedInMember(
                        member: try ClassMember(row), className: try row.value("class_name"),
                        begun: Date(timeIntervalSince1970: try row.value("begun")),
                        until: Date(timeIntervalSince1970: try row.value("until"))),
                    replaces: try row.optional("replaces"))
            }
        }
        if let replaced = found?.replaces {
            let end = now.timeIntervalSince1970 + grace
            try await write { connection in
                try connection.change(
                    """
                    UPDATE class_sign_ins SET until = ?
                    WHERE (token_hash = ? OR replaces = ?) AND token_hash <> ? AND until > ?
                    """, [end, replaced, replaced, tokenHash, end])
                try connection.change(
                    "UPDATE class_sign_ins SET replaces = NULL WHERE token_hash = ?", [tokenHash])
            }
        }
        return found?.signedIn
    }

    private struct Found: Sendable {
        var signedIn: SignedInMember
        var replaces: String?
    }

    /// Adds a token that replaces another one as soon as it is used.
    ///
    /// - Returns: false if the other one is unknown or has expired.
    public func renew(
        tokenHash: String, by newHash: String, at now: Date, until: Date
    ) async throws(StoreError) -> Bool {
        try await write { connection in
            try connection.change(
                """
                INSERT INTO class_sign_ins (token_hash, user_id, begun, until, replaces)
                SELECT CAST(? AS TEXT), user_id, CAST(? AS {real}), CAST(? AS {real}), token_hash
                FROM class_sign_ins WHERE token_hash = ? AND until > ?
                """,
                [
                    newHash, now.timeIntervalSince1970, until.timeIntervalSince1970, tokenHash,
                    now.timeIntervalSince1970,
                ]) == 1
        }
    }

    /// Ends a token, with those that replace it or that it replaces.
    public func signOut(tokenHash: String) async throws(StoreError) {
        try await write { connection in
            _ = try connection.change(
                """
                DELETE FROM class_sign_ins WHERE token_hash = ? OR replaces = ?
                  OR token_hash = (SELECT s.replaces FROM class_sign_ins s WHERE s.token_hash = ?)
                """, [tokenHash, tokenHash, tokenHash])
        }
    }

    /// Ends all tokens of a member.
    public func signOutEverywhere(_ member: UUID) async throws(StoreError) {
        try await write { _ = try $0.change("DELETE FROM class_sign_ins WHERE user_id = ?", [member]) }
    }

    // MARK: Links

    /// Gives a member a link to sign in once, instead of any earlier link.
    ///
    /// - Returns: false if there is no such member.
    public func put(linkHash: String, until: Date, of member: UUID) async throws(StoreError) -> Bool {
        try await write { connection in
            try connection.change(
                "UPDATE class_members SET link_hash = ?, link_until = ? WHERE id = ?",
                [linkHash, until.timeIntervalSince1970, member]) == 1
        }
    }

    /// Uses up a link.
    ///
    /// - Returns: its member. Nil if it is unknown, used or expired, which callers must not tell apart.
    public func useLink(linkHash: String, at now: Date) async throws(StoreError) -> ClassMember? {
        try await write { connection in
            let row = try connection.first(
                "SELECT \(ClassMember.columns) FROM class_members WHERE link_hash = ? AND link_until > ? {lock}",
                [linkHash, now.timeIntervalSince1970])
            guard let row else { return nil }
            // Another request may have used it while this one waited for the lock.
            let used = try connection.change(
                "UPDATE class_members SET link_hash = NULL, link_until = NULL WHERE link_hash = ?", [linkHash])
            return used == 1 ? try ClassMember(row) : nil
        }
    }
}
