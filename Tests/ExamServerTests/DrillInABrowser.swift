import Foundation
import StoreTrials
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import ExamStore

/// A spoken drill on the page in Debian's Chromium, from its choice to the tellings side by side.
@Suite(.needs(Trials.browserObstacle), .bothStores(quick: .sqlite)) struct DrillInABrowser {
    @Test func aLearnerPractisesAloudAndComparesTheTellings() async throws {
        let server = try await Programs.serverForThePage()
        let user = UUID()
        let seen = try await PageScript.seen(
            "page-drill.py",
            [
                server.url, try Programs.answer(in: server.folder), "--token",
                try await RunningServer.token(of: user),
            ], on: server)
        let names = (1...5).flatMap { ["Voice \($0)", "You \($0)"] }
        #expect(seen["tellings"] as? [String] == names, "\(seen)")
        #expect((seen["measures"] as? [String])?.first == "Speech, seconds")
        #expect((seen["drills"] as? [String])?.count == 6 && (seen["parts"] as? [String])?.count == 3)

        // The server has it as practice, and its speech counts.
        let session = try #require(seen["session"] as? String)
        let listed = try await server.ask("GET", "/v1/sessions?kind=drill", as: user).object
        let drill = try #require((listed["sessions"] as? [[String: Any]])?.first)
        #expect(drill["id"] as? String == session && drill["drill"] as? String == "repeat")
        #expect(drill["mode"] as? String == "practice" && drill["outcome"] as? String == "completed")
        let lines = try await server.services.owned(by: user).newestPracticeLines(limit: 10)
        #expect(lines.count { $0.contains(" spoke repeat ") } == 1, "\(lines)")
        await server.stop()
    }

    @Test func anAnswerOfAnExamIsSaidAgain() async throws {
        let server = try await Programs.serverForThePage()
        let user = UUID()
        let seen = try await PageScript.seen(
            "page-again.py",
            [
                server.url, try Programs.answer(in: server.folder), "--format", "brief", "--paper", "few", "--token",
                try await RunningServer.token(of: user),
            ], on: server)
        #expect(seen["tellings"] as? [String] == ["Before", "Now"], "\(seen)")
        #expect((seen["offered"] as? [String])?.count ?? 0 >= 3, "the format's own question, too: \(seen)")
        let listed = try await server.ask("GET", "/v1/sessions?kind=drill", as: user).object
        let drills = listed["sessions"] as? [[String: Any]] ?? []
        #expect(drills.map { $0["id"] as? String } == [seen["session"] as? String], "\(drills)")
        await server.stop()
    }
}
