import ExamStore
import Foundation
import HTTPClient
import HTTPTypes
import StoreTrials
import Testing

@testable import ExamNode
@testable import ExamServer

/// Attacks on accounts of classes: by pages of other sites, classmates and strangers.
@Suite(.bothStores) struct ClassAttacks {
    // MARK: Cookies

    @Test func aTokenThatSomebodySetIsNeverKept() async throws {
        let server = try await RunningServer(classes: .unguarded)
        let room = try await ClassRoom(on: server)
        let eve = try await room.join("Eve")
        let eves = try #require(eve.token)
        var tried = 0
        for planted in [eves, SignInToken().text, "", "x", String(repeating: "0", count: 64)] {
            let victim = ClassBrowser(server)
            victim.token = planted
            _ = try await room.join("Victim \(tried)", in: victim)
            let own = try #require(victim.token)
            #expect(own != planted)
            let other = ClassBrowser(server)
            other.token = planted
            #expect(try await other.ask("GET", "/v1/me").status == 401, "the planted token opens nothing")
            #expect(try await victim.ask("GET", "/v1/class").object["name"] as? String == "Victim \(tried)")
            tried += 1
        }
        // Two cookies of the same name: one may be planted by another program of this host.
        let ann = try await room.join("Ann")
        let own = try #require(ann.token)
        for cookies in ["oracy=\(own); oracy=\(eves)", "oracy=\(eves); oracy=\(own)", "oracy=\(own);oracy=\(own)"] {
            #expect(try await ClassBrowser(server).ask("GET", "/v1/me", cookies: cookies).status == 401)
            tried += 1
        }
        print("sign-ins: \(tried) planted cookies, none kept")
        await server.stop()
    }

    /// Pages of other sites reach the server with the victim's browser. `SameSite` already keeps the cookie from them;
    /// here the browser sends it nevertheless.
    @Test func pagesOfOtherSitesChangeNothing() async throws {
        let origin = "https://exams.example.org"
        let server = try await RunningServer(classes: .unguarded) { $0.allowedOrigins = [origin] }
        let room = try await ClassRoom(on: server)
        let (hale, ann) = (try await room.teachersBrowser(), try await room.join("Ann"))
        let user = try #require(try await ann.ask("GET", "/v1/me").object["user"] as? String)
        let before = try await hale.ask("GET", "/v1/class").text
        let credentials = ["code": room.code, "name": "Ann", "pin": "502916"]
        let requests: [(String, String, [String: Any]?)] = [
            ("POST", "/v1/class/join", credentials), ("POST", "/v1/class/sign-in", credentials),
            ("POST", "/v1/class/link", ["link": try await room.link()]), ("POST", "/v1/class/sign-out", nil),
            ("DELETE", "/v1/class/sign-ins", nil), ("POST", "/v1/class/code", nil),
            ("POST", "/v1/class/members/\(user)/pin", nil), ("DELETE", "/v1/class/members/\(user)", nil),
            ("PUT", "/v1/profile", ["username": "Eve"]), ("DELETE", "/v1/profile", nil),
            ("POST", "/v1/exams", ["consent": true]), ("DELETE", "/v1/sessions/\(UUID())", nil),
            ("PATCH", "/v1/uploads/x", nil),
        ]
        let pages: [ClassBrowser.Page] = [
            .none, .other("https://evil.example"), .other("null"), .other(origin), .other("http://127.0.0.1"),
            .other("http://127.0.0.1:1"), .other(server.url + ".evil.example"),
            .other(server.url.replacing("http:", with: "https:")), .other(""),
        ]
        var tried = 0
        for (method, path, body) in requests {
            for page in pages {
                let answer = try await hale.ask(method, path, body, from: page)
                #expect(answer.status == 403 && answer.code == "other-origin", "\(method) \(path) \(page)")
                #expect(answer.stored.isEmpty)
                tried += 1
            }
        }
        #expect(try await hale.ask("GET", "/v1/class").text == before)
        #expect(try await ann.ask("GET", "/v1/profile").object["username"] as? String == "Ann")
        // A browser hides this answer from the page, since no answer allows credentials.
        let read = try await hale.ask("GET", "/v1/class", from: .other(origin))
        #expect(!read.headers.contains { $0.name == "access-control-allow-credentials" })
        print("pages of other sites: \(tried) requests with a cookie, all refused")
        await server.stop()
    }

    @Test func aCookieOpensNoWebSocket() async throws {
        let server = try await RunningServer(classes: .tried)
        let ann = try await ClassRoom(on: server).join("Ann")
        let (cookie, port) = ("Cookie: oracy=\(try #require(ann.token))", server.port)
        let foreign = try await onThread {
            try TestSocket(port: port, headers: [cookie, "Origin: https://evil.example"]).isUpgraded
        }
        #expect(!foreign)
        let own = server.url
        let closed = try await onThread {
            let socket = try TestSocket(port: port, headers: [cookie, "Origin: \(own)"])
            socket.say(#"{"type":"hello","token":""}"#)
            while let heard = try socket.hear() { if case .closed(let code) = heard { return code } }
            return 0
        }
        #expect(closed != 0, "an exam is opened by its own token only")
        await server.stop()
    }

    /// Over https, cookies are bound to this very host, and only its pages by https count.
    @Test func encryptedServersBindTheirCookies() async throws {
        let cookies = SignInCookies(isEncrypted: true)
        let header = cookies.storing("t", as: .signIn, days: 1)
        #expect(
            header.value == "__Host-oracy=t; Path=/; Max-Age=86400; HttpOnly; SameSite=Strict; Secure")
        #expect(cookies.isOwnPage([.origin: "https://A.example"], at: "a.example"))
        for (origin, host) in [
            ("http://a.example", "a.example"), ("https://a.example:8443", "a.example"),
            ("https://a.example.", "a.example"),
            ("https://b.example", "a.example"), ("https://", ""), ("null", "null"),
        ] where origin != "https://" + host {
            #expect(!cookies.isOwnPage([.origin: origin], at: host), "\(origin)")
        }
        #expect(cookies.value(.signIn, in: [.cookie: "oracy=t; oracy-device=d"]) == nil)
    }

    // MARK: Guessing

    @Test func guessingCodesIsSlowedDown() async throws {
        let server = try await RunningServer(classes: .tried)
        let room = try await ClassRoom(on: server)
        let eve = ClassBrowser(server)
        var answers: [Int: Int] = [:]
        for _ in 0..<200 {
            let guess = ["code": JoinCode.fresh(), "name": "Eve", "pin": "502916"]
            answers[try await eve.ask("POST", "/v1/class/join", guess).status, default: 0] += 1
        }
        // Sixty at once, and one for each second that the test takes.
        #expect(answers[404, default: 0] >= 60 && answers[429, default: 0] > 0, "\(answers)")
        #expect(Set(answers.keys) == [404, 429])
        let right = try await eve.ask(
            "POST", "/v1/class/join", ["code": room.code, "name": "Eve", "pin": "502916"])
        #expect([201, 429].contains(right.status))
        print("codes: 200 guesses, \(answers[429, default: 0]) refused unseen")
        await server.stop()
    }

    @Test func guessingAPINKeepsItsOwnerNotOut() async throws {
        let server = try await RunningServer(classes: .tried)
        let room = try await ClassRoom(on: server)
        let ann = try await room.join("Ann")
        let eve = ClassBrowser(server)
        var answers: [String: Int] = [:]
        for guess in 0..<40 {
            let answer = try await room.signIn("Ann", pin: "60000\(guess % 10)", in: eve)
            answers[answer.code, default: 0] += 1
            if answer.status == 429 { #expect(answer.headers.contains { $0.name == "retry-after" }) }
        }
        #expect(answers["wrong-pin", default: 0] >= 5 && answers["too-many-requests", default: 0] > 20, "\(answers)")
        // The right PIN is no exception, or the answer would confirm it.
        #expect(try await room.signIn("Ann", in: eve).status == 429)
        // Ann can still sign in with her own browser, and others can join.
        #expect(try await ann.ask("POST", "/v1/class/sign-out").status == 204)
        #expect(try await room.signIn("Ann", in: ann).status == 200)
        _ = try await room.join("Bo", in: ClassBrowser(server))
        // A forged cookie of a used browser, or that of another member, doesn't bypass the limits.
        let eves = try await room.join("Eve")
        for device in [eves.device, "e30.AAAA", "", ann.device.map { String($0.dropLast(2)) + "AA" }] {
            let browser = ClassBrowser(server)
            browser.device = device
            #expect(try await room.signIn("Ann", in: browser).status == 429)
        }
        print("PINs: 40 guesses, \(answers["wrong-pin", default: 0]) heard; the owner signed in at once")
        await server.stop()
    }

    @Test func unknownNamesAndWrongPINsLookAlike() async throws {
        let server = try await RunningServer(classes: .unguarded)
        let room = try await ClassRoom(on: server)
        _ = try await room.join("Ann")
        var seen: Set<String> = []
        // The teacher has no PIN: only links.
        for (name, pin) in [("Ann", "600000"), ("Nobody", "502916"), ("Ms Hale", ""), ("Ms Hale", "502916")] {
            let answer = try await room.signIn(name, pin: pin.isEmpty ? " " : pin, in: ClassBrowser(server))
            #expect(answer.status == 403 && answer.stored.isEmpty)
            seen.insert(answer.text.replacing(/"requestId":"[0-9a-f]+"/, with: ""))
        }
        #expect(seen.count == 1, "\(seen)")
        await server.stop()
    }

    // MARK: Roles

    @Test func onlyTheTeacherOfAClassManagesIt() async throws {
        let server = try await RunningServer(classes: .unguarded)
        let (room, other) = (try await ClassRoom(on: server), try await ClassRoom(on: server, named: "Form 9C"))
        let (ann, bo) = (try await room.join("Ann"), try await room.join("Bo"))
        let (hale, stranger) = (try await room.teachersBrowser(), try await other.teachersBrowser())
        func user(_ browser: ClassBrowser) async throws -> String {
            try #require(try await browser.ask("GET", "/v1/me").object["user"] as? String)
        }
        let (anns, hales) = (try await user(ann), try await user(hale))
        let before = try await hale.ask("GET", "/v1/class").text
        var tried = 0
        for (browser, allowed) in [(ann, [403]), (bo, [403]), (stranger, [404]), (ClassBrowser(server), [401])] {
            for (method, path) in [
                ("POST", "/v1/class/members/\(anns)/pin"), ("DELETE", "/v1/class/members/\(anns)"),
                ("POST", "/v1/class/members/\(hales)/pin"), ("DELETE", "/v1/class/members/\(hales)"),
                ("GET", "/v1/groups/Form%209B/sessions"),
            ] {
                let answer = try await browser.ask(method, path)
                #expect(allowed.contains(answer.status), "\(method) \(path): \(answer.status)")
                tried += 1
            }
        }
        #expect(try await ann.ask("POST", "/v1/class/code").status == 403)
        // A teacher by a token from elsewhere, of a group with the class's name, sees its exams but not its members.
        for (method, path) in [
            ("POST", "/v1/class/code"), ("POST", "/v1/class/members/\(anns)/pin"), ("GET", "/v1/class"),
        ] {
            let answer = try await server.ask(method, path, as: UUID(), .teacher(of: "Form 9B"))
            #expect(answer.status == 404, "\(method) \(path): \(answer.status)")
            tried += 1
        }
        // A teacher cannot remove a teacher, nor themselves, nor see a teacher's PIN.
        #expect(try await hale.ask("DELETE", "/v1/class/members/\(hales)").status == 404)
        #expect(try await hale.ask("POST", "/v1/class/members/\(hales)/pin").status == 404)
        #expect(try await hale.ask("GET", "/v1/class").text == before)
        print("roles: \(tried) requests of others, none let through")
        await server.stop()
    }

    @Test func nothingSecretIsLoggedOrStored() async throws {
        let server = try await RunningServer(classes: .tried)
        let room = try await ClassRoom(on: server, named: "Form Nine Bee")
        let ann = try await room.join("Annabella", pin: "739105")
        _ = try await room.signIn("Annabella", pin: "739106", in: ann)
        let secrets = [try #require(ann.token), "739105", "739106", "Annabella", room.code, "Form Nine Bee"]
        for secret in secrets { #expect(!server.log.text.contains(secret), "\(secret)") }
        let user = try #require(try await ann.ask("GET", "/v1/me").object["user"] as? String).uppercased()
        let held = try await server.services.store.service.held(of: try #require(UUID(uuidString: user)))
        #expect(held["memberships"] == 1 && held["sign-ins"] == 1)
        await server.stop()
    }
}
