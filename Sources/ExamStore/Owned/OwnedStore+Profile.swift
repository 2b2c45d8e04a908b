import Foundation

extension OwnedStore {
    /// Returns this user's profile. Empty if the user has entered nothing.
    public func profile() async throws(StoreError) -> Profile {
        let user = user
        return try await read { connection in try connection.profile(of: user) }
    }

    /// Stores the names. Nil removes a name. The picture stays.
    public func put(_ profile: Profile) async throws(StoreError) {
        let user = user
        try await write { connection in
            _ = try connection.change(
                """
                INSERT INTO profiles (id, username, full_name, updated_at) VALUES (?, ?, ?, {now})
                ON CONFLICT (id) DO UPDATE SET username = excluded.username, full_name = excluded.full_name,
                  updated_at = excluded.updated_at
                """, [user, profile.username, profile.fullName])
        }
    }

    /// Stores the key of the picture, which must already be in storage.
    public func put(picture key: String) async throws(StoreError) {
        let user = user
        try await write { connection in
            _ = try connection.change(
                """
                INSERT INTO profiles (id, avatar_url, updated_at) VALUES (?, ?, {now})
                ON CONFLICT (id) DO UPDATE SET avatar_url = excluded.avatar_url, updated_at = excluded.updated_at
                """, [user, key])
        }
    }

    /// Erases the profile. Erase the picture's object before.
    public func eraseProfile() async throws(StoreError) {
        let user = user
        try await write { connection in _ = try connection.change("DELETE FROM profiles WHERE id = ?", [user]) }
    }
}

extension SQLConnection {
    /// Returns a user's profile. Empty if the user has entered nothing.
    func profile(of user: UUID) throws(StoreError) -> Profile {
        let row = try first("SELECT username, full_name, avatar_url, updated_at FROM profiles WHERE id = ?", [user])
        guard let row else { return Profile() }
        var profile = Profile(username: try row.optional("username"), fullName: try row.optional("full_name"))
        profile.picture = try row.optional("avatar_url")
        profile.updatedAt = try row.value("updated_at")
        return profile
    }
}
