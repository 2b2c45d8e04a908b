import Foundation
import HTTPClient
import StoreTrials
import SystemSupport
import TestSupport
import Testing
import Waiting

@testable import ExamServer
@testable import VirtualDevices

/// `oracy-server class`, as a teacher starts it on a laptop.
@Suite(.store(only: .sqlite, because: "A class has a database in its folder.")) struct ClassCommandTests {
    /// The addresses that the command has printed.
    private struct Welcome {
        var code, link, address: String
        var port: Int

        init(_ server: OperatedServer) throws {
            let said = Patience.poll { server.output.contains("The link works once") ? server.output : nil }
            guard let said, let code = said.firstMatch(of: /with the code ([A-Z0-9-]+)/)?.1,
                let teacher = said.firstMatch(of: /Teacher: +(https?:\/\/[^:]+:([0-9]+)\/)#\/link\/([0-9a-f]+)/),
                let port = Int(teacher.2)
            else { throw Problem(.unavailable, "it printed “\(server.output)”: \(server.log)") }
            (self.code, self.link, address, self.port) = (String(code), String(teacher.3), String(teacher.1), port)
        }
    }

    private static let options = [
        "class", "--name", "Form 9B", "--teacher", "Ms Hale", "--port", "0", "--data", "FOLDER/class",
    ]

    private static func post(_ path: String, _ body: [String: String], to port: Int) async throws -> HTTPResponse {
        let origin = "http://localhost:\(port)"
        return try await RunningServer.ask(origin, "POST", path, body, as: nil, headers: [("Origin", origin)])
    }

    @Test func theNextStartContinuesTheClass() async throws {
        let den = try Den()
        defer { den.clear() }
        let first = try await onThread { try OperatedServer(Self.options + ["--plain"], in: den, name: "first") }
        let welcome = try await onThread { try Welcome(first) }
        let ann = ["code": welcome.code, "name": "Ann", "pin": "502916"]
        #expect(try await Self.post("/v1/class/join", ann, to: welcome.port).status == 201)
        let teacher = try await Self.post("/v1/class/link", ["link": welcome.link], to: welcome.port)
        #expect(teacher.object["name"] as? String == "Ms Hale" && teacher.object["role"] as? String == "teacher")
        #expect(try await onThread { try first.stop() } == 0)

        let second = try await onThread { try OperatedServer(Self.options + ["--plain"], in: den, name: "second") }
        let again = try await onThread { try Welcome(second) }
        #expect(again.code == welcome.code && again.link != welcome.link)
        #expect(try await Self.post("/v1/class/sign-in", ann, to: again.port).status == 200)
        #expect(try await Self.post("/v1/class/link", ["link": welcome.link], to: again.port).code == "link-used")
        #expect(try await Self.post("/v1/class/link", ["link": again.link], to: again.port).status == 200)
        #expect(try await onThread { try second.stop() } == 0)
        for secret in ["Ann", "502916", welcome.link, welcome.code] { #expect(!second.log.contains(secret)) }
    }

    /// Clients that know the authority connect, others do not. A restart keeps the authority.
    @Test func connectionsAreEncryptedByTheComputersOwnAuthority() async throws {
        let den = try Den()
        defer { den.clear() }
        let authority = den.folder + "/class/tls/authority.pem"
        var kept: Data?
        for name in ["first", "second"] {
            let server = try await onThread { try OperatedServer(Self.options, in: den, name: name) }
            let welcome = try await onThread { try Welcome(server) }
            #expect(welcome.address.hasPrefix("https://"))
            let certificate = try Data(contentsOf: URL(filePath: authority))
            #expect(kept == nil || kept == certificate)
            kept = certificate
            for (host, file, words) in [
                ("localhost", authority, #""classes":true"#), ("127.0.0.1", authority, #""classes":true"#),
                ("localhost", "", "CERTIFICATE_VERIFY_FAILED"),
            ] {
                let script = """
                    import ssl, sys, urllib.request
                    context = ssl.create_default_context(cafile=sys.argv[2] or None)
                    print(urllib.request.urlopen(sys.argv[1], context=context).read().decode())
                    """
                let (_, said) = await Trials.run(
                    "/usr/bin/python3", ["-c", script, "https://\(host):\(welcome.port)/v1/sign-in", file])
                #expect(said.contains(words), "\(host): \(said)")
            }
            #expect(try await onThread { try server.stop() } == 0)
        }
        let key = try FileManager.default.attributesOfItem(atPath: den.folder + "/class/tls/authority-key.pem")
        #expect(key[.posixPermissions] as? Int == 0o600, "only its owner can read the key")
    }

    /// The same lesson as `ClassInABrowser`'s, by the command alone and over its own encryption.
    @Test(.needs(Trials.browserObstacle)) func aLessonIsHeldOverTheComputersOwnEncryption() async throws {
        let den = try Den()
        defer { den.clear() }
        let options = Self.options + ["--exams", Programs.file("Page/exams")]
        let server = try await onThread { try OperatedServer(options, in: den) }
        let welcome = try await onThread { try Welcome(server) }
        let seen = try await PageScript.seen(
            "page-class.py",
            [
                "https://localhost:\(welcome.port)", try Programs.answer(in: den.folder), "--format", "brief",
                "--paper",
                "few", "--link", welcome.link, "--name", "Form 9B",
            ], on: nil)
        #expect(seen["code"] as? String == welcome.code)
        #expect(server.lines.allSatisfy { !$0.contains("Ann Lee") }, "\(server.log)")
        #expect(try await onThread { try server.stop() } == 0)
    }

    @Test func invalidNamesAreRefused() async throws {
        try await withDen { den in
            for (options, words) in [
                (["class"], "--name"), (["class", "--name", ""], "--name"), (["class", "--name", "a\u{7}"], "--name"),
                (["class", "--name", "9B", "--teacher", " "], "--teacher"),
                (["class", "--name", "9B", "--port", "70000"], "--port"),
            ] {
                let end = try refusal(options + ["--data", "FOLDER/none"], in: den)
                #expect(end.code == 64 && end.message.contains(words), "\(options): \(end)")
            }
        }
    }
}
