import Foundation
import StoreTrials
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// Signing in at a service that others wrote.
@Suite(.needs(ForeignProvider.obstacle), .bothStores(quick: .sqlite)) struct SchoolsOfOthers {
    @Test func peopleOfAForeignServiceSignIn() async throws {
        let trial = try await ForeignProvider()
        func begin(_ browser: ClassBrowser) async throws -> String {
            let begun = try await browser.ask("POST", "/v1/sign-in/elm")
            return try #require(begun.object["address"] as? String, "\(begun.text)")
        }
        func signIn(_ form: String) async throws -> (browser: ClassBrowser, place: String, path: String) {
            let browser = ClassBrowser(trial.server)
            let path = try #require(try await trial.agree(try await begin(browser), as: form), "\(form)")
            let back = try await browser.ask("GET", path, from: .none)
            #expect(back.status == 303, "\(back.text)")
            return (browser, back.headers.first { $0.name == "location" }?.value ?? "", path)
        }
        for (form, roles) in [("sub=ann", []), ("sub=hale", ["teacher"])] as [(String, [String])] {
            let (browser, place, path) = try await signIn(form)
            #expect(place == "/", "\(trial.server.log.text.suffix(600))")
            let me = try await browser.ask("GET", "/v1/me").object
            #expect(me["roles"] as? [String] == roles && me["groups"] as? [String] == ["elm:7b"], "\(me)")
            #expect(me["school"] as? String == "Elm School", "\(me)")
            // The same answer again.
            #expect(
                try await browser.ask("GET", path, from: .none).headers.contains { $0.value == "/#/sign-in/expired" })
        }
        #expect(try await signIn("sub=cleo").place == "/#/sign-in/not-admitted")
        #expect(try await signIn("action=deny").place == "/#/sign-in/expired")
        // A code that the service has taken already.
        let browser = ClassBrowser(trial.server)
        let used = try #require(URLComponents(string: try await signIn("sub=ann").path)?.queryItems)
        let path = try #require(try await trial.agree(try await begin(browser), as: "sub=ann"))
        var mixed = try #require(URLComponents(string: path))
        mixed.queryItems = mixed.queryItems?.map { item in
            item.name == "code" ? used.first { $0.name == "code" } ?? item : item
        }
        let back = try await browser.ask("GET", try #require(mixed.string), from: .none)
        #expect(back.headers.contains { $0.name == "location" && $0.value == "/#/sign-in/failed" }, "\(back.headers)")
        #expect(trial.server.log.text.contains("reason=school-code"))
        await trial.stop()
    }
}

/// A school's button, the school's own page and the way back, in Chromium.
@Suite(.needs(Trials.browserObstacle ?? ForeignProvider.obstacle), .bothStores(quick: .sqlite))
struct SchoolAccountInABrowser {
    @Test func aLearnerSignsInAtTheSchoolAndComesBack() async throws {
        let trial = try await ForeignProvider()
        let seen = try await PageScript.seen(
            "page-school-account.py", [trial.address, try Programs.answer(in: trial.server.folder)], on: trial.server)
        #expect(seen["signedIn"] as? [String] == ["ann", "hale"], "\(seen)")
        await trial.stop()
    }
}
