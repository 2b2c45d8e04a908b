import ExamStore
import Foundation
import HTTPClient
import Learning
import StoreTrials
import Testing

@testable import ExamNode
@testable import ExamServer

/// Boards of groups show only learners who joined, and only their minutes.
@Suite(.bothStores) struct Boards {
    private struct Member {
        let server: RunningServer
        let user = UUID()
        let rights: RunningServer.Rights

        func ask(_ method: String, _ path: String, _ json: Any? = nil) async throws -> HTTPClient.HTTPResponse {
            try await server.ask(method, "/v1/practice/boards\(path)", json, as: user, rights)
        }

        func boards() async throws -> [[String: Any]] {
            try await ask("GET", "").object["boards"] as? [[String: Any]] ?? []
        }

        func practise(seconds: Double, daysAgo: Int = 0) async throws {
            let now = Int(server.services.clock().timeIntervalSince1970)
            let line = PracticeLine(
                StudyMoment(seconds: now - daysAgo * 86_400, offset: 0),
                .tested(test: "t\(daysAgo)", right: 1, of: 2, seconds: seconds))
            let owned = server.services.owned(by: user)
            let before = try await owned.practiceLines(after: 0, knowing: nil, limit: 100) ?? []
            #expect(
                try await owned.append(practiceLines: [line.text], after: before.count, knowing: before.last?.text))
        }
    }

    @Test func onlyMembersAreOnABoardAndSeeIt() async throws {
        let server = try await RunningServer()
        func member(_ groups: String...) -> Member {
            Member(server: server, rights: RunningServer.Rights(groups: groups))
        }
        let (ana, bo, cleo) = (member("8 b/c", "choir"), member("8 b/c"), member("8 b/c"))
        let stranger = member("9a")
        try await ana.practise(seconds: 600)
        try await ana.practise(seconds: 3_000, daysAgo: 7)
        try await bo.practise(seconds: 1_200)
        try await cleo.practise(seconds: 9_000)

        let before = try await ana.boards()
        #expect(before.map { $0["group"] as? String } == ["8 b/c", "choir"])
        #expect(before.allSatisfy { $0["rows"] == nil && $0["name"] == nil })
        let address = "/8%20b%2Fc"
        #expect(try await ana.ask("PUT", address, ["name": " Ana "]).status == 204)
        #expect(try await bo.ask("PUT", address, ["name": "Bo"]).status == 204)
        let rows = try #require(try await ana.boards()[0]["rows"] as? [[String: Any]])
        #expect(rows.map { $0["name"] as? String } == ["Bo", "Ana"], "practice of a week ago does not count")
        #expect(rows.map { $0["minutes"] as? Double } == [20, 10] && rows.map { $0["place"] as? Int } == [1, 2])
        #expect(rows.map { $0["isYou"] as? Bool } == [false, true])
        #expect(rows.allSatisfy { Set($0.keys) == ["place", "name", "minutes", "isYou"] })
        #expect(try await cleo.boards()[0]["rows"] == nil, "learners who have not joined do not see the board")

        // A learner can't join another group's board, or any board without a name of their own.
        let elsewhere = try await stranger.ask("PUT", address, ["name": "Eve"])
        #expect(elsewhere.status == 404 && elsewhere.code == "not-found", "\(elsewhere.text)")
        for name in ["", "  ", String(repeating: "x", count: 41)] {
            #expect(try await cleo.ask("PUT", address, ["name": name]).status == 400, "\(name)")
        }
        #expect(try await stranger.boards().map { $0["group"] as? String } == ["9a"])
        let teacher = Member(server: server, rights: .teacher(of: "8 b/c"))
        #expect(
            try await teacher.boards().allSatisfy { $0["rows"] == nil },
            "a teacher who did not join does not see the board")

        #expect(try await bo.ask("DELETE", address).status == 204)
        #expect(try await bo.ask("DELETE", address).status == 204)
        #expect(((try await ana.boards())[0]["rows"] as? [Any])?.count == 1)
        #expect(try await server.ask("DELETE", "/v1/practice", as: ana.user, ana.rights).status == 204)
        #expect(try await ana.boards()[0]["rows"] == nil, "erased practice is not on the board")
        await server.stop()
    }
}
