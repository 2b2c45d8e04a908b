import Foundation
import Learning
import StoreTrials
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// A teacher assigns work in Chromium, learners do it, and the teacher sees it done, also a week later.
@Suite(.needs(Trials.browserObstacle), .bothStores(quick: .sqlite)) struct HomeworkInABrowser {
    @Test func homeworkIsAssignedDoneAndSeenAWeekLater() async throws {
        let clock = SetClock()
        let server = try await RunningServer(classes: .tried, clock: clock) {
            $0.ownExams = Programs.file("Page/exams")
            $0.limits.requestsPerMinute = 100_000
        }
        let room = try await ClassRoom(on: server)
        let lesson = LessonCategory.builtIn[0].lessons[0].packID(in: LessonCategory.builtIn[0])
        func arguments() async throws -> [String] {
            [
                server.url, try Programs.answer(in: server.folder), "--format", "brief", "--paper", "few", "--link",
                try await room.link(), "--code", JoinCode.shown(room.code), "--name", room.name, "--lesson", lesson,
            ]
        }
        let first = try await PageScript.seen("page-assigned.py", arguments(), on: server, part: "first")
        let rows = try #require(first["table"] as? String).split(separator: "\n").map { row in
            // A live exam begins by the machine's own clock.
            row.replacing(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, with: "ID")
                .replacing(/,done [-0-9]{10}$/, with: ",done")
        }
        #expect(rows.dropFirst() == ["Ann Lee,ID,done 2026-11-23,done", "Bo,ID,open,"], "\(rows)")
        clock.pass(seconds: 8 * 86_400)
        let later = try await PageScript.seen("page-assigned.py", arguments() + ["--later"], on: server, part: "later")
        let table = try #require(later["table"] as? String)
        #expect(table.contains(",late 2026-12-01,\n"), "\(table)")
        await server.stop()
    }
}
