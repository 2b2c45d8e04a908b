import StoreTrials
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// A teacher and two learners in Chromium, without a token from elsewhere.
@Suite(.needs(Trials.browserObstacle), .bothStores(quick: .sqlite)) struct ClassInABrowser {
    @Test func aTeacherAndTwoLearnersHoldALesson() async throws {
        let server = try await RunningServer(classes: .tried) {
            $0.ownExams = Programs.file("Page/exams")
            $0.limits.requestsPerMinute = 100_000
        }
        let room = try await ClassRoom(on: server)
        let seen = try await PageScript.seen(
            "page-class.py",
            [
                server.url, try Programs.answer(in: server.folder), "--format", "brief", "--paper", "few", "--link",
                try await room.link(), "--name", room.name,
            ], on: server)
        #expect(seen["code"] as? String == JoinCode.shown(room.code))
        await server.stop()
    }
}
