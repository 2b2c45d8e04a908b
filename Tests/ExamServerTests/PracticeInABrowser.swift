import Foundation
import StoreTrials
import TestSupport
import Testing

/// A week of practice on the page in Debian's Chromium, with only a keyboard, axe and pictures at every size.
@Suite(.needs(Trials.browserObstacle), .bothStores(quick: .postgres)) struct PracticeInABrowser {
    @Test func aWeekIsPractisedWithAKeyboard() async throws {
        let server = try await Programs.serverForThePage()
        let user = UUID()
        let seen = try await PageScript.seen(
            "page-practice.py",
            [
                server.url, try Programs.answer(in: server.folder), "--token",
                try await RunningServer.token(of: user, .learner(in: "8b")),
            ], on: server)
        #expect((seen["lessons"] as? [String])?.isEmpty == false && seen["kept"] as? String == "true", "\(seen)")

        // The server has what the page showed.
        let practice = try await server.ask("GET", "/v1/practice", as: user).object
        #expect(practice["minutesADay"] as? Int == 15)
        let figures = try #require(practice["statistics"] as? [String: Any])
        #expect(figures["drills"] as? Int == 1 && figures["tests"] as? Int == 1)
        #expect(figures["averageTestScore"] as? Double == 0.8)
        #expect((practice["streak"] as? [String: Any])?["hasToday"] as? Bool == true)
        #expect(practice["drill"] != nil, "the lesson's unfinished drill is kept")
        let tests = try await server.ask("GET", "/v1/practice-tests", as: user).object
        let test = try #require((tests["recent"] as? [[String: Any]])?.first)
        #expect(test["answered"] as? Int == 4 && test["count"] as? Int == 5)
        let seconds = (test["result"] as? [String: Any])?["seconds"] as? Double
        #expect(try #require(seconds) > 0)
        await server.stop()
    }
}
