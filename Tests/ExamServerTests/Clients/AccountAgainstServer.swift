import Backends
import Foundation
import HTTPClient
import StoreTrials
import SystemSupport
import Testing

/// Sign-in and profiles of `Account` against the server of this package, with its token in a file.
@Suite(.bothStores) struct AccountAgainstServer {
    private let user = UUID()

    @Test func aProfileIsReadAndChangedBySignedInUsers() async throws {
        let server = try await RunningServer()
        let destination = Destination.backend(url: server.url)
        #expect(destination.takesSignIn && !destination.needsSignIn, "a server on this machine needs no sign-in")
        let account = Account(
            destination, client: CurlClient(), credentials: server.folder + "/client/credentials.json")
        // Without a token the server refuses, and the client says what to do.
        #expect(!account.isSignedIn && account.user == nil)
        let refused = await #expect(throws: Problem.self) { try await account.profile() }
        #expect(refused?.kind == .denied, "\(refused.debugDescription)")

        try await account.signIn(RunningServer.token(of: user))
        #expect(account.isSignedIn && account.user.flatMap(UUID.init(uuidString:)) == user)
        #expect(absentFields(of: try await account.profile()) == ["username", "fullName", "picture"])
        let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]
        let drawn = try #require(ProfilePicture(png))
        try await account.change(AccountProfile(username: "ann", fullName: "Ann Example"), picture: drawn)
        try await account.change(AccountProfile(username: "anna"))
        let profile = try await account.profile()
        #expect(absentFields(of: profile) == [])
        #expect(profile.username == "anna" && profile.fullName == "Ann Example")
        let picture = try #require(profile.picture)
        #expect(picture.hasPrefix(server.url))
        let path = String(picture.dropFirst(server.url.count))
        #expect(try await server.ask("GET", path, as: user).body == png)

        #expect(try await account.signOut())
        #expect(!account.isSignedIn)
        await server.stop()
    }

    @Test func aServerIsReachableUntilItStops() async throws {
        let server = try await RunningServer()
        let reachability = Reachability(client: CurlClient())
        #expect(await reachability.reachable(.backend(url: server.url)) == .reachable)
        let signed = Destination.signedURL(url: server.url + "/v1", user: user.uuidString, template: UUID().uuidString)
        let heard = await reachability.reachable(signed)
        await server.stop()
        #expect(await reachability.reachable(.backend(url: server.url)) != .reachable)
        #expect(heard == .reachable)
    }
}
