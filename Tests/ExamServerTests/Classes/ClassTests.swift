import ExamStore
import Foundation
import StoreTrials
import Testing

@testable import ExamNode
@testable import ExamServer

/// A teacher and learners with accounts of the server's own, without a token from elsewhere.
@Suite(.bothStores) struct ClassTests {
    @Test func aLearnerJoinsSignsOutAndComesBack() async throws {
        let server = try await RunningServer(classes: .tried)
        let ways = try await server.ask("GET", "/v1/sign-in", as: nil).object
        #expect(ways["classes"] as? Bool == true && ways["tokens"] as? Bool == true)
        let room = try await ClassRoom(on: server)
        let ann = ClassBrowser(server)
        let joined = try await ann.ask(
            "POST", "/v1/class/join",
            ["code": JoinCode.shown(room.code).lowercased(), "name": " Ann Lee ", "pin": "502916"])
        #expect(joined.status == 201 && joined.object["name"] as? String == "Ann Lee", "\(joined.text)")
        #expect(joined.stored.count == 2)
        #expect(joined.stored.allSatisfy { $0.contains("; Path=/;") && $0.contains("; HttpOnly; SameSite=Strict") })
        let me = try await ann.ask("GET", "/v1/me").object
        #expect(me["groups"] as? [String] == ["Form 9B"] && me["roles"] as? [String] == [])
        #expect(me["user"] as? String == joined.object["user"] as? String)
        #expect(try await ann.ask("GET", "/v1/profile").object["username"] as? String == "Ann Lee")

        let old = ann.token
        #expect(try await ann.ask("POST", "/v1/class/sign-out").status == 204)
        #expect(ann.token == nil)
        let without = try await ann.ask("GET", "/v1/me")
        #expect(without.status == 401 && without.code == "no-token")
        ann.token = old
        let ended = try await ann.ask("GET", "/v1/me")
        #expect(ended.status == 401 && ended.code == "signed-out")
        // A browser with an old cookie can sign in.
        #expect(try await room.signIn("ann  LEE", in: ann).status == 200)
        #expect(ann.token != old)
        #expect(try await ann.ask("GET", "/v1/me").object["user"] as? String == me["user"] as? String)

        // Everywhere.
        let phone = ClassBrowser(server)
        #expect(try await room.signIn("Ann Lee", in: phone).status == 200)
        #expect(try await ann.ask("DELETE", "/v1/class/sign-ins").status == 204)
        #expect(try await phone.ask("GET", "/v1/me").code == "signed-out")
        await server.stop()
    }

    @Test func theTeacherSeesTheClassAndItsExams() async throws {
        let server = try await RunningServer(classes: .tried)
        let (room, other) = (try await ClassRoom(on: server), try await ClassRoom(on: server, named: "Form 9C"))
        let (hale, ann, stranger) = (
            try await room.teachersBrowser(), try await room.join("Ann"), try await other.teachersBrowser()
        )
        let session = UUID().uuidString.lowercased()
        let sent = try await ann.ask(
            "PUT", "/v1/sessions/\(session)",
            [
                "id": session, "name": "a session", "format": "f", "paper": "p", "startedAt": "2026-11-21T09:12:29Z",
            ])
        #expect(sent.status == 201, "\(sent.text)")
        let seen = try await hale.ask("GET", "/v1/groups/Form%209B/sessions")
        let list = try #require(seen.object["sessions"] as? [[String: Any]])
        #expect(list.map { ($0["learner"] as? [String: Any])?["username"] as? String } == ["Ann"], "\(seen.text)")
        #expect(try await stranger.ask("GET", "/v1/groups/Form%209B/sessions").status == 404)

        let told = try await hale.ask("GET", "/v1/class").object
        #expect(told["code"] as? String == JoinCode.shown(room.code) && told["role"] as? String == "teacher")
        #expect((told["members"] as? [[String: Any]])?.map { $0["name"] as? String } == ["Ann", "Ms Hale"])
        let learners = try await ann.ask("GET", "/v1/class").object
        #expect(learners["teachers"] as? [String] == ["Ms Hale"])
        #expect(learners["code"] == nil && learners["members"] == nil, "learners see neither the code nor classmates")
        await server.stop()
    }

    @Test func theTeacherGivesNewPINsAndCodesAndRemovesLearners() async throws {
        let server = try await RunningServer(classes: .tried)
        let room = try await ClassRoom(on: server)
        let (hale, ann) = (try await room.teachersBrowser(), try await room.join("Ann"))
        let user = try #require(try await ann.ask("GET", "/v1/me").object["user"] as? String)
        let reset = try await hale.ask("POST", "/v1/class/members/\(user)/pin")
        let pin = try #require(reset.object["pin"] as? String, "\(reset.text)")
        #expect(PIN.isGood(pin))
        #expect(try await ann.ask("GET", "/v1/me").code == "signed-out")
        #expect(try await room.signIn("Ann", in: ann).code == "wrong-pin")
        #expect(try await room.signIn("Ann", pin: pin, in: ann).status == 200)

        let code = try #require(try await hale.ask("POST", "/v1/class/code").object["code"] as? String)
        let late = ClassBrowser(server)
        #expect(try await room.signIn("Ann", pin: pin, in: late).code == "no-such-class")
        let newcomer = ["code": code, "name": "Bo", "pin": "502916"]
        #expect(try await late.ask("POST", "/v1/class/join", newcomer).status == 201)

        #expect(try await hale.ask("DELETE", "/v1/class/members/\(user)").status == 204)
        #expect(try await hale.ask("DELETE", "/v1/class/members/\(user)").status == 404)
        #expect(try await ann.ask("GET", "/v1/me").code == "signed-out")
        let members = try await hale.ask("GET", "/v1/class").object["members"] as? [[String: Any]]
        #expect(members?.map { $0["name"] as? String } == ["Bo", "Ms Hale"])
        await server.stop()
    }

    @Test func aLearnerChangesTheirOwnPIN() async throws {
        let server = try await RunningServer(classes: .tried)
        let room = try await ClassRoom(on: server)
        let (ann, phone, hale) = (
            try await room.join("Ann"), ClassBrowser(server), try await room.teachersBrowser()
        )
        #expect(try await room.signIn("Ann", in: phone).status == 200)
        func change(_ browser: ClassBrowser, _ pin: String, to new: String) async throws -> ClassBrowser.Answer {
            try await browser.ask("PUT", "/v1/class/pin", ["pin": pin, "newPin": new])
        }
        let before = ann.token
        for easy in ["123456", "111111", "12345", "502916"] {
            #expect(try await change(ann, "502916", to: easy).status == 400, "\(easy)")
        }
        #expect(try await change(ann, "602916", to: "702917").code == "wrong-pin")
        #expect(try await change(hale, "502916", to: "702917").status == 404, "a teacher has no PIN")
        #expect(try await change(ClassBrowser(server), "502916", to: "702917").code == "no-token")
        let foreign = try await ann.ask(
            "PUT", "/v1/class/pin", ["pin": "502916", "newPin": "702917"], from: .other("https://evil.example"))
        #expect(foreign.code == "other-origin" && ann.token == before)

        #expect(try await change(ann, "502916", to: "702917").status == 204)
        #expect(ann.token != before)
        #expect(
            try await ann.ask("GET", "/v1/class").object["name"] as? String == "Ann", "this browser stays signed in")
        #expect(try await phone.ask("GET", "/v1/me").code == "signed-out")
        #expect(try await room.signIn("Ann", in: phone).code == "wrong-pin")
        #expect(try await room.signIn("Ann", pin: "702917", in: phone).status == 200)
        await server.stop()
    }

    /// A classmate at a browser that someone left open guesses no faster than at the sign-in.
    @Test func guessingThePresentPINIsSlowedDown() async throws {
        let server = try await RunningServer(classes: .tried)
        let ann = try await ClassRoom(on: server).join("Ann")
        var answers: [Int: Int] = [:]
        for guess in 0..<20 {
            let pins = ["pin": "60000\(guess % 10)", "newPin": "702917"]
            answers[try await ann.ask("PUT", "/v1/class/pin", pins).status, default: 0] += 1
        }
        // Five at once, and one for each minute that the test takes.
        #expect(answers[403, default: 0] >= 5 && answers[429, default: 0] > 0, "\(answers)")
        #expect(Set(answers.keys) == [403, 429], "\(answers)")
        await server.stop()
    }

    @Test func aLinkWorksOnceAndForADay() async throws {
        let clock = SetClock()
        let server = try await RunningServer(classes: .tried, clock: clock)
        let room = try await ClassRoom(on: server)
        let (first, second) = (try await room.link(), try await room.link())
        let browser = ClassBrowser(server)
        func follow(_ link: String) async throws -> ClassBrowser.Answer {
            try await browser.ask("POST", "/v1/class/link", ["link": link])
        }
        #expect(try await follow(first).code == "link-used", "a later link replaces it")
        #expect(try await follow(second).status == 200)
        #expect(try await follow(second).code == "link-used")
        let late = try await room.link()
        clock.pass(seconds: 3601)
        #expect(try await follow(late).code == "link-used")
        await server.stop()
    }

    /// A browser that is used stays signed in, with new tokens. One that is not used is signed out after 30 days.
    @Test func signInsAreRenewedAndExpire() async throws {
        let clock = SetClock()
        let server = try await RunningServer(classes: .tried, clock: clock)
        let room = try await ClassRoom(on: server)
        let ann = try await room.join("Ann")
        let first = try #require(ann.token)
        #expect(try await ann.ask("GET", "/v1/me").stored.isEmpty, "a young token stays")
        clock.pass(seconds: 2 * 86_400)
        // The answer with the new token is lost on its way.
        #expect(try await ann.ask("GET", "/v1/me").stored.count == 1)
        ann.token = first
        #expect(try await ann.ask("GET", "/v1/me").status == 200)
        let second = try #require(ann.token)
        #expect(second != first)
        clock.pass(seconds: 600)
        ann.token = first
        #expect(try await ann.ask("GET", "/v1/me").status == 200, "it stays until its successor is used")
        ann.token = second
        #expect(try await ann.ask("GET", "/v1/me").status == 200)
        ann.token = first
        #expect(try await ann.ask("GET", "/v1/me").status == 200, "requests may be on their way")
        clock.pass(seconds: 61)
        ann.token = first
        #expect(try await ann.ask("GET", "/v1/me").code == "signed-out")
        ann.token = second
        for _ in 0..<3 {
            clock.pass(seconds: 20 * 86_400)
            #expect(try await ann.ask("GET", "/v1/me").status == 200)
        }
        clock.pass(seconds: 31 * 86_400)
        #expect(try await ann.ask("GET", "/v1/me").code == "signed-out")
        await server.stop()
    }

    @Test func aRestartKeepsEverything() async throws {
        let folder = NSTemporaryDirectory() + "oracy-class-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let before = try await RunningServer(folder: folder, classes: .tried)
        let room = try await ClassRoom(on: before)
        let ann = try await room.join("Ann")
        let (token, device) = (ann.token, ann.device)
        await before.stop()
        let after = try await RunningServer(folder: folder, classes: .tried)
        let again = ClassBrowser(after)
        (again.token, again.device) = (token, device)
        #expect(try await again.ask("GET", "/v1/class").object["name"] as? String == "Ann")
        let known = try await again.ask(
            "POST", "/v1/class/sign-in", ["code": room.code, "name": "Ann", "pin": "502916"])
        #expect(known.status == 200)
        await after.stop()
    }

    @Test func invalidFieldsAreRefused() async throws {
        let server = try await RunningServer(classes: .unguarded)
        let room = try await ClassRoom(on: server)
        let browser = ClassBrowser(server)
        for (name, pin) in [
            ("", "502916"), ("   ", "502916"), (String(repeating: "n", count: 61), "502916"), ("A\u{7}", "502916"),
            ("Ann", "50291"), ("Ann", "111111"), ("Ann", "123456"), ("Ann", "012345"), ("Ann", "12345678"),
            ("Ann", "5029163847561"), ("Ann", "five0six"), ("Ann", "５０２９１６"),
        ] {
            let answer = try await browser.ask(
                "POST", "/v1/class/join", ["code": room.code, "name": name, "pin": pin])
            #expect(answer.status == 400, "\(name) \(pin): \(answer.text)")
        }
        _ = try await room.join("Ann", in: browser)
        for taken in ["Ann", "ann", " ANN ", "Ａnn"] {
            let answer = try await browser.ask(
                "POST", "/v1/class/join", ["code": room.code, "name": taken, "pin": "502916"])
            #expect(answer.code == "name-taken", "\(taken): \(answer.text)")
        }
        await server.stop()
    }
}
