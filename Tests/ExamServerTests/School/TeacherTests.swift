import Foundation
import HTTPClient
import StoreTrials
import Study
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import ExamStore
@testable import ServerWork

/// A teacher sees only their own group. A service reads results, but no recordings. The owner sees who read.
@Suite(.bothStores) struct TeacherTests {
    private static let readings = ["", "/results", "/assessment"]

    /// A drill of a learner stands among the group's drills, not among its exams.
    @Test func drillsAreNoExamsOfAGroup() async throws {
        let school = try await School()
        let (exam, ann) = try await school.sat()
        let (drill, _) = try await school.sat(by: ann, paper: "drill-pause-less")
        let name = School.group.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
        func listed(_ kind: String) async throws -> Set<String?> {
            let path = "/v1/groups/\(name)/sessions" + kind
            let list = try await school.ask("GET", path, as: school.teacher, .teacher(of: School.group))
            #expect(list.status == 200, "\(list.text)")
            return Set((list.object["sessions"] as? [[String: Any]] ?? []).map { $0["id"] as? String })
        }
        #expect(try await listed("?kind=exam") == [exam])
        #expect(try await listed("?kind=drill") == [drill])
        #expect(try await listed("") == [exam, drill])
        await school.server.stop()
    }

    @Test func aTeacherSeesOnlyTheirGroup() async throws {
        let school = try await School()
        let teacher = RunningServer.Rights.teacher(of: School.group, "another")
        let (anns, ann) = try await school.sat()
        let (bens, _) = try await school.sat(in: ["8c"])
        let (alone, _) = try await school.sat(in: [])
        _ = try await school.ask("PUT", "/v1/profile", ["username": "ann", "fullName": "Ann Ample"], as: ann)

        let name = School.group.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
        let list = try await school.ask("GET", "/v1/groups/\(name)/sessions", as: school.teacher, teacher)
        #expect(list.status == 200)
        let sessions = try #require(list.object["sessions"] as? [[String: Any]])
        #expect(sessions.map { $0["id"] as? String } == [anns])
        #expect((sessions[0]["learner"] as? [String: Any])?["fullName"] as? String == "Ann Ample")
        #expect(try await school.ask("GET", "/v1/groups/8c/sessions", as: school.teacher, teacher).status == 404)
        #expect(
            try await school.ask("GET", "/v1/groups/\(name)/sessions", as: ann, .learner(in: School.group)).status
                == 403)

        let answers = try await school.results(anns, as: ann)["answers"] as? [[String: Any]]
        let recording = try #require(answers?.first?["recording"] as? String)
        let paths = Self.readings.map { "/v1/sessions/\(anns)\($0)" } + ["/v1/sessions/\(anns)/report", recording]
        for path in paths {
            #expect(try await school.ask("GET", path, as: school.teacher, teacher).status == 200, "\(path)")
            // Neither can a learner of the same group, a teacher of others, or a marker.
            let others = [
                RunningServer.Rights.learner(in: School.group), .teacher(of: "8c"), .teacher(of: "7b"), .marker,
            ]
            for rights in others {
                #expect(try await school.ask("GET", path, as: UUID(), rights).status == 404, "\(path) \(rights)")
            }
        }
        for session in [bens, alone] {
            for path in Self.readings + ["/report"] {
                let answer = try await school.ask("GET", "/v1/sessions/\(session)\(path)", as: school.teacher, teacher)
                #expect(answer.status == 404, "\(path)")
            }
        }
        // Reading gives no right to change.
        let typed = try await school.ask(
            "PUT", recording.replacing("/recording", with: "/transcript"), ["text": "x"], as: school.teacher, teacher)
        #expect(typed.status == 404)
        #expect(try await school.ask("DELETE", "/v1/sessions/\(anns)", as: school.teacher, teacher).status == 404)

        // Every reading is one line, and there are no other lines.
        let own = try await school.ask("GET", "/v1/readings", as: ann).object["readings"] as? [[String: Any]]
        let lines = (own ?? []).map { "\($0["role"]!) \($0["what"]!)" }.sorted()
        let heard = "recording \(recording.split(separator: "/").dropLast().last!)"
        #expect(
            lines
                == [
                    "teacher assessment", "teacher list", "teacher \(heard)", "teacher report", "teacher results",
                    "teacher session",
                ].sorted())
        #expect(own?.allSatisfy { $0["session"] as? String == anns && $0["reader"] == nil } == true)
        await school.server.stop()
    }

    /// A teacher reads one exam, and is told nothing about earlier ones, which may belong to another group.
    @Test func aReaderSeesNoEarlierExams() async throws {
        let school = try await School()
        let ann = UUID()
        // Long enough to compare with.
        let talk = "AudioFixtures/answers/talk.flac"
        _ = try await school.sat(by: ann, in: ["8c"], speech: talk, clipped: false, startedAt: "2026-11-01T09:00:00Z")
        let (new, _) = try await school.sat(by: ann, startedAt: "2026-11-21T09:00:00Z")
        let services = school.server.services
        let id = try #require(UUID(uuidString: new))
        let reader = Reader(school.teacher, .teacher(of: [School.group]))
        let read = try #require(try await services.store.service.reading(id, by: reader))
        for (owned, count) in [(services.owned(by: ann), 1), (read, 0)] {
            let session = try #require(try await owned.session(id))
            let earlier = try await EarlierExams.of(ExamEntry(session), on: StoreShelf(services, owned))
            #expect(earlier.count == count)
        }
        await school.server.stop()
    }

    /// An exam belongs to the groups that its learner had on that day, and not to later ones.
    @Test func anExamIsOfTheGroupsOfItsDay() async throws {
        let school = try await School()
        let ann = UUID()
        let (old, _) = try await school.sat(by: ann, in: ["8c"], startedAt: "2026-11-01T09:00:00Z")
        let (new, _) = try await school.sat(by: ann, startedAt: "2026-11-21T09:00:00Z")
        for (session, group, status) in [
            (old, "8c", 200), (old, School.group, 404), (new, "8c", 404), (new, School.group, 200),
        ] {
            let path = "/v1/sessions/\(session)/assessment"
            #expect(
                try await school.ask("GET", path, as: school.teacher, .teacher(of: group)).status == status,
                "\(session == old ? "old" : "new") \(group)")
        }
        await school.server.stop()
    }

    @Test func aServiceReadsResultsAndHearsNothing() async throws {
        let school = try await School()
        let (session, learner) = try await school.sat()
        let program = UUID()
        for path in Self.readings {
            let answer = try await school.ask("GET", "/v1/sessions/\(session)\(path)", as: program, .service)
            #expect(answer.status == 200, "\(path)")
        }
        let answers = try await school.results(session, as: learner)["answers"] as? [[String: Any]]
        let recording = try #require(answers?.first?["recording"] as? String)
        for path in [recording, "/v1/sessions/\(session)/report"] {
            #expect(try await school.ask("GET", path, as: program, .service).status == 404, "\(path)")
        }
        #expect(try await school.ask("DELETE", "/v1/sessions/\(session)", as: program, .service).status == 404)
        await school.server.stop()
    }

    /// If the audit log can't be written, nothing can be read.
    @Test func nothingIsReadWithoutAnAuditLine() async throws {
        let school = try await School()
        let (session, learner) = try await school.sat()
        try await school.server.services.store.service.write {
            _ = try $0.change("ALTER TABLE readings RENAME TO moved")
        }
        let path = "/v1/sessions/\(session)/results"
        let answer = try await school.ask("GET", path, as: school.teacher, .teacher(of: School.group))
        #expect(answer.status >= 500 && !answer.text.contains("part1"), "\(answer.status) \(answer.text)")
        #expect(
            try await school.ask("GET", path, as: learner).status == 200,
            "learners read their own results without an entry in the log")
        await school.server.stop()
    }

    @Test func rolesAndGroupsOfTheTokenAreShown() async throws {
        let school = try await School()
        let me = try await school.ask(
            "GET", "/v1/me", as: UUID(), .init(roles: ["teacher", "admin"], groups: ["b", "a"]))
        #expect(me.object["roles"] as? [String] == ["teacher"], "only the server's own roles are listed")
        #expect(me.object["groups"] as? [String] == ["a", "b"])
        // The text of the consent says who will hear the recording.
        let words = try await school.ask("GET", "/v1/exams/choices", as: UUID(), .learner(in: "7b")).object["consent"]
        #expect((words as? String)?.contains("The teachers of my group can see and hear it.") == true)
        let alone = try await school.ask("GET", "/v1/exams/choices", as: UUID()).object["consent"]
        #expect((alone as? String)?.contains("teachers") == false)
        await school.server.stop()
    }
}
