import StoreTrials
import TestSupport
import Testing

/// The page without a network, in Debian's Chromium.
@Suite(.needs(Trials.browserObstacle), .bothStores(quick: .sqlite)) struct KeptPage {
    @Test func thePageOpensWithoutANetworkAndStoresNothingOfTheLearner() async throws {
        let server = try await Programs.serverForThePage()
        let seen = try await PageScript.seen("page-kept.py", [server.url], on: server)
        #expect((seen["kept"] as? [String])?.contains("/") == true, "\(seen)")
        await server.stop()
    }
}
