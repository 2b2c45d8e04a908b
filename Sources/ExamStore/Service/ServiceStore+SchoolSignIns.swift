public import Foundation

/// Sign-ins by a school's own service. Tokens are stored as hashes only.
extension ServiceStore {
    /// Stores a sign-in that a browser has begun. Attempts that have ended are removed.
    public func begin(_ attempt: SchoolAttempt, at now: Date) async throws(StoreError) {
        try await write { connection in
            try connection.change("DELETE FROM school_attempts WHERE until < ?", [now.timeIntervalSince1970])
            try connection.change(
                """
                INSERT INTO school_attempts (state_hash, browser_hash, school, nonce, verifier, until)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
                [
                    attempt.stateHash, attempt.browserHash, attempt.school, attempt.nonce, attempt.verifier,
                    attempt.until.timeIntervalSince1970,
                ])
        }
    }

    /// Uses up an attempt, so that an answer of a school counts only once.
    ///
    /// - Returns: nil if no attempt has this state, it was used, has ended, or belongs to another browser. Another
    ///   browser's request does not use it up.
    public func useAttempt(
        stateHash: String, browserHash: String, at now: Date
    ) async throws(StoreError) -> SchoolAttempt? {
        try await write { connection in
            let row = try connection.first(
                """
                SELECT school, nonce, verifier, until FROM school_attempts
                WHERE state_hash = ? AND browser_hash = ? AND until > ? {lock}
                """, [stateHash, browserHash, now.timeIntervalSince1970])
            guard let row else { return nil }
            // Another request may have used it while this one waited for the lock.
            guard try connection.change("DELETE FROM school_attempts WHERE state_hash = ?", [stateHash]) == 1 else {
                return nil
            }
            return SchoolAttempt(
                stateHash: stateHash, browserHash: browserHash, school: try row.value("school"),
                nonce: try row.value("nonce"), verifier: try row.value("verifier"),
                until: Date(timeIntervalSince1970: try row.value("until")))
        }
    }

    /// Signs a person in, and makes a profile with their name if they have none. Expired tokens of all people are
    /// removed.
    public func signIn(
        _ person: SchoolPerson, tokenHash: String, at now: Date, until: Date
    ) async throws(StoreError) {
        try await write { connection in
            try connection.change("DELETE FROM school_sign_ins WHERE until < ?", [now.timeIntervalSince1970])
            try connection.change(
                """
                INSERT INTO school_sign_ins (token_hash, user_id, school, roles, group_names, until)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
                [
                    tokenHash, person.user, person.school, try JSONText(person.roles.map(\.rawValue).sorted()),
                    try JSONText(person.groups.sorted()), until.timeIntervalSince1970,
                ])
            if let name = person.name {
                try connection.change(
                    "INSERT INTO profiles (id, username, updated_at) VALUES (?, ?, {now}) ON CONFLICT DO NOTHING",
                    [person.user, name])
            }
        }
    }

    /// Returns the person whom a token signs in. Nil if it is unknown or has expired.
    public func schoolSignIn(tokenHash: String, at now: Date) async throws(StoreError) -> SchoolSignIn? {
        try await read { connection in
            try connection.first(
                "SELECT user_id, school, roles, group_names, until FROM school_sign_ins WHERE token_hash = ? AND until > ?",
                [tokenHash, now.timeIntervalSince1970]
            ).map { row in
                let (roles, groups): ([String]?, [String]?) = (try row.json("roles"), try row.json("group_names"))
                return SchoolSignIn(
                    person: SchoolPerson(
                        user: try row.value("user_id"), school: try row.value("school"),
                        roles: Set((roles ?? []).compactMap(ClassMember.Role.init)), groups: Set(groups ?? [])),
                    until: Date(timeIntervalSince1970: try row.value("until")))
            }
        }
    }

    /// Ends a token.
    ///
    /// - Returns: the id of the school that had signed its user in. Nil if the token is unknown.
    public func endSchoolSignIn(tokenHash: String) async throws(StoreError) -> String? {
        try await write { connection in
            let school: String? = try connection.first(
                "SELECT school FROM school_sign_ins WHERE token_hash = ?", [tokenHash])?.value("school")
            try connection.change("DELETE FROM school_sign_ins WHERE token_hash = ?", [tokenHash])
            return school
        }
    }

    /// Ends all tokens of a user.
    public func endSchoolSignIns(of user: UUID) async throws(StoreError) {
        try await write { _ = try $0.change("DELETE FROM school_sign_ins WHERE user_id = ?", [user]) }
    }
}
