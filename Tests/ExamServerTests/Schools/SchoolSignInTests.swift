import ExamStore
import Foundation
import HTTPClient
import HTTPTypes
import LoopbackServers
import StoreTrials
import Testing

@testable import ExamNode
@testable import ExamServer

/// People sign in with their school's account at an honest service, and at one that lies.
@Suite(.bothStores) struct SchoolSignInTests {
    @Test func aLearnerAndATeacherSignInAndOut() async throws {
        let trial = try await SchoolTrial()
        let (ann, hale) = (ClassBrowser(trial.server), ClassBrowser(trial.server))
        let ways = try await ann.ask("GET", "/v1/sign-in").object
        #expect(ways["classes"] as? Bool == false && ways["tokens"] as? Bool == true, "\(ways)")
        let schools = ways["schools"] as? [[String: String]]
        #expect(schools == [["id": "elm", "name": "Elm School"], ["id": "oak", "name": "Oak School"]])

        #expect(try await trial.signIn(SchoolTrial.ann, in: ann) == "/")
        let me = try await ann.ask("GET", "/v1/me").object
        #expect(me["groups"] as? [String] == ["elm:7b", "elm:8c"] && me["roles"] as? [String] == [], "\(me)")
        #expect(me["school"] as? String == "Elm School" && me["isMember"] as? Bool == false, "\(me)")
        #expect(try await ann.ask("GET", "/v1/profile").object["username"] as? String == "Ann Lee-Winter")

        #expect(try await trial.signIn(SchoolTrial.hale, in: hale) == "/")
        let teacher = try await hale.ask("GET", "/v1/me").object
        #expect(teacher["roles"] as? [String] == ["marker", "teacher"] && teacher["groups"] as? [String] == ["elm:7b"])
        // What the learner does in the group of the school, the teacher of this group sees.
        let session = UUID().uuidString.lowercased()
        let facts = ["id": session, "name": "s", "format": "f", "paper": "p", "startedAt": "2026-11-21T09:12:29Z"]
        #expect(try await ann.ask("PUT", "/v1/sessions/\(session)", facts).status == 201)
        let seen = try await hale.ask("GET", "/v1/groups/elm:7b/sessions")
        #expect(seen.text.contains(session) && seen.text.contains("Ann Lee-Winter"), "\(seen.text)")
        #expect(try await hale.ask("GET", "/v1/groups/elm:8c/sessions").status == 404)

        // The same person is the same user in another browser. Here the first one is signed out.
        let phone = ClassBrowser(trial.server)
        try await trial.signIn(SchoolTrial.ann, in: phone)
        #expect(try await phone.ask("GET", "/v1/me").object["user"] as? String == me["user"] as? String)
        let old = ann.token
        let out = try await ann.ask("POST", "/v1/class/sign-out")
        let place = try #require(out.object["address"] as? String, "\(out.text)")
        #expect(place.hasPrefix(trial.provider.issuer + "/end?theme=elm&client_id="), "\(place)")
        #expect(place.hasSuffix("post_logout_redirect_uri=http%3A%2F%2Flocalhost%2F") && ann.token == nil, "\(place)")
        ann.token = old
        #expect(try await ann.ask("GET", "/v1/me").code == "signed-out")
        #expect(try await ann.ask("POST", "/v1/class/sign-out").status == 204)
        #expect(try await phone.ask("DELETE", "/v1/class/sign-ins").status == 204)
        phone.token = old
        #expect(try await phone.ask("GET", "/v1/me").code == "signed-out")

        // A sign-in ends after the hours of the file.
        trial.clock.pass(seconds: 8 * 3_600 - 60)
        #expect(try await hale.ask("GET", "/v1/me").status == 200)
        trial.clock.pass(seconds: 61)
        #expect(try await hale.ask("GET", "/v1/me").code == "signed-out")
        expectNoSecrets(in: trial)
        await trial.stop()
    }

    @Test func cookiesAndAddressesAreThoseThatBrowsersNeed() async throws {
        let trial = try await SchoolTrial()
        let browser = ClassBrowser(trial.server)
        let begun = try await browser.ask("POST", "/v1/sign-in/elm")
        #expect(begun.stored.count == 1 && begun.stored[0].hasPrefix("oracy-attempt="), "\(begun.stored)")
        // A strict cookie would not come along when the school sends the browser back.
        #expect(begun.stored[0].hasSuffix("; Path=/; Max-Age=600; HttpOnly; SameSite=Lax"), "\(begun.stored)")
        let address = try #require(begun.object["address"] as? String)
        #expect(address.contains("redirect_uri=http%3A%2F%2Flocalhost%2Fv1%2Fsign-in%2Felm%2Fcallback"), "\(address)")
        let agreed = try #require(trial.provider.agree(address, as: SchoolTrial.ann))
        let query = FormText.of(agreed.sorted { $0.key < $1.key })
        let back = try await browser.ask("GET", "/v1/sign-in/elm/callback?\(query)", from: .none)
        #expect(
            back.stored.contains { $0.hasPrefix("oracy=") && $0.hasSuffix("Max-Age=28800; HttpOnly; SameSite=Strict") })
        #expect(back.stored.contains { $0.hasPrefix("oracy-attempt=;") && $0.contains("Max-Age=0;") }, "\(back.stored)")
        let encrypted = SignInCookies(isEncrypted: true).storing("t", as: .attempt, days: 600 / 86_400.0)
        #expect(
            encrypted.value == "__Host-oracy-attempt=t; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure")
        // Only the server's own page begins, or signs out.
        for page in [ClassBrowser.Page.none, .other("https://evil.example"), .other("null")] {
            #expect(try await browser.ask("POST", "/v1/sign-in/elm", from: page).code == "other-origin")
            #expect(try await browser.ask("POST", "/v1/class/sign-out", from: page).code == "other-origin")
        }
        #expect(try await browser.ask("POST", "/v1/sign-in/ash").status == 404)
        #expect(try await browser.ask("GET", "/v1/sign-in/ash/callback", from: .none).status == 404)
        await trial.stop()
    }

    // MARK: A lying service

    @Test func everyLieIsRefusedWithItsReason() async throws {
        let trial = try await SchoolTrial()
        var told: [String] = []
        /// Signs in while the service lies, and expects the reason and the word in the page's address.
        func expect(
            _ lie: LyingProvider.Lie, _ reason: String, _ word: String = "failed",
            as claims: [String: Any] = SchoolTrial.ann
        ) async throws {
            let browser = ClassBrowser(trial.server)
            let address = try await trial.begin(browser)
            trial.provider.lie(lie)
            let agreed = try #require(trial.provider.agree(address, as: claims))
            let place = try await trial.comeBack(browser, agreed)
            trial.provider.lie(.none)
            told.append(reason)
            #expect(trial.reasons == told, "\(trial.reasons.suffix(3)) instead of \(reason)")
            #expect(place == "/#/sign-in/\(word)", "\(reason)")
            #expect(browser.token == nil, "\(reason)")
            #expect(try await browser.ask("GET", "/v1/me").status == 401, "\(reason)")
        }
        func change(_ claim: String, _ value: (any Sendable)?) -> LyingProvider.Lie { .claims { $0[claim] = value } }
        let now = trial.clock.now().timeIntervalSince1970
        let client = LyingProvider.client

        // Signatures.
        try await expect(.foreignKey, "signature")
        try await expect(.header(["alg": "none"]), "algorithm")
        try await expect(.header(["alg": "NONE", "kid": "key-1"]), "algorithm")
        try await expect(.publicKeyAsSecret, "algorithm")
        try await expect(.header(["alg": "HS512", "kid": "key-1"]), "algorithm")
        try await expect(.header(["kid": "key-1"]), "algorithm")
        try await expect(.header(["alg": "ES384", "kid": "key-1"]), "signature")
        try await expect(.header(["alg": "RS256", "kid": "key-1"]), "signature")
        try await expect(.header(["alg": "ES256", "kid": "sealed"]), "unknown-key")
        try await expect(.header(["alg": "ES256", "kid": "another"]), "unknown-key")
        try await expect(.header(["alg": "ES256", "kid": "key-1", "crit": "exp"]), "critical-header")

        // Claims.
        try await expect(change("iss", "https://login.evil.example"), "issuer")
        try await expect(change("iss", trial.provider.issuer + "/"), "issuer")
        try await expect(change("iss", nil), "issuer")
        try await expect(change("aud", "another-client"), "audience")
        try await expect(change("aud", [String]()), "audience")
        try await expect(change("aud", nil), "audience")
        try await expect(change("aud", [client, "another-client"]), "authorized-party")
        try await expect(change("azp", "another-client"), "authorized-party")
        try await expect(change("azp", 7), "authorized-party")
        try await expect(change("exp", Int(now) - 31), "expired")
        try await expect(change("exp", nil), "malformed")
        try await expect(change("exp", "tomorrow"), "malformed")
        try await expect(change("iat", nil), "malformed")
        try await expect(change("iat", Int(now) + 60), "not-yet")
        try await expect(change("nbf", Int(now) + 60), "not-yet")
        try await expect(change("nonce", nil), "nonce")
        try await expect(change("nonce", "another"), "nonce")
        try await expect(change("at_hash", "AAAA"), "access-token")
        try await expect(change("at_hash", 1), "access-token")
        try await expect(change("sub", nil), "subject")
        try await expect(change("sub", ""), "subject")
        try await expect(change("sub", String(repeating: "s", count: 256)), "subject")

        // Texts that are no tokens, and answers that are no answers.
        let deep = Data(String(repeating: "[", count: 5_000).utf8).base64EncodedString()
        for text in ["", "..", "e30.e30.", "\(deep).\(deep).x", String(repeating: "a", count: 70_000)] {
            let reason = text == "e30.e30." ? "algorithm" : "malformed"
            try await expect(.token(text), reason)
        }
        let huge = [UInt8](repeating: 0x20, count: 300 * 1024)
        for answer in [
            HTTPClient.HTTPResponse(status: 200, body: huge),
            HTTPClient.HTTPResponse(status: 302, headers: ["location": "/token"]),
            HTTPClient.HTTPResponse(status: 500), HTTPClient.HTTPResponse(status: 400, body: Array("<html>".utf8)),
        ] { try await expect(.answer("/token", answer), "unreachable", "unavailable") }
        try await expect(.answer("/token", HTTPClient.HTTPResponse(status: 200, body: Array("{}".utf8))), "malformed")
        let refusal = Array(#"{"error":"invalid_client"}"#.utf8)
        try await expect(
            .answer("/token", HTTPClient.HTTPResponse(status: 401, body: refusal)), "client", "unavailable")

        // People without a place here.
        try await expect(
            .none, "not-admitted", "not-admitted", as: ["sub": "subject-of-cleo", "groups": ["/visitors"]])
        try await expect(
            .none, "groups", as: ["sub": "subject-of-dan", "groups": ["/pupils"] + (0...100).map { "/classes/\($0)" }])

        // After all that, an honest answer is accepted.
        #expect(try await trial.signIn(SchoolTrial.ann, in: ClassBrowser(trial.server)) == "/")
        expectNoSecrets(in: trial)
        print("schools: \(told.count) lies of a sign-in service, each refused with its reason")
        await trial.stop()
    }

    @Test func everyReplayAndMixUpIsRefusedWithItsReason() async throws {
        let trial = try await SchoolTrial()
        var told: [String] = []
        func expect(
            _ reason: String, _ word: String, _ browser: ClassBrowser, _ fields: [String: String],
            at school: String = "elm",
            cookies: String? = nil
        ) async throws {
            let before = browser.token
            let place = try await trial.comeBack(browser, fields, at: school, cookies: cookies)
            told.append(reason)
            #expect(trial.reasons == told, "\(trial.reasons.suffix(3)) instead of \(reason)")
            #expect(place == "/#/sign-in/\(word)", "\(reason)")
            #expect(browser.token == before, "\(reason)")
        }
        /// Returns a browser that has begun, with the school's answer for it.
        func begun() async throws -> (browser: ClassBrowser, answer: [String: String], cookie: String) {
            let browser = ClassBrowser(trial.server)
            let begun = try await browser.ask("POST", "/v1/sign-in/elm")
            let address = try #require(begun.object["address"] as? String)
            let cookie = begun.stored[0].prefix { $0 != ";" }
            return (browser, try #require(trial.provider.agree(address, as: SchoolTrial.ann)), String(cookie))
        }

        // States.
        let (ann, answer, cookie) = try await begun()
        #expect(try await trial.comeBack(ann, answer) == "/")
        try await expect("browser", "expired", ann, answer)
        try await expect("state", "expired", ann, answer, cookies: cookie)
        let (eve, evesAnswer, evesCookie) = try await begun()
        let (victim, _, victimsCookie) = try await begun()
        // Eve sends her own answer to a victim, who would then work as Eve.
        try await expect("state", "expired", victim, evesAnswer, cookies: victimsCookie)
        try await expect("browser", "expired", ClassBrowser(trial.server), evesAnswer)
        for state in ["", "x", String(repeating: "0", count: 64)] {
            try await expect("state", "expired", eve, evesAnswer.merging(["state": state]) { $1 }, cookies: evesCookie)
        }
        try await expect("state", "expired", eve, evesAnswer.filter { $0.key != "state" }, cookies: evesCookie)
        // None of these used up Eve's own sign-in.
        #expect(try await trial.comeBack(eve, evesAnswer, cookies: evesCookie) == "/")
        let (late, latesAnswer, _) = try await begun()
        trial.clock.pass(seconds: 601)
        try await expect("state", "expired", late, latesAnswer)

        // Codes: a used one, and one of another sign-in, whose verifier this one does not know.
        var (browser, fields, _) = try await begun()
        try await expect("code", "failed", browser, fields.merging(["code": answer["code"]!]) { $1 })
        let stolen = try await begun().answer["code"]!
        (browser, fields, _) = try await begun()
        try await expect("code", "failed", browser, fields.merging(["code": stolen]) { $1 })
        (browser, fields, _) = try await begun()
        try await expect("no-code", "failed", browser, fields.filter { $0.key != "code" })

        // Another service answers (RFC 9207).
        for issuer in [trial.other.issuer, "", trial.provider.issuer + "/"] {
            (browser, fields, _) = try await begun()
            try await expect("answering-issuer", "failed", browser, fields.merging(["iss": issuer]) { $1 })
        }
        (browser, fields, _) = try await begun()
        try await expect("answering-issuer", "failed", browser, fields.filter { $0.key != "iss" })
        (browser, fields, _) = try await begun()
        try await expect("other-school", "failed", browser, fields, at: "oak")

        // Errors of the service.
        for (error, reason, word) in [
            ("access_denied", "cancelled", "cancelled"), ("server_error", "service", "failed"),
            ("<script>", "service", "failed"),
        ] {
            (browser, fields, _) = try await begun()
            fields["code"] = nil
            try await expect(reason, word, browser, fields.merging(["error": error]) { $1 })
        }
        // A token that another program planted is never continued.
        (browser, fields, _) = try await begun()
        browser.token = SignInToken().text
        let planted = browser.token
        #expect(try await trial.comeBack(browser, fields) == "/")
        #expect(browser.token != planted)
        expectNoSecrets(in: trial)
        print("schools: \(told.count) replays and mix-ups, each refused with its reason")
        await trial.stop()
    }

    @Test func descriptionsThatLieBeginNoSignIn() async throws {
        var tried = 0
        func expect(_ lie: LyingProvider.Lie, _ reason: String) async throws {
            let trial = try await SchoolTrial()
            trial.provider.lie(lie)
            let begun = try await ClassBrowser(trial.server).ask("POST", "/v1/sign-in/elm")
            #expect(begun.status == 503 && begun.code == "unavailable" && begun.stored.isEmpty, "\(begun.text)")
            #expect(trial.reasons == [reason])
            // The other school's people sign in all the same.
            #expect(try await trial.begin(ClassBrowser(trial.server), at: "oak").hasPrefix(trial.other.issuer))
            tried += 1
            await trial.stop()
        }
        let path = "/.well-known/openid-configuration"
        try await expect(.description { $0["issuer"] = "https://login.evil.example" }, "description")
        try await expect(.description { $0["token_endpoint"] = "http://login.evil.example/token" }, "description")
        try await expect(.description { $0["jwks_uri"] = "file:///etc/passwd" }, "description")
        try await expect(.description { $0["code_challenge_methods_supported"] = ["plain"] }, "description")
        try await expect(.description { $0["token_endpoint"] = nil }, "unreachable")
        try await expect(.answer(path, HTTPClient.HTTPResponse(status: 302, headers: ["location": "/"])), "unreachable")
        try await expect(.answer(path, HTTPClient.HTTPResponse(status: 200, body: Array("<html>".utf8))), "unreachable")
        let huge = Array(#"{"issuer":""#.utf8) + [UInt8](repeating: 0x61, count: 300 * 1024)
        try await expect(.answer(path, HTTPClient.HTTPResponse(status: 200, body: huge)), "unreachable")
        print("schools: \(tried) lying descriptions, none believed")
    }

    /// A service that sends bytes for ever, and one that never answers.
    @Test func endlessAnswersEnd() async throws {
        let endless = try TCPServer { connection, _ in
            _ = connection.read()
            guard connection.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n") else { return }
            let chunk = Array("4000\r\n".utf8) + [UInt8](repeating: 0x20, count: 0x4000) + [13, 10]
            while connection.write(chunk) {}
        }
        let silent = try TCPServer { connection, _ in while !connection.read().isEmpty {} }
        for (port, idle) in [(endless.port, Duration.seconds(60)), (silent.port, .milliseconds(300))] {
            let school = SchoolSettings.School(
                id: "elm", name: "Elm", issuer: "http://127.0.0.1:\(port)", client: "c", people: SchoolTrial.people)
            let provider = SchoolProvider(school, secret: nil, patience: .init(idle: idle))
            await #expect(throws: SchoolFailure.self) { _ = try await provider.description() }
        }
        let keys = "http://127.0.0.1:\(endless.port)/keys"
        let trial = try await SchoolTrial()
        trial.provider.lie(.description { $0["jwks_uri"] = keys })
        #expect(try await trial.signIn(SchoolTrial.ann, in: ClassBrowser(trial.server)) == "/#/sign-in/unavailable")
        #expect(trial.reasons == ["unreachable"])
        await trial.stop()
        endless.stop()
        silent.stop()
    }

    // MARK: Keys

    @Test func aNewKeyIsFetchedWhenATokenNamesIt() async throws {
        let trial = try await SchoolTrial()
        #expect(try await trial.signIn(SchoolTrial.ann, in: ClassBrowser(trial.server)) == "/")
        #expect(try await trial.signIn(SchoolTrial.ann, in: ClassBrowser(trial.server)) == "/")
        #expect(trial.provider.keysRead == 1)
        trial.provider.rotate()
        #expect(try await trial.signIn(SchoolTrial.ann, in: ClassBrowser(trial.server)) == "/")
        #expect(trial.provider.keysRead == 2)
        await trial.stop()
    }

    @Test func unknownKeysAreAskedForOnceInAWhile() async throws {
        let trial = try await SchoolTrial(patience: .init(pause: .seconds(3_600), idle: .seconds(60)))
        for _ in 0..<5 {
            let browser = ClassBrowser(trial.server)
            let address = try await trial.begin(browser)
            trial.provider.lie(.header(["alg": "ES256", "kid": UUID().uuidString]))
            let agreed = try #require(trial.provider.agree(address, as: SchoolTrial.ann))
            #expect(try await trial.comeBack(browser, agreed) == "/#/sign-in/failed")
            trial.provider.lie(.none)
        }
        #expect(trial.provider.keysRead == 1 && trial.reasons == Array(repeating: "unknown-key", count: 5))
        await trial.stop()
    }

    // MARK: Identity

    /// Two schools can name the same subject, even the same UUID. They are different people.
    @Test func peopleOfTwoSchoolsAreDifferentUsers() async throws {
        let trial = try await SchoolTrial()
        let user = UUID()
        var claims = SchoolTrial.ann
        claims["sub"] = user.uuidString.lowercased()
        let browsers = [ClassBrowser(trial.server), ClassBrowser(trial.server)]
        for (browser, school, provider) in [(browsers[0], "elm", trial.provider), (browsers[1], "oak", trial.other)] {
            let agreed = try #require(provider.agree(try await trial.begin(browser, at: school), as: claims))
            #expect(try await trial.comeBack(browser, agreed, at: school) == "/")
        }
        var users: Set<String> = [user.uuidString.lowercased()]
        for browser in browsers {
            users.insert(try #require(try await browser.ask("GET", "/v1/me").object["user"] as? String))
        }
        #expect(users.count == 3, "\(users)")

        // Both schools have a 7b. A teacher sees the learners of her own school only.
        let session = UUID().uuidString.lowercased()
        let facts = ["id": session, "name": "s", "format": "f", "paper": "p", "startedAt": "2026-11-21T09:12:29Z"]
        #expect(try await browsers[0].ask("PUT", "/v1/sessions/\(session)", facts).status == 201)
        for (school, provider, sees) in [("elm", trial.provider, true), ("oak", trial.other, false)] {
            let hale = ClassBrowser(trial.server)
            let begun = try await trial.begin(hale, at: school)
            let agreed = try #require(provider.agree(begun, as: SchoolTrial.hale))
            #expect(try await trial.comeBack(hale, agreed, at: school) == "/")
            let own = try await hale.ask("GET", "/v1/groups/\(school):7b/sessions")
            #expect(own.status == 200 && own.text.contains(session) == sees, "\(school): \(own.text)")
            for other in ["7b", school == "elm" ? "oak:7b" : "elm:7b"] {
                #expect(try await hale.ask("GET", "/v1/groups/\(other)/sessions").status == 404, "\(school): \(other)")
            }
        }
        await trial.stop()
    }

    @Test func aNewSignInEndsTheEarlierOneOfTheBrowser() async throws {
        let trial = try await SchoolTrial()
        let (ann, copy) = (ClassBrowser(trial.server), ClassBrowser(trial.server))
        try await trial.signIn(SchoolTrial.ann, in: ann)
        copy.token = ann.token
        #expect(try await copy.ask("GET", "/v1/me").status == 200)
        _ = try await trial.begin(ann)
        #expect(try await copy.ask("GET", "/v1/me").code == "signed-out")
        await trial.stop()
    }

    @Test func erasingAUserEndsTheirSignIns() async throws {
        let trial = try await SchoolTrial()
        let ann = ClassBrowser(trial.server)
        try await trial.signIn(SchoolTrial.ann, in: ann)
        let user = try #require(
            (try await ann.ask("GET", "/v1/me").object["user"] as? String).flatMap { UUID(uuidString: $0) })
        let service = trial.server.services.store.service
        #expect(try await service.held(of: user)["school-sign-ins"] == 1)
        try await service.eraseRest(of: user, except: [])
        #expect(try await service.held(of: user).isEmpty)
        #expect(try await ann.ask("GET", "/v1/me").code == "signed-out")
        await trial.stop()
    }

    /// The log contains no code, token, nonce, name or subject.
    private func expectNoSecrets(in trial: SchoolTrial) {
        let log = trial.server.log.text
        let secrets = trial.provider.secrets.union([LyingProvider.secret]).filter { $0.utf8.count > 5 }
        #expect(secrets.count > 8)
        for secret in secrets { #expect(!log.contains(secret), "the log contains \(secret)") }
    }
}
