import Crypto
import Foundation
import HTTPClient
import HTTPTypes
import JWTKit
import LoopbackServers
import Synchronization
import SystemSupport
import Testing

@testable import ExamServer

/// The tokens that the server accepts, and those that it refuses.
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

    /// Returns the reason for refusing a token. Nil if it is accepted.
    private func refusal(_ keys: TokenKeys, _ token: String) async -> TokenRefusal? {
        do throws(TokenRefusal) {
            _ = try await keys.caller(of: token)
            return nil
        } catch {
            return error
        }
    }

    @Test func aTokenThatIsNestedTooDeepIsRefused() async throws {
        let keys = TokenKeys(.secret(Array(Self.secret.utf8)))
        try await keys.load()
        let deep = Data(String(repeating: "[", count: 513).utf8).base64EncodedString()
        for token in ["\(deep).e30.x", "e30.\(deep).x", deep, "..", ".", "e30.e30"] {
            await #expect(throws: TokenRefusal.malformed) { try await keys.caller(of: token) }
        }
    }

    @Test func aTokenOfTheSecretIsItsSubjects() async throws {
        let keys = TokenKeys(.secret(Array(Self.secret.utf8)))
        try await keys.load()
        #expect(try await keys.caller(of: await withSecret().sign(claims())).user == user)
        // A subject that is not a UUID is always the same user, and another user for another issuer.
        let ann = try await keys.caller(of: await withSecret().sign(claims("ann", issuer: "a"))).user
        #expect(try await keys.caller(of: await withSecret().sign(claims("ann", in: 60, issuer: "a"))).user == ann)
        #expect(try await keys.caller(of: await withSecret().sign(claims("ann", issuer: "b"))).user != ann)
    }

    /// Rights come from tokens in each form that identity servers use. Fields that users can write themselves give no
    /// rights.
    @Test func rolesAndGroupsComeFromWhatUsersCannotWrite() async throws {
        struct Claims: JWTPayload {
            var sub: SubjectClaim
            var exp = ExpirationClaim(value: Date(timeIntervalSinceNow: 600))
            var more: [String: [String: [String]]] = [:]
            var own: [String: [String]] = [:]
            var single: [String: String] = [:]

            struct Key: CodingKey {
                var stringValue: String
                var intValue: Int? { nil }
                init(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }

            init(_ user: UUID) { sub = SubjectClaim(value: user.uuidString) }

            init(from decoder: any Decoder) throws { fatalError("never decoded") }

            func encode(to encoder: any Encoder) throws {
                var fields = encoder.container(keyedBy: Key.self)
                try fields.encode(sub, forKey: Key(stringValue: "sub"))
                try fields.encode(exp, forKey: Key(stringValue: "exp"))
                for (name, value) in more { try fields.encode(value, forKey: Key(stringValue: name)) }
                for (name, value) in own { try fields.encode(value, forKey: Key(stringValue: name)) }
                for (name, value) in single { try fields.encode(value, forKey: Key(stringValue: name)) }
            }

            func verify(using algorithm: some JWTAlgorithm) {}
        }
        let keys = TokenKeys(.secret(Array(Self.secret.utf8)))
        try await keys.load()
        let signer = await withSecret()
        func caller(_ change: (inout Claims) -> Void) async throws -> Caller {
            var claims = Claims(user)
            change(&claims)
            var caller = try await keys.caller(of: signer.sign(claims))
            #expect(caller.until.map { $0 > Date() } == true)
            caller.until = nil
            return caller
        }
        func refusal(_ change: (inout Claims) -> Void) async throws -> TokenRefusal? {
            var claims = Claims(user)
            change(&claims)
            return await self.refusal(keys, try await signer.sign(claims))
        }
        #expect(try await caller { _ in } == Caller(user: user))
        #expect(
            try await caller { $0.own = ["oracy_roles": ["teacher", "janitor"], "oracy_groups": ["7b", "8c"]] }
                == Caller(user: user, roles: [.teacher], groups: ["7b", "8c"]))
        #expect(try await caller { $0.single = ["oracy_roles": "marker"] } == Caller(user: user, roles: [.marker]))
        #expect(
            try await caller { $0.more = ["app_metadata": ["oracy_roles": ["service"], "provider": ["email"]]] }
                == Caller(user: user, roles: [.service]))
        #expect(try await caller { $0.more = ["user_metadata": ["oracy_roles": ["teacher"]]] } == Caller(user: user))
        #expect(try await caller { $0.single = ["role": "teacher", "roles": "teacher"] } == Caller(user: user))
        let wrong: [[String]] = [[""], ["a\u{1F}b"], [String(repeating: "g", count: 101)], (0...100).map { "g\($0)" }]
        for groups in wrong { #expect(try await refusal { $0.own = ["oracy_groups": groups] } == .groups) }
    }

    @Test func invalidTokensAreRefused() async throws {
        let keys = TokenKeys(.secret(Array(Self.secret.utf8)), issuer: "school", audience: "exams")
        try await keys.load()
        let signer = await withSecret()
        let good = try await signer.sign(claims(issuer: "school", audience: ["other", "exams"]))
        #expect(await refusal(keys, good) == nil)
        let header = Data(#"{"alg":"none","typ":"JWT"}"#.utf8).base64EncodedString().trimmingCharacters(in: ["="])
        let parts = good.split(separator: ".").map(String.init)
        let bad: [(String, TokenRefusal)] = [
            ("", .malformed), ("a.b.c", .malformed), ("\(header).\(parts[1]).", .signature),
            ("\(parts[0]).\(parts[1]).AAAA", .signature), (String(repeating: "a", count: 100_000), .tooLong),
            (try await signer.sign(claims(in: -60, issuer: "school", audience: ["exams"])), .expired),
            (try await signer.sign(claims(in: nil, issuer: "school", audience: ["exams"])), .malformed),
            (try await signer.sign(claims(from: 300, issuer: "school", audience: ["exams"])), .notYet),
            (try await signer.sign(claims(issuer: "elsewhere", audience: ["exams"])), .issuer),
            (try await signer.sign(claims(issuer: "school", audience: ["other"])), .audience),
            (try await signer.sign(claims(issuer: "school")), .audience),
            (try await signer.sign(claims("", issuer: "school", audience: ["exams"])), .subject),
            (
                try await withSecret("another secret of a test, as long as the first").sign(
                    claims(issuer: "school", audience: ["exams"])), .signature
            ),
        ]
        for (token, why) in bad { #expect(await refusal(keys, token) == why) }
    }

    /// RFC 7519 allows an empty `aud` list, on which JWTKit's own claim ends the process.
    @Test func anEmptyAudienceMatchesNoneAndDoesNotCrash() async throws {
        let anybodys = TokenKeys(.secret(Array(Self.secret.utf8)))
        let some = TokenKeys(.secret(Array(Self.secret.utf8)), issuer: "school", audience: "exams")
        for (keys, expected) in [(anybodys, nil), (some, .audience)] as [(TokenKeys, TokenRefusal?)] {
            try await keys.load()
            for end in [600, -600] {
                let json =
                    #"{"sub":"\#(user)","iss":"school","aud":[],"exp":\#(Int(Date().timeIntervalSince1970) + end)}"#
                let why = await refusal(keys, Self.signed(#"{"alg":"HS256","typ":"JWT"}"#, json))
                #expect(why == (end < 0 ? .expired : expected))
            }
        }
    }

    /// A server refuses a token whose critical header fields it doesn't understand (RFC 7515, 4.1.11; RFC 7797, 6).
    @Test func unknownCriticalHeadersAreRefused() async throws {
        let keys = TokenKeys(.secret(Array(Self.secret.utf8)))
        try await keys.load()
        let json = #"{"sub":"\#(user)","exp":\#(Int(Date().timeIntervalSince1970) + 600)}"#
        #expect(await refusal(keys, Self.signed(#"{"alg":"HS256"}"#, json)) == nil)
        for more in [#""crit":["exp"]"#, #""crit":[]"#, #""crit":null"#, #""b64":false"#, #""b64":true"#] {
            #expect(await refusal(keys, Self.signed("{\"alg\":\"HS256\",\(more)}", json)) == .criticalHeader, "\(more)")
        }
    }

    /// A secret may be bytes that are not text. The replacement character doesn't stand for any of them.
    @Test func aSecretIsItsBytes() async throws {
        let secret = (0..<48).map { UInt8($0 * 5 & 0xFF) | 0x80 }
        let keys = TokenKeys(.secret(secret))
        try await keys.load()
        let signer = await JWTKeyCollection().add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
        #expect(await refusal(keys, try await signer.sign(claims())) == nil)
        await #expect(throws: Problem.self) {
            try await TokenKeys(.secret([UInt8](repeating: 0xFF, count: 11))).load()
        }
    }

    /// Returns a signed token with any header and any claims.
    private static func signed(_ header: String, _ claims: String) -> String {
        func part(_ bytes: some Sequence<UInt8>) -> String {
            Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
                "=", with: "")
        }
        let text = part(header.utf8) + "." + part(claims.utf8)
        let key = SymmetricKey(data: Data(secret.utf8))
        return text + "." + part(HMAC<Crypto.SHA256>.authenticationCode(for: Data(text.utf8), using: key))
    }

    @Test func smallClockDifferencesAreAccepted() async throws {
        let keys = TokenKeys(.secret(Array(Self.secret.utf8)))
        try await keys.load()
        #expect(await refusal(keys, try await withSecret().sign(claims(in: -10))) == nil)
        #expect(await refusal(keys, try await withSecret().sign(claims(from: 10))) == nil)
    }

    @Test func aShortSecretStartsNoServer() async {
        await #expect(throws: Problem.self) { try await TokenKeys(.secret(Array("too short".utf8))).load() }
    }

    /// A private key of each kind, and its public half as JWKS.
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

    @Test func tokensAreCheckedWithPublicKeys() async throws {
        let (ec, rsa, other) = (await Key(ec: "one"), try await Key(rsa: "two"), await Key(ec: "one"))
        let path = NSTemporaryDirectory() + "oracy-jwks-\(UUID())"
        defer { unlink(path) }
        try Self.set([ec, rsa]).write(toFile: path, atomically: true, encoding: .utf8)
        let keys = TokenKeys(.file(path))
        try await keys.load()
        #expect(try await keys.caller(of: ec.sign(claims())).user == user)
        #expect(try await keys.caller(of: rsa.sign(claims())).user == user)
        #expect(await refusal(keys, try await other.sign(claims())) == .signature)
        // The public key, used as a secret: an attack that is often tried.
        let forged = await JWTKeyCollection().add(
            hmac: HMACKey(from: Data(ec.json.utf8)), digestAlgorithm: .sha256, kid: "one")
        #expect(await refusal(keys, try await forged.sign(claims(), kid: "one")) != nil)
    }

    /// Some services state no algorithm for their keys. A client must not choose one for the tokens of all others.
    @Test func aTokenOfAnotherAlgorithmChangesNothingForOthers() async throws {
        let (rsa, ec) = (try await Key(rsa: "two"), await Key(ec: "one"))
        let path = NSTemporaryDirectory() + "oracy-jwks-\(UUID())"
        defer { unlink(path) }
        for keys in [[rsa], [rsa, ec]] {
            let set = Self.set(keys).replacing(#""alg":"RS256","#, with: "").replacing(#""alg":"ES256","#, with: "")
            try set.write(toFile: path, atomically: true, encoding: .utf8)
            let known = TokenKeys(.file(path))
            try await known.load()
            for key in keys {
                let good = try await key.sign(claims())
                let parts = good.split(separator: ".")
                for algorithm in ["RS512", "PS256", "ES256", "ES384", "HS256", "none", "x"] {
                    let header = Data("{\"alg\":\"\(algorithm)\",\"kid\":\"\(key.kid)\"}".utf8).base64EncodedString()
                    let forged = "\(header.replacing("=", with: "")).\(parts[1]).\(parts[2])"
                    #expect(await refusal(known, forged) != nil, "\(algorithm)")
                }
                #expect(await refusal(known, good) == nil, "\(key.kid)")
            }
        }
    }

    @Test func aChangedKeyFileIsReadAgain() async throws {
        let (old, new) = (await Key(ec: "old"), await Key(ec: "new"))
        let path = NSTemporaryDirectory() + "oracy-jwks-\(UUID())"
        defer { unlink(path) }
        try Self.set([old]).write(toFile: path, atomically: true, encoding: .utf8)
        let keys = TokenKeys(.file(path))
        try await keys.load()
        #expect(await refusal(keys, try await new.sign(claims())) != nil)
        try Self.set([new]).write(toFile: path, atomically: true, encoding: .utf8)
        #expect(await refusal(keys, try await new.sign(claims())) == nil)
        #expect(await refusal(keys, try await old.sign(claims())) != nil)
        // The file is half written. The keys that were read before stay valid.
        try "{\"keys\":[".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(await refusal(keys, try await new.sign(claims())) == nil)
    }

    @Test func keysAtAnAddressAreFetched() async throws {
        let key = await Key(ec: "one")
        let json = Mutex(Self.set([key]))
        let server = try HTTPServer { _ in
            HTTPClient.HTTPResponse(status: 200, body: Array(json.withLock { $0 }.utf8))
        }
        defer { server.stop() }
        let keys = TokenKeys(.url(server.url + "/jwks.json"))
        try await keys.load()
        #expect(await refusal(keys, try await key.sign(claims())) == nil)
    }

    @Test(arguments: ["", "{}", "{\"keys\":[]}", "{\"keys\":[{\"kty\":\"EC\"}]}", "<html>"])
    func anInvalidKeySetStopsTheStart(_ text: String) async throws {
        let path = NSTemporaryDirectory() + "oracy-jwks-\(UUID())"
        defer { unlink(path) }
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        await #expect(throws: Problem.self) { try await TokenKeys(.file(path)).load() }
        await #expect(throws: Problem.self) { try await TokenKeys(.file(path + "-missing")).load() }
    }
}
