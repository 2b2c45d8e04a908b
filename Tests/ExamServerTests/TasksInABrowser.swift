import Foundation
import StoreTrials
import TestSupport
import Testing

/// The tasks of other tests' formats on the page in Debian's Chromium, with axe and pictures at every size.
@Suite(.needs(Trials.browserObstacle), .bothStores(quick: .postgres)) struct TasksInABrowser {
    @Test func everyKindOfTaskIsShownAndHeard() async throws {
        let server = try await Programs.serverForThePage(exams: "Page/task-exams")
        let (user, microphone) = (UUID(), try Programs.answer(in: server.folder))
        let seen = try await PageScript.seen(
            "page-tasks.py",
            [
                server.url, microphone, "--format", "tasks", "--paper", "tasks-sample", "--token",
                try await RunningServer.token(of: user),
            ], on: server)
        #expect(
            seen["answers"] as? [String] == [
                "Part 1, question 1", "Part 1, question 1, attempt 2", "Part 1, question 2", "Part 1, question 3",
                "Part 2, question 1", "Part 2, question 2",
            ])
        let sessions = try await server.ask("GET", "/v1/sessions", as: user).object["sessions"] as? [[String: Any]]
        let session = try #require(sessions?.first?["id"] as? String)
        let results = try await server.ask("GET", "/v1/sessions/\(session)/results", as: user).object
        let answers = try #require(results["answers"] as? [[String: Any]])
        #expect(answers.map { $0["practice"] as? Bool } == [true, true, nil, nil, nil, nil])
        #expect(answers.map { $0["choice"] as? Int } == [nil, nil, nil, 2, nil, nil])
        #expect(answers.first?["end"] as? String == "startedAgain")
        await server.stop()
    }
}
