import Foundation
import StoreTrials
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// Questions that a model writes for a learner, on the page in Debian's Chromium, with axe and pictures at every size.
@Suite(.needs(Trials.browserObstacle), .bothStores(quick: .sqlite)) struct PapersInABrowser {
    @Test func questionsAreWrittenAndChosen() async throws {
        let folder = try TemporaryFolder()
        let service = try WritingService()
        defer { service.stop() }
        try DrawnExams.twoTopics(in: folder)
        let server = try await RunningServer(assessors: service.panel(recipient: "Example Ltd")) {
            $0.ownExams = folder.path
            $0.limits.requestsPerMinute = 100_000
        }
        service.pause()
        let user = UUID()
        let seen = try await PageScript.seen(
            "page-papers.py",
            [
                server.url, try Programs.answer(in: server.folder), "--format", "topics", "--go", service.url + "/go",
                "--token", try await RunningServer.token(of: user),
            ], on: server)
        let papers = try await server.ask("GET", "/v1/papers", as: user).object["papers"] as? [[String: Any]]
        let title = try #require(papers?.first?["title"] as? String)
        #expect(papers?.count == 1 && title.contains("Bees") && seen["chosen"] as? String == "Yours: \(title)")
        await server.stop()
    }
}
