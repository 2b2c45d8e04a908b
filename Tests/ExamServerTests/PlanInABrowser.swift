import Foundation
import StoreTrials
import TestSupport
import Testing

/// A learner's plan, home and settings on the page in Debian's Chromium, with only a keyboard, axe and pictures at
/// every size.
@Suite(.needs(Trials.browserObstacle), .bothStores(quick: .sqlite)) struct PlanInABrowser {
    @Test func aPlanIsMadeFollowedChangedAndErasedWithAKeyboard() async throws {
        let server = try await Programs.serverForThePage()
        let user = UUID()
        let seen = try await PageScript.seen(
            "page-plan.py",
            [
                server.url, try Programs.answer(in: server.folder), "--token",
                try await RunningServer.token(of: user),
            ], on: server)
        #expect((seen["calendar"] as? [String])?.isEmpty == false, "\(seen)")

        // The server has what the page showed: the first plan is erased, and the rest is not. The new plan follows the
        // profile that the learner made with three taps.
        let told = try await server.ask("GET", "/v1/plan", as: user).object
        let (plan, taps) = (told["plan"] as? [String: Any], told["profile"] as? [String: Any])
        #expect(plan?["version"] as? Int == 1 && taps?["goalBand"] as? Double == 7 && told["day"] != nil, "\(told)")
        let constraints = (taps?["constraints"] as? [String]) ?? []
        #expect(constraints == [])
        let practice = try await server.ask("GET", "/v1/practice", as: user).object
        let figures = try #require(practice["statistics"] as? [String: Any])
        #expect(figures["drills"] as? Int == 1)
        let profile = try await server.ask("GET", "/v1/profile", as: user).object
        #expect(profile["fullName"] as? String == "Ana Maria" && profile["picture"] == nil)
        await server.stop()
    }
}
