import ExamStore
import Foundation
import HTTPClient
import Learning
import StoreTrials
import Testing

@testable import ExamNode
@testable import ExamServer

/// Assigned work over HTTP: two classes and three learners, and a school with tokens.
@Suite(.bothStores) struct AssignmentTests {
    private static let lesson = LessonCategory.builtIn[0].lessons[0].packID(in: LessonCategory.builtIn[0])
    private static let day = 86_400.0
    private static let path = "/v1/groups/Form%209B/assignments"

    /// Assigns work that must be accepted. Returns its id.
    @discardableResult private func assign(
        _ work: String, due: String, to learner: String? = nil, note: String? = nil, by teacher: ClassBrowser
    ) async throws -> String {
        var wanted = ["work": work, "due": due]
        wanted["learner"] = learner
        wanted["note"] = note
        let answer = try await teacher.ask("POST", Self.path, wanted)
        try #require(answer.status == 201, "\(answer.text)")
        return try #require(answer.object["id"] as? String)
    }

    /// Returns a learner's own assignments: "TITLE STATUS DAY".
    private func own(_ learner: ClassBrowser) async throws -> [String] {
        let answer = try await learner.ask("GET", "/v1/assignments")
        try #require(answer.status == 200, "\(answer.text)")
        return (answer.object["assignments"] as? [[String: Any]] ?? []).map { one in
            let state = one["state"] as? [String: Any] ?? [:]
            return ["\(one["title"] ?? "")", "\(state["status"] ?? "none")", state["day"] as? String]
                .compactMap(\.self).joined(separator: " ")
        }
    }

    private func user(_ browser: ClassBrowser) async throws -> String {
        try #require(try await browser.ask("GET", "/v1/me").object["user"] as? String)
    }

    @Test func aClassDoesItsHomework() async throws {
        let clock = SetClock()
        let server = try await RunningServer(classes: .tried, clock: clock)
        let (room, other) = (try await ClassRoom(on: server), try await ClassRoom(on: server, named: "Form 9C"))
        let (hale, ann, bo) = (try await room.teachersBrowser(), try await room.join("Ann"), try await room.join("Bo"))
        let cleo = try await other.join("Cleo")
        let title = "Lesson: \(LessonCategory.builtIn[0].lessons[0].title)"
        try await assign("lesson:\(Self.lesson)", due: "2026-11-25", note: "Read it twice.", by: hale)
        let spoken = try await assign("speak:repeat", due: "2026-11-24", to: user(bo), by: hale)

        // Monday.
        #expect(try await own(ann) == ["\(title) open"])
        #expect(try await own(bo) == ["Repeat after me open", "\(title) open"])
        #expect(try await own(cleo) == [])
        let told = try await ann.ask("GET", "/v1/assignments").object["assignments"] as? [[String: Any]]
        #expect(told?[0]["note"] as? String == "Read it twice." && told?[0]["group"] as? String == "Form 9B")
        #expect(told?[0]["learner"] == nil && told?[0]["results"] == nil)
        #expect(try await ann.ask("POST", "/v1/lessons/\(Self.lesson)/read", [:]).status < 300)
        #expect(try await own(ann) == ["\(title) done 2026-11-23"])

        // Thursday.
        clock.pass(seconds: 3 * Self.day)
        #expect(try await own(bo) == ["Repeat after me missing", "\(title) missing"])
        #expect(try await bo.ask("POST", "/v1/lessons/\(Self.lesson)/read", [:]).status < 300)
        #expect(try await own(bo) == ["Repeat after me missing", "\(title) late 2026-11-26"])
        let table = try await hale.ask("GET", Self.path)
        let columns = try #require(table.object["assignments"] as? [[String: Any]], "\(table.text)")
        let results = columns.map { ($0["results"] as? [[String: Any]] ?? []).map { $0["status"] as? String } }
        #expect(results == [["missing"], ["done", "late"]], "\(table.text)")
        let names = (table.object["learners"] as? [[String: Any]])?.map { $0["name"] as? String }
        #expect(names == ["Ann", "Bo"], "\(table.text)")
        let csv = try await hale.ask("GET", Self.path + ".csv")
        #expect(
            csv.text == """
                name,learner,Repeat after me (by 2026-11-24),\(title) (by 2026-11-25)
                Ann,\(try await user(ann)),,done 2026-11-23
                Bo,\(try await user(bo)),missing,late 2026-11-26

                """)

        // Withdrawn work is gone for both, and a learner who was removed is not in the table.
        #expect(try await hale.ask("DELETE", "\(Self.path)/\(spoken)").status == 204)
        #expect(try await hale.ask("DELETE", "\(Self.path)/\(spoken)").status == 404)
        #expect(try await own(bo) == ["\(title) late 2026-11-26"])
        #expect(try await hale.ask("DELETE", "/v1/class/members/\(user(bo))").status == 204)
        let left = try await hale.ask("GET", Self.path).object
        #expect((left["learners"] as? [[String: Any]])?.map { $0["name"] as? String } == ["Ann"])
        #expect((left["assignments"] as? [Any])?.count == 1)
        for event in ["work assigned", "assigned work withdrawn"] { #expect(server.log.text.contains(event)) }
        for secret in ["Read it twice", "Ann"] { #expect(!server.log.text.contains(secret), "\(secret)") }
        await server.stop()
    }

    /// Boards and assignments of a class need no token: its members are in its group.
    @Test func aClassHasABoard() async throws {
        let server = try await RunningServer(classes: .tried)
        let ann = try await ClassRoom(on: server).join("Ann")
        let path = "/v1/practice/boards"
        #expect(try await ann.ask("PUT", path + "/Form%209B", ["name": "Ann"]).status == 204)
        let boards = try await ann.ask("GET", path)
        #expect((boards.object["boards"] as? [[String: Any]])?.first?["name"] as? String == "Ann", "\(boards.text)")
        await server.stop()
    }

    /// An exam counts for work that was assigned before it. The audit log says that the teacher looked at it.
    @Test func anExamDoesAssignedWork() async throws {
        let school = try await School()
        let teacher = RunningServer.Rights.teacher(of: School.group)
        let group = School.group.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
        let path = "/v1/groups/\(group)/assignments"
        func status(_ answer: HTTPClient.HTTPResponse) -> [String] {
            (answer.object["assignments"] as? [[String: Any]] ?? []).map {
                "\($0["work"] ?? "") \(($0["state"] as? [String: Any])?["status"] ?? "none")"
            }
        }
        // Learners of the group, as far as the server knows them.
        let (_, ann) = try await school.sat(startedAt: "2026-11-20T10:00:00Z", isWaitedFor: false)
        for work in ["sit:part1", "sit:full", "paper:ielts-style/bridges"] {
            let made = try await school.ask(
                "POST", path, ["work": work, "due": "2026-11-27"], as: school.teacher, teacher)
            #expect(made.status == 201, "\(made.text)")
        }
        let learner = RunningServer.Rights.learner(in: School.group)
        let open = ["paper:ielts-style/bridges open", "sit:full open", "sit:part1 open"]
        #expect(try await status(school.ask("GET", "/v1/assignments", as: ann, learner)).sorted() == open)
        // This exam has answers in Part 1 only.
        let (session, _) = try await school.sat(by: ann, startedAt: "2026-11-24T10:00:00Z")
        let done = ["paper:ielts-style/bridges open", "sit:full open", "sit:part1 done"]
        #expect(try await status(school.ask("GET", "/v1/assignments", as: ann, learner)).sorted() == done)
        #expect(try await status(school.ask("GET", "/v1/assignments", as: ann, .learner(in: "8c"))) == [])

        let table = try await school.ask("GET", path, as: school.teacher, teacher)
        let part = (table.object["assignments"] as? [[String: Any]])?.first { $0["work"] as? String == "sit:part1" }
        let result = (part?["results"] as? [[String: Any]])?.first
        #expect(result?["session"] as? String == session && result?["day"] as? String == "2026-11-24", "\(table.text)")
        #expect(result?["user"] as? String == ann.uuidString.lowercased())
        // A second look adds no line.
        #expect(try await school.ask("GET", path + ".csv", as: school.teacher, teacher).status == 200)
        let readings = try await school.ask("GET", "/v1/readings", as: ann).object["readings"] as? [[String: Any]]
        #expect(readings?.map { "\($0["what"]!) \($0["session"]!)" } == ["assignments \(session)"])
        await school.server.stop()
    }

    // MARK: - Attacks

    @Test func onlyTeachersOfAGroupAssignInIt() async throws {
        let server = try await RunningServer(classes: .unguarded)
        let (room, other) = (try await ClassRoom(on: server), try await ClassRoom(on: server, named: "Form 9C"))
        let (hale, stranger) = (try await room.teachersBrowser(), try await other.teachersBrowser())
        let (ann, bo, cleo) = (try await room.join("Ann"), try await room.join("Bo"), try await other.join("Cleo"))
        let id = try await assign("test:new", due: "2026-11-25", to: user(bo), by: hale)
        let before = try await hale.ask("GET", Self.path).text
        var tried = 0
        for (browser, status) in [(ann, 403), (bo, 403), (cleo, 403), (stranger, 404), (ClassBrowser(server), 401)] {
            for (method, path, body) in [
                ("GET", Self.path, nil), ("GET", Self.path + ".csv", nil), ("DELETE", "\(Self.path)/\(id)", nil),
                ("POST", Self.path, ["work": "test:new", "due": "2026-11-25"]),
            ] {
                let answer = try await browser.ask(method, path, body)
                #expect(answer.status == status, "\(method) \(path): \(answer.text)")
                #expect(!answer.text.contains("test:new"))
                tried += 1
            }
        }
        // Another teacher cannot delete the assignment through a group of their own either.
        let answer = try await stranger.ask("DELETE", "/v1/groups/Form%209C/assignments/\(id)")
        #expect(answer.status == 404)
        #expect(try await own(ann) == [], "another learner's assignment is not shown")
        #expect(try await own(cleo) == [])
        #expect(try await own(bo).count == 1)
        #expect(try await own(hale) == [], "teachers have no assignments")
        // A member of no class, who names the group by a token of another service, is a learner of that group.
        for rights in [RunningServer.Rights.marker, .service, .teacher(of: "Form 9C"), .teacher(of: "9B")] {
            let answer = try await server.ask("GET", Self.path, as: UUID(), rights)
            #expect([403, 404].contains(answer.status), "\(rights): \(answer.text)")
            tried += 1
        }
        // Another teacher, with a token for the group, sees only learners who took exams in it: no learner has.
        let token = try await server.ask("GET", Self.path, as: UUID(), .teacher(of: "Form 9B"))
        #expect((token.object["learners"] as? [Any])?.isEmpty == true, "\(token.text)")
        #expect(!token.text.contains("Bo"))
        #expect(try await hale.ask("GET", Self.path).text == before)
        print("assignments: \(tried) requests of others, none let through")
        await server.stop()
    }

    @Test func invalidAssignmentsAreRefused() async throws {
        let server = try await RunningServer(classes: .unguarded)
        let (room, other) = (try await ClassRoom(on: server), try await ClassRoom(on: server, named: "Form 9C"))
        let (hale, cleo) = (try await room.teachersBrowser(), try await other.join("Cleo"))
        let good = ["work": "sit:part2", "due": "2026-11-25"]
        let refused: [([String: String], Int)] = [
            (["work": "sit:part7"], 400), (["work": "drill:no-such-pack"], 400), (["work": "lesson:none"], 400),
            (["work": "drill:spoken-english/no topic"], 400), (["work": "paper:ielts-style/none"], 400),
            (["work": "paper:none/bridges"], 400), (["work": "paper:interview/bridges"], 400),
            (["work": "<script>alert(1)</script>"], 400), (["work": ""], 400), (["work": "review:last"], 400),
            (["work": String(repeating: "a", count: 201)], 400), (["due": "tomorrow"], 400),
            (["due": "2026-11-31"], 422), (["due": "2026-11-22"], 422), (["note": ""], 400), (["note": "a\u{7}"], 400),
            (["note": String(repeating: "n", count: 201)], 400), (["learner": "Ann"], 400),
            (["learner": UUID().uuidString], 404), (["learner": try await user(cleo)], 404),
            (["learner": try await user(hale)], 404),
        ]
        for (change, status) in refused {
            let answer = try await hale.ask("POST", Self.path, good.merging(change) { $1 })
            #expect(answer.status == status, "\(change): \(answer.text)")
        }
        #expect((try await hale.ask("GET", Self.path).object["assignments"] as? [Any])?.isEmpty == true)
        // A group can have 200 assignments at most.
        let store = server.services.store.service
        for _ in 0..<200 {
            let one = StoredAssignment(
                id: UUID(), group: "Form 9B", work: "test:new", due: "2026-11-25", teacher: UUID(),
                madeAt: "2026-11-23T09:00:00Z")
            #expect(try await store.assign(one, most: 200))
        }
        let full = try await hale.ask("POST", Self.path, good)
        #expect(full.status == 429 && full.code == "storage-full", "\(full.text)")
        await server.stop()
    }

    /// Names are the learners' own words. A spreadsheet must not run them, nor the page.
    @Test func namesAndNotesRunNowhere() async throws {
        let server = try await RunningServer(classes: .unguarded)
        let room = try await ClassRoom(on: server)
        let hale = try await room.teachersBrowser()
        let names = ["=1+1", "+A1", "-2+3", "@SUM(A1)", "<img src=x onerror=alert(1)>", "Ann, \"Bo\""]
        for name in names { _ = try await room.join(name) }
        let note = "<script>alert(1)</script>"
        try await assign("test:new", due: "2026-11-25", note: note, by: hale)
        let rows = try await hale.ask("GET", Self.path + ".csv").text.split(separator: "\n").dropFirst()
        #expect(rows.count == names.count)
        for row in rows { #expect(!"=+-@\t\r".contains(row.first ?? "="), "\(row)") }
        #expect(rows.contains { $0.hasPrefix("'=1+1,") } && rows.contains { $0.hasPrefix("\"Ann, \"\"Bo\"\"\",") })
        let table = try await hale.ask("GET", Self.path)
        #expect((table.object["assignments"] as? [[String: Any]])?.first?["note"] as? String == note)
        let kinds = table.headers.filter { ["content-type", "x-content-type-options"].contains($0.name) }.map(\.value)
        #expect(Set(kinds) == ["application/json", "nosniff"])
        await server.stop()
    }
}
