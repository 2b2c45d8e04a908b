import Foundation
import HTTPClient
import SupabaseStandIn
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import Backends

/// An account at a project: signing up, confirming, signing in and out, and the profile.
@Suite(.needs(StandInProject.obstacle)) struct AccountTests {
    private let sample: SampleSession
    private let mails = Mails()
    private let standIn: StandInProject

    private final class Mails: Sendable {
        private let mails = Mutex<[StandInAuth.Mail]>([])
        func add(_ mail: StandInAuth.Mail) { mails.withLock { $0.append(mail) } }
        var last: String? { mails.withLock { $0.last?.token } }
        var link: String? {
            mails.withLock { $0.last.map { "\(StandInProject.url)/auth/v1/verify?token=\($0.hash)&type=\($0.kind)" } }
        }
    }

    init() throws {
        sample = try SampleSession(seed: 21)
        let mails = mails
        standIn = try StandInProject { state in state.auth.mailed = { mails.add($0) } }
    }

    private func account(_ email: String) -> Account {
        let home = Destination.supabase(url: StandInProject.url, key: StandInProject.key, template: "", email: email)
        return Account(home, client: standIn, credentials: "\(sample.folder)/\(home.name)/credentials.json")
    }

    @Test func signingUpSignsInOrSendsACode() async throws {
        let ann = account("ann@example.org")
        #expect(!ann.isSignedIn && ann.user == nil)
        #expect(try await ann.signUp("a long password") == .signedIn)
        #expect(ann.isSignedIn && ann.user != nil)
        standIn.with { $0.auth.confirmsEmail = true }
        let ben = account("ben@example.org")
        #expect(try await ben.signUp("another password") == .codeSent)
        #expect(!ben.isSignedIn)
        let wrong = await #expect(throws: Problem.self) { try await ben.signIn(code: "000000x") }
        #expect(wrong?.kind == .denied && !ben.isSignedIn)
        try await ben.signIn(code: #require(mails.last))
        #expect(ben.isSignedIn && ben.user != ann.user, "each has a sign-in of their own")
        var status = stat()
        #expect(
            stat(
                "\(sample.folder)/\(Destination.supabase(url: StandInProject.url, key: "", template: "", email: "BEN@example.org").name)/credentials.json",
                &status) == 0)
        #expect(status.st_mode & 0o077 == 0)
    }

    @Test func theWholeLinkOfAMessageServesAsWell() async throws {
        standIn.with { $0.auth.confirmsEmail = true }
        let ann = account("ann@example.org")
        #expect(try await ann.signUp("a long password") == .codeSent)
        try await ann.signIn(code: #require(mails.link))
        #expect(ann.isSignedIn)
    }

    @Test func aCodeSignsInWhoHasNoPasswordAtHand() async throws {
        let candidate = account(StandInAuth.email)
        try await candidate.sendCode()
        try await candidate.signIn(code: #require(mails.last))
        #expect(candidate.user == StandInAuth.user)
        let again = await #expect(throws: Problem.self) { try await candidate.signIn(code: mails.last!) }
        #expect(again?.kind == .denied, "a code is good for once")
    }

    @Test func aWrongPasswordIsDeniedInTheProjectsWords() async throws {
        let problem = await #expect(throws: Problem.self) { try await account(StandInAuth.email).signIn("wrong") }
        #expect(problem?.kind == .denied && problem?.sentence.contains("Invalid login credentials") == true)
    }

    @Test func signingOutWorksHereAndAtTheServer() async throws {
        let candidate = account(StandInAuth.email)
        try await candidate.signIn(StandInAuth.password)
        #expect(try await candidate.signOut())
        #expect(!candidate.isSignedIn)
        #expect(try await candidate.signOut(), "signing out twice is harmless")
        // Offline, the user is signed out on this machine anyway, and the result says that the project was not told.
        try await candidate.signIn(StandInAuth.password)
        standIn.fault { _, request in request.url.contains("/logout") ? .lost : nil }
        #expect(try await !candidate.signOut())
        #expect(!candidate.isSignedIn)
    }

    @Test func nameAndPictureAreKeptAndTheRestStays() async throws {
        let candidate = account(StandInAuth.email)
        try await candidate.signIn(StandInAuth.password)
        #expect(try await candidate.profile() == AccountProfile())
        try await candidate.change(AccountProfile(username: "cand"))
        let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]
        try await candidate.change(AccountProfile(fullName: "A Candidate"), picture: ProfilePicture(png))
        let found = try await candidate.profile()
        #expect(found.username == "cand" && found.fullName == "A Candidate")
        let path = try #require(found.picture)
        #expect(path.hasSuffix("/object/public/avatars/\(StandInAuth.user)/avatar.png"))
        #expect(standIn.objects(in: "avatars").values.map(\.bytes) == [png])
        try await candidate.change(AccountProfile(), picture: ProfilePicture(png + [4]))
        #expect(
            standIn.objects(in: "avatars").values.map(\.bytes) == [png + [4]], "the new picture replaces the first one")
        #expect(standIn.with { $0.complaints } == [])
    }

    @Test func otherFilesAreNotTakenForPictures() {
        #expect(ProfilePicture(Array("<svg/>".utf8)) == nil && ProfilePicture([]) == nil)
        #expect(ProfilePicture([0xff, 0xd8, 0xff, 0xe0])?.kind == .jpeg)
        #expect(ProfilePicture(Array("RIFF0000WEBPVP8 ".utf8))?.kind == .webp)
    }

    @Test func destinationsWithoutAccountsSaySo() async {
        let backend = Account(.backend(url: "https://a.org"), client: standIn, credentials: "/nowhere/c.json")
        let problem = await #expect(throws: Problem.self) { try await backend.signUp("p") }
        #expect(
            problem?.sentence == "https://a.org: accounts are created at the service that issues the backend's tokens")
        let folder = Account(.folder(path: "/srv"), client: standIn, credentials: "/nowhere/c.json")
        let none = await #expect(throws: Problem.self) { try await folder.profile() }
        #expect(none?.sentence == "/srv: does not store profiles")
    }
}
