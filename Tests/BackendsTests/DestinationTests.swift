import Foundation
import HTTPClient
import SystemSupport
import Testing
import UploadQueue

@testable import Backends

@Suite struct DestinationTests {
    private let sample: SampleSession

    init() throws { sample = try SampleSession(seed: 7) }

    private static let good: [(text: String, destination: Destination)] = [
        (#"{"kind":"folder","path":"/srv/exams"}"#, .folder(path: "/srv/exams")),
        (#"{"kind":"backend","url":"https://exams.example.org/api"}"#, .backend(url: "https://exams.example.org/api")),
        (#"{"kind":"backend","url":"http://127.0.0.1:8081"}"#, .backend(url: "http://127.0.0.1:8081")),
        (#"{"kind":"backend","url":"http://localhost:8081/"}"#, .backend(url: "http://localhost:8081/")),
        (#"{"kind":"backend","url":"http://[::1]:8081"}"#, .backend(url: "http://[::1]:8081")),
        (
            #"{"kind":"supabase","url":"https://abc.supabase.co","key":"sb_publishable_1","email":"a@b.org","template":"550e8400-e29b-41d4-a716-446655440000"}"#,
            .supabase(
                url: "https://abc.supabase.co", key: "sb_publishable_1",
                template: "550e8400-e29b-41d4-a716-446655440000", email: "a@b.org")
        ),
        (
            #"{"kind":"supabase","url":"https://abc.supabase.co","key":"sb_publishable_1","email":"a@b.org"}"#,
            .supabase(url: "https://abc.supabase.co", key: "sb_publishable_1", template: "", email: "a@b.org")
        ),
        (
            #"{"kind":"signedURL","url":"https://api.example.org","user":"u","template":"t"}"#,
            .signedURL(url: "https://api.example.org", user: "u", template: "t")
        ),
    ]

    @Test(arguments: good.indices)
    func writtenDestinationsAreReadAgain(_ index: Int) throws {
        let (text, destination) = Self.good[index]
        let path = try file(text)
        #expect(try Destination.read(from: path) == destination)
        try destination.write(to: path)
        #expect(try Destination.read(from: path) == destination)
        #expect(try JSONDecoder().decode(Destination.self, from: JSONEncoder().encode(destination)) == destination)
    }

    private static let bad = [
        (
            #"{"kind":"supabase","url":"https://abc.supabase.co","key":"sb_secret_1","email":"e"}"#,
            "the Supabase project's key is a secret one; use the publishable (or anon) key"
        ),
        (
            #"{"kind":"supabase","url":"https://abc.supabase.co","key":"sb_publishable_1","email":"e","template":"t"}"#,
            "template: t is not an id like"
        ),
        ("", "is not a JSON object like"), ("{", "is not a JSON object like"),
        ("[]", "is not a JSON object like"),
        ("{}", "kind: is missing; it should be one of folder, backend, supabase, signedURL"),
        (#"{"kind":"ftp"}"#, "kind: ftp is not known; it should be one of folder, backend, supabase, signedURL"),
        (#"{"kind":7}"#, "kind: should be text"), (#"{"kind":"folder"}"#, "path: is missing"),
        (#"{"kind":"folder","path":""}"#, "path: is empty"), (#"{"kind":"folder","path":7}"#, "path: should be text"),
        (#"{"kind":"folder","path":"exams"}"#, "path: exams should begin with a slash"),
        (
            #"{"kind":"folder","path":"/a","pth":"/b"}"#,
            "pth: is not a field of a folder destination; its fields are path"
        ),
        (
            #"{"kind":"backend","url":"https://a.org","token":"s"}"#,
            "token: is not a field of a backend destination; secrets belong"
        ),
        (#"{"kind":"backend","url":"exams.example.org"}"#, "url: is not an address like https://"),
        (#"{"kind":"backend","url":"https://"}"#, "url: is not an address like https://"),
        (#"{"kind":"backend","url":"ftp://a.org"}"#, "url: begins with ftp; use https"),
        (
            #"{"kind":"backend","url":"http://exams.example.org"}"#,
            "url: uses plain http to another machine; recordings are personal"
        ),
        (#"{"kind":"backend","url":"http://192.168.0.7:8081"}"#, "url: uses plain http to another machine"),
        (#"{"kind":"backend","url":"http://127.0.0.1.example.org"}"#, "url: uses plain http to another machine"),
        (#"{"kind":"backend","url":"https://a.org/x?y=1"}"#, "url: contains a ? or a #"),
        (#"{"kind":"backend","url":"https://me:secret@a.org"}"#, "url: contains a name or password"),
        (#"{"kind":"backend","url":"https://a.org/\n"}"#, "url: contains a line break"),
        (#"{"kind":"supabase","url":"https://a.org","key":" ","template":"t","email":"e"}"#, "key: is empty"),
        (#"{"kind":"signedURL","url":"https://a.org","user":"u"}"#, "template: is missing"),
    ]

    @Test(arguments: bad.indices)
    func mistakesAreNamedWithTheirFileAndField(_ index: Int) throws {
        let (text, words) = Self.bad[index]
        let path = try file(text)
        let problem = #expect(throws: Problem.self) { try Destination.read(from: path) }
        #expect(problem?.kind == .malformed)
        #expect(problem?.sentence.hasPrefix("\(path): \(words)") == true, "\(problem?.sentence ?? "")")
        #expect(problem?.sentence.contains("secret@") == false)
    }

    @Test func aMissingFileIsMissing() {
        let problem = #expect(throws: Problem.self) { try Destination.read(from: "/nowhere/destination.json") }
        #expect(problem?.kind == .missing)
    }

    @Test func unreadableDataIsNotWritten() throws {
        let path = sample.folder + "/destination.json"
        #expect(throws: Problem.self) { try Destination.backend(url: "http://exams.example.org").write(to: path) }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func eachKindHasItsUploader() throws {
        let client = FixedAnswer(HTTPResponse(status: 200))
        func uploader(_ destination: Destination) throws -> any Uploader {
            try destination.makeUploader(client: client, credentials: "/nowhere/token.json")
        }
        let folder = try uploader(.folder(path: "/srv/exams"))
        #expect(folder is FolderUploader && folder.place == "/srv/exams")
        let backend = try uploader(.backend(url: "https://a.org"))
        #expect(backend is BackendUploader && backend.place == "https://a.org")
        let signed = try uploader(.signedURL(url: "https://b.org", user: "u", template: "t"))
        #expect(signed is SignedURLUploader && signed.place == "https://b.org")
        let project = Destination.supabase(
            url: "https://abc.supabase.co", key: "sb_publishable_1", template: "", email: "a@b.org")
        let supabase = try uploader(project)
        #expect(supabase is SupabaseUploader && supabase.place == "abc.supabase.co")
    }

    /// An answer that has arrived at one place may be missing at another. So each place and each account has its own
    /// name, without any secret.
    @Test func placesAndAccountsAreDistinguishedByName() {
        func project(_ url: String, _ email: String, key: String = "sb_publishable_1", template: String = "") -> String
        {
            Destination.supabase(url: url, key: key, template: template, email: email).name
        }
        let names = [
            Destination.folder(path: "/srv").name, Destination.folder(path: "/srv2").name,
            Destination.backend(url: "https://a.org").name,
            Destination.backend(url: "https://a.org", account: "ben").name, project("https://a.org", "a@b.org"),
            project("https://a.org", "b@b.org"), project("https://b.org", "a@b.org"),
            Destination.signedURL(url: "https://a.org", user: "u", template: "t").name,
            Destination.signedURL(url: "https://a.org", user: "v", template: "t").name,
        ]
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } })
        // Another key, another template, or another spelling of the same address is the same delivery.
        #expect(project("https://a.org/", "A@B.org", key: "sb_publishable_2", template: "t") == names[4])
    }

    @Test func aDestinationThatWasSetUpTakesASession() async throws {
        let destination = Destination.folder(path: sample.folder + "/a/b")
        try destination.setUp()
        try destination.setUp()
        let uploader = try destination.makeUploader(
            client: FixedAnswer(HTTPResponse(status: 200)), credentials: "/nowhere")
        #expect(await failure(of: uploader, sample.session) == nil)
    }

    private func file(_ text: String) throws -> String {
        let path = sample.folder + "/destination.json"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }
}

@Suite struct TokenFileTests {
    private let sample: SampleSession
    private var file: TokenFile { TokenFile(path: sample.folder + "/token.json") }

    init() throws { sample = try SampleSession(seed: 8) }

    @Test func aDestinationFileIsForItsOwnerOnly() async throws {
        try file.write("a.token")
        #expect(try file.read() == "a.token")
        #expect(try await file.token()() == "a.token")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        let problem = #expect(throws: Problem.self) { try file.read() }
        #expect(problem?.sentence == "\(file.path): other users can read it; change that with chmod 600")
    }

    @Test(arguments: ["", "{}", #"{"token":7}"#, #"{"token":""}"#])
    func uploadsWithoutATokenWaitForAPerson(_ text: String) async throws {
        try Data(text.utf8).write(to: URL(filePath: file.path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        let failed = await #expect(throws: DeliveryFailure.self) { try await file.token()() }
        #expect(failed?.kind == .signInNeeded)
    }

    @Test func aLocalBackendNeedsNoToken() async throws {
        #expect(!Destination.backend(url: "http://127.0.0.1:8081").needsSignIn)
        #expect(Destination.backend(url: "https://exams.example.org").needsSignIn)
        #expect(try await file.token(isNeeded: false)() == nil)
        try file.write("a.token")
        #expect(try await file.token(isNeeded: false)() == "a.token")
    }

    @Test func aNewTokenCountsAtOnce() async throws {
        let token = file.token()
        let failed = await #expect(throws: DeliveryFailure.self) { try await token() }
        #expect(failed?.kind == .signInNeeded)
        try file.write("first")
        #expect(try await token() == "first")
        try file.write("second")
        #expect(try await token() == "second")
    }
}
