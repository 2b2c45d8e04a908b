import BackendAPI
import Foundation
import HTTPClient
import SystemSupport
import UploadQueue

/// The signed-in user's profile at an Oracy backend.
struct BackendProfile: ProfileKeeper {
    let calls: BackendCalls

    func read() async throws(DeliveryFailure) -> AccountProfile {
        let response = try await calls.ask("GET", calls.routes.profile)
        guard var profile = try? JSONDecoder().decodeForeign(AccountProfile.self, from: Data(response.body)) else {
            throw BackendUploader.failure(response, as: .transient, "the backend's answer is not a profile")
        }
        // A path is relative to the server.
        if let picture = profile.picture, picture.hasPrefix("/") { profile.picture = calls.routes.profilePicture }
        return profile
    }

    func change(_ profile: AccountProfile, picture: ProfilePicture?) async throws(DeliveryFailure) {
        if profile.username != nil || profile.fullName != nil {
            // A PUT replaces the whole profile, so unchanged fields are sent too.
            var whole = try await read()
            whole.picture = nil
            whole.username = profile.username ?? whole.username
            whole.fullName = profile.fullName ?? whole.fullName
            _ = try await calls.ask(
                "PUT", calls.routes.profile, [("Content-Type", "application/json")], body: .bytes(whole.json()))
        }
        if let picture {
            _ = try await calls.ask(
                "PUT", calls.routes.profilePicture, [("Content-Type", picture.kind.rawValue)],
                body: .bytes(picture.bytes))
        }
    }
}
