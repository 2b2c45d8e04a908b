import Foundation
import HTTPClient
import SystemSupport
import UploadQueue

/// The signed-in user's row of `profiles`, and the picture in the bucket `avatars`.
struct SupabaseProfile: ProfileKeeper {
    private let rows: SupabaseRows
    private let calls: SupabaseCalls

    init(_ project: SupabaseProject, auth: SupabaseAuth, over exchange: any HTTPExchanging) {
        calls = SupabaseCalls(project: project, auth: auth, exchange: exchange)
        rows = SupabaseRows(calls: calls)
    }

    private struct Row: Codable {
        var id: String?
        var username, fullName, avatarUrl, updatedAt: String?
    }

    func read() async throws(DeliveryFailure) -> AccountProfile {
        let user = try await calls.auth.credentials().user
        let row = try await rows.one(
            Row.self, "profiles", where: "id=eq.\(user)&select=username,full_name,avatar_url")
        return AccountProfile(username: row?.username, fullName: row?.fullName, picture: row?.avatarUrl)
    }

    /// Changes the fields that aren't nil. A missing profile is created.
    func change(_ profile: AccountProfile, picture: ProfilePicture?) async throws(DeliveryFailure) {
        let user = try await calls.auth.credentials().user
        var row = Row(
            username: profile.username, fullName: profile.fullName, avatarUrl: nil, updatedAt: WallTime.now.utc)
        if let picture { row.avatarUrl = try await put(picture, of: user) }
        if try await rows.change("profiles", id: user, to: row) { return }
        row.id = user
        guard try await rows.insert(row, into: "profiles") == .new else {
            throw DeliveryFailure(
                .refused, code: "406/PGRST116",
                message: "the profile exists, but may not be changed: `profiles` needs rules for SELECT and UPDATE")
        }
    }

    /// - Returns: The address at which anyone can see it, since the bucket is public.
    private func put(_ picture: ProfilePicture, of user: String) async throws(DeliveryFailure) -> String {
        let path = "avatars/\(user)/avatar.\(picture.kind.suffix)"
        let answer = try await calls.ask(
            .storage, "POST", "/storage/v1/object/\(path)",
            [("Content-Type", picture.kind.rawValue), ("cache-control", "max-age=3600"), ("x-upsert", "true")],
            body: .bytes(picture.bytes))
        try answer.done()
        return "\(calls.project.url)/storage/v1/object/public/\(path)"
    }
}
