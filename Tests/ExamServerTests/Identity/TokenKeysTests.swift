import ExamKit
import Foundation
import HTTPTypes
import JWTKit
import LoopbackServers
import Synchronization
import Testing
import Uploaders

@testable import ExamServer

/// Who gets in with a token, and who does not.
@Suite struct TokenKeysTests {
    private let user = UUID()
    private static let secret = "an old secret of a test, long enough to be one"

    private struct Claims: JWTPayload {
        var sub: SubjectClaim
        var exp: ExpirationClaim?
        var nbf: NotBeforeClaim?
        var iss: IssuerClaim?
        var aud: AudienceClaim?

        func verify(using algorithm: some JWTAlgorithm) {}
    }

    private func claims(
        _ subject: String? = nil, in seconds: Double? = 600, from: Double? = nil, issuer: String? = nil,
        audience: [String]? = nil
    ) -> Claims {
        Claims(
            sub: SubjectClaim(value: subject ?? user.uuidString),
            exp: seconds.map { ExpirationClaim(value: Date(timeIntervalSinceNow: $0)) },
            nbf: from.map { NotBeforeClaim(value: Date(timeIntervalSinceNow: $0)) },
            iss: issuer.map { IssuerClaim(value: $0) }, aud: audience.map { AudienceClaim(value: $0) })
    }

    private func withSecret(_ secret: String = secret) async -> JWTKeyCollection {
        await JWTKeyCollection().add(hmac: HMACKey(from: Data(secret.utf8)), digestAlgorithm: .sha256)
    }

    private func refusal(_ keys: TokenKeys, _ token: String) async -> Int? {
        do throws(APIProblem) {
            _ = try await keys.user(of: token)
            return nil
        } catch {
            return error.status.code
        }
    }

    @Test func aTokenOfTheSecretIsItsSubjects() async throws {
        let keys = TokenKeys(.secret(Self.secret))
        try await keys.load()
        #expect(try await keys.user(of: await withSecret().sign(claims())) == user)
        // A subject that is no UUID is always the same user, and another issuer's is another one.
        let ann = try await keys.user(of: await withSecret().sign(claims("ann", issuer: "a")))
        #expect(try await keys.user(of: await withSecret().sign(claims("ann", in: 60, issuer: "a"))) == ann)
        #expect(try await keys.user(of: await withSecret().sign(claims("ann", issuer: "b"))) != ann)
    }

    @Test func whatIsWrongWithATokenIsNotSaid() async throws {
        let keys = TokenKeys(.secret(Self.secret), issuer: "school", audience: "exams")
        try await keys.load()
        let signer = await withSecret()
        let good = try await signer.sign(claims(issuer: "school", audience: ["other", "exams"]))
        #expect(await refusal(keys, good) == nil)
        let header = Data(#"{"alg":"none","typ":"JWT"}"#.utf8).base64EncodedString().trimmingCharacters(in: ["="])
        let parts = good.split(separator: ".").map(String.init)
        let bad = [
            "": "nothing", "a.b.c": "no token", "\(header).\(parts[1]).": "signed by nobody",
            "\(parts[0]).\(parts[1]).AAAA": "another signature", String(repeating: "a", count: 100_000): "too long",
            try await signer.sign(claims(in: -60, issuer: "school", audience: ["exams"])): "expired",
            try await signer.sign(claims(in: nil, issuer: "school", audience: ["exams"])): "without an end",
            try await signer.sign(claims(from: 300, issuer: "school", audience: ["exams"])): "not yet",
            try await signer.sign(claims(issuer: "elsewhere", audience: ["exams"])): "another issuer",
            try await signer.sign(claims(issuer: "school", audience: ["other"])): "another audience",
            try await signer.sign(claims(issuer: "school")): "no audience",
            try await signer.sign(claims("", issuer: "school", audience: ["exams"])): "nobody's",
            try await withSecret("another secret of a test, as long as the first").sign(
                claims(issuer: "school", audience: ["exams"])): "another secret",
        ]
        for (token, what) in bad { #expect(await refusal(keys, token) == 401, "\(what)") }
    }

    @Test func aClockThatIsHalfAMinuteOffIsNoReason() async throws {
        let keys = TokenKeys(.secret(Self.secret))
        try await keys.load()
        #expect(await refusal(keys, try await withSecret().sign(claims(in: -10))) == nil)
        #expect(await refusal(keys, try await withSecret().sign(claims(from: 10))) == nil)
    }

    @Test func aShortSecretStartsNoServer() async {
        await #expect(throws: Problem.self) { try await TokenKeys(.secret("too short")).load() }
    }

    /// A private key of each kind, and its public half as JWKS has it.
    private struct Key {
        var kid: String
        var signer: JWTKeyCollection
        var json: String

        init(ec kid: String) async {
            let key = ES256PrivateKey()
            self.kid = kid
            signer = await JWTKeyCollection().add(ecdsa: key, kid: JWKIdentifier(string: kid))
            let (x, y) = (key.publicKey.parameters!.x, key.publicKey.parameters!.y)
            json =
                #"{"kty":"EC","crv":"P-256","alg":"ES256","kid":"\#(kid)","x":"\#(Self.url(x))","y":"\#(Self.url(y))"}"#
        }

        init(rsa kid: String) async throws {
            let key = try Insecure.RSA.PrivateKey(pem: Self.rsaPEM())
            self.kid = kid
            signer = await JWTKeyCollection().add(
                rsa: key, digestAlgorithm: .sha256, kid: JWKIdentifier(string: kid))
            let (n, e) = try key.publicKey.getKeyPrimitives()
            json =
                #"{"kty":"RSA","alg":"RS256","kid":"\#(kid)","n":"\#(Self.url(n.base64EncodedString()))","e":"\#(Self.url(e.base64EncodedString()))"}"#
        }

        private static func url(_ base64: String) -> String {
            base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }

        private static func rsaPEM() throws -> String {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/openssl")
            process.arguments = ["genrsa", "2048"]
            let output = Pipe()
            (process.standardOutput, process.standardError) = (output, Pipe())
            try process.run()
            let pem = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return pem
        }

        func sign(_ claims: Claims) async throws -> String {
            try await signer.sign(claims, kid: JWKIdentifier(string: kid))
        }
    }

    private static func set(_ keys: [Key]) -> String { "{\"keys\":[\(keys.map(\.json).joined(separator: ","))]}" }

    @Test func publicKeysLetTheirPrivateOnesIn() async throws {
        let (ec, rsa, other) = (await Key(ec: "one"), try await Key(rsa: "two"), await Key(ec: "one"))
        let path = NSTemporaryDirectory() + "oracy-jwks-\(UUID())"
        defer { unlink(path) }
        try Self.set([ec, rsa]).write(toFile: path, atomically: true, encoding: .utf8)
        let keys = TokenKeys(.file(path))
        try await keys.load()
        #expect(try await keys.user(of: ec.sign(claims())) == user)
        #expect(try await keys.user(of: rsa.sign(claims())) == user)
        #expect(await refusal(keys, try await other.sign(claims())) == 401)
        // The public key, used as if it were a secret: the oldest trick with tokens.
        let forged = await JWTKeyCollection().add(
            hmac: HMACKey(from: Data(ec.json.utf8)), digestAlgorithm: .sha256, kid: "one")
        #expect(await refusal(keys, try await forged.sign(claims(), kid: "one")) == 401)
    }

    @Test func aFileOfKeysIsReadAgainWhenItIsAnother() async throws {
        let (old, new) = (await Key(ec: "old"), await Key(ec: "new"))
        let path = NSTemporaryDirectory() + "oracy-jwks-\(UUID())"
        defer { unlink(path) }
        try Self.set([old]).write(toFile: path, atomically: true, encoding: .utf8)
        let keys = TokenKeys(.file(path))
        try await keys.load()
        #expect(await refusal(keys, try await new.sign(claims())) == 401)
        try Self.set([new]).write(toFile: path, atomically: true, encoding: .utf8)
        #expect(await refusal(keys, try await new.sign(claims())) == nil)
        #expect(await refusal(keys, try await old.sign(claims())) == 401)
        // Half a file, as somebody writes it: the keys that were read hold.
        try "{\"keys\":[".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(await refusal(keys, try await new.sign(claims())) == nil)
    }

    @Test func keysAtAnAddressAreFetched() async throws {
        let key = await Key(ec: "one")
        let json = Mutex(Self.set([key]))
        let server = try HTTPServer { _ in
            Uploaders.HTTPResponse(status: 200, body: Array(json.withLock { $0 }.utf8))
        }
        defer { server.stop() }
        let keys = TokenKeys(.url(server.url + "/jwks.json"))
        try await keys.load()
        #expect(await refusal(keys, try await key.sign(claims())) == nil)
    }

    @Test(arguments: ["", "{}", "{\"keys\":[]}", "{\"keys\":[{\"kty\":\"EC\"}]}", "<html>"])
    func whatIsNoSetOfKeysStartsNoServer(_ text: String) async throws {
        let path = NSTemporaryDirectory() + "oracy-jwks-\(UUID())"
        defer { unlink(path) }
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        await #expect(throws: Problem.self) { try await TokenKeys(.file(path)).load() }
        await #expect(throws: Problem.self) { try await TokenKeys(.file(path + "-missing")).load() }
    }
}
