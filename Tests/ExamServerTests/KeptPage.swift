import Foundation
import StoreTrials
import TestSupport
import Testing

/// The page without a network, in Debian's Chromium.
@Suite(.needs(Trials.browserObstacle), .bothStores(quick: .sqlite)) struct KeptPage {
    @Test func thePageOpensWithoutANetworkAndStoresNothingOfTheLearner() async throws {
        let server = try await Programs.serverForThePage()
        let seen = try await PageScript.seen("page-kept.py", [server.url], on: server)
        #expect((seen["kept"] as? [String])?.contains("/") == true, "\(seen)")
        #expect((seen["asked"] as? [String])?.count ?? 9 <= 3, "requests of a second visit: \(seen)")
        // At 64 kbit/s the bytes alone take 12 seconds, and round trips two. The rest is a busy machine's.
        #expect(seen["firstScreen"] as? Double ?? 99 <= 20, "\(seen)")
        print("the page on 64 kbit/s: \(seen["firstScreen"] ?? "") s, a second visit: \(seen["asked"] ?? "")")
        await server.stop()
    }

    /// Buttons without a network, and typed words and answers over a reload and another sign-in.
    @Test func whatALearnerWroteSurvivesAReloadAndAnotherSignIn() async throws {
        let server = try await Programs.serverForThePage()
        let seen = try await PageScript.seen(
            "page-drafts.py",
            [
                server.url, try Programs.answer(in: server.folder), "--format", "brief", "--paper", "few", "--token",
                try await RunningServer.token(of: UUID()),
            ], on: server)
        let answers = seen["answers"] as? [String] ?? []
        #expect(answers.count > 2 && Set(answers).count == answers.count, "\(seen)")
        await server.stop()
    }
}
