import Foundation
import HTTPClient
import Learning
import Testing

@testable import Backends

/// A learner's own plan, kept by a server.
@Suite struct KeptPlanTests {
    private static let told = """
        {"day":"2026-11-25","weekday":"Wednesday","profile":\(String(decoding: SamplePlan.profile.json, as: UTF8.self)),
        "plan":\(String(decoding: SamplePlan.plan.json, as: UTF8.self)),
        "ticks":{"monday-1":{"state":"done","doneOn":"2026-11-24"},"wednesday-1":{"state":"partly","share":0.4},"friday-1":{"state":"open"}},
        "today":["wednesday-1"],"score":0.42,"streak":{"days":2,"longest":5,"hasToday":false,"isAtRisk":true},"daysToTest":17,
        "points":["Pause less."],"canPreview":true,"isNewToThisClient":1,
        "progress":{"exams":[{"session":"s-1","day":"2026-11-20","format":"ielts-style","word":"fluent","measures":{"wordsPerMinute":131.5}}]}}
        """

    private func server(_ body: String = told, status: Int = 200) -> MockPlanServer {
        MockPlanServer(status: status, Array(body.utf8))
    }

    @Test func allReportedValuesAreRead() async throws {
        let told = try await server().client().plan()
        #expect(told.day == StudyDay("2026-11-25") && told.weekday == .wednesday && told.daysToTest == 17)
        #expect(told.profile == SamplePlan.profile && told.plan == SamplePlan.plan)
        #expect(told.ticks["monday-1"]?.state == .done && told.ticks["monday-1"]?.doneOn == StudyDay("2026-11-24"))
        #expect(told.todaysTasks.map(\.task.id) == ["wednesday-1"] && told.todaysTasks[0].tick?.share == 0.4)
        #expect(told.score == 0.42 && told.streak?.days == 2 && told.streak?.isAtRisk == true)
        #expect(told.points == ["Pause less."] && told.canPreview)
        #expect(told.progress.exams.map(\.measures) == [["wordsPerMinute": 131.5]])
    }

    @Test func learnersWithoutAProfileHaveNoPlan() async throws {
        let told = try await server(#"{"day":"2026-11-25","progress":{"exams":[]}}"#).client().plan()
        #expect(told.profile == nil && told.plan == nil && told.today.isEmpty && !told.canPreview)
    }

    @Test func requestsFollowTheContract() async throws {
        let server = server()
        let client = server.client()
        _ = try await client.plan()
        _ = try await client.setProfile(SamplePlan.profile)
        _ = try await client.accept(7)
        _ = try await client.reroll(.timeBlocks)
        _ = try await client.undo()
        #expect(
            server.requests.map(\.route) == [
                "GET /v1/plan", "PUT /v1/plan/profile", "POST /v1/plan", "POST /v1/plan/reroll", "POST /v1/plan/undo",
            ])
        #expect(server.requests[1].body == .bytes(SamplePlan.profile.json))
        #expect(server.requests[2].json["version"] as? Int == 7)
        #expect(server.requests[3].json["section"] as? String == "timeBlocks")
        #expect(server.requests[4].body == .bytes(Array("{}".utf8)))
        #expect(server.requests.allSatisfy { $0.field("oracy-offset") == "3600" })

        let gone = self.server("", status: 204)
        try await gone.client().delete()
        try await gone.client().reviewed("s-1")
        #expect(gone.requests.map(\.route) == ["DELETE /v1/plan", "POST /v1/plan/reviewed"])
        #expect(gone.requests[1].json["session"] as? String == "s-1")
    }

    @Test func aPreviewIsAPlanWithItsChangesOrNothing() async throws {
        #expect(try await server("{}").client().preview() == nil)
        let item = #"{"day":"Monday","title":"Part 2","link":"sit:part2","from":"Friday"}"#
        let plan = String(decoding: SamplePlan.plan.json, as: UTF8.self)
        let server = server(#"{"plan":\#(plan),"added":[],"removed":[],"moved":[\#(item)],"kept":[]}"#)
        let offer = try #require(try await server.client().preview())
        #expect(offer.plan == SamplePlan.plan && offer.moved.map(\.from) == [.friday])
        #expect(offer.moved[0].link == PlanLink("sit:part2") && offer.added.isEmpty)
        _ = try await server.client().preview(anew: true)
        #expect(server.requests.map(\.route) == ["POST /v1/plan/preview", "POST /v1/plan/preview"])
        #expect(server.requests[0].json.isEmpty && server.requests[1].json["anew"] as? Bool == true)
    }

    @Test func packsCalendarsAndExportsComeAsTheyAre() async throws {
        let pack = MockPlanServer(status: 200, SamplePlan.prep.json)
        #expect(try await pack.client().prep() == SamplePlan.prep)
        #expect(pack.requests.map(\.route) == ["GET /v1/plan/prep"])

        let text = PlanCalendar.text(of: SamplePlan.plan)
        let calendar = MockPlanServer(status: 200, Array(text.utf8), type: "text/calendar")
        #expect(try await calendar.client().calendar() == text)
        #expect(calendar.requests.map(\.route) == ["GET /v1/plan/calendar"])
        await #expect(throws: PlanProblem.decoding(message: "it is not a calendar")) {
            _ = try await server("[]").client().calendar()
        }

        let profile = String(decoding: SamplePlan.profile.json, as: UTF8.self)
        let export = try await server(#"{"profile":\#(profile),"history":{"entries":[]}}"#).client().export()
        #expect(export.profile == SamplePlan.profile && export.history == PlanHistory())
    }

    /// A second request would be another change. So nothing is sent again if the answer is lost.
    @Test func nonRepeatableRequestsAreSentOnce() async {
        typealias Call = @Sendable (PlanClient) async throws -> ToldPlan
        let once: [Call] = [
            { try await $0.accept(2) }, { try await $0.reroll(.resources) }, { try await $0.undo() },
        ]
        for call in once {
            let server = MockPlanServer(failing: .connectionLost)
            await #expect(throws: PlanProblem.networkUnavailable) { _ = try await call(server.client()) }
            #expect(server.requests.count == 1 && server.requests[0].isAlone)
        }
        let again = MockPlanServer(failing: .connectionLost)
        await #expect(throws: PlanProblem.self) { _ = try await again.client().setProfile(SamplePlan.profile) }
        #expect(again.requests.count == 4 && !again.requests[0].isAlone)
    }

    @Test func conflictsAreTheServersWords() async {
        let server = SamplePlan.problem(409, "nothing-to-undo", "This is the first plan.")
        await #expect(throws: PlanProblem.server(status: 409, message: "No: This is the first plan")) {
            _ = try await server.client().undo()
        }
    }

    @Test func aPlanInsideAnAnswerIsHeldToTheSameRules() async {
        for (find, put, words) in [
            ("\"2026-11-23\"", "\"2026-11-24\"", "weekOf"), ("\"partly\"", "\"half\"", "state"),
            ("\"timeBudgetHoursPerDay\" : 1", "\"timeBudgetHoursPerDay\" : 99", "profile.timeBudgetHoursPerDay"),
            ("\"longest\":5,", "", "streak.longest: is missing"),
        ] {
            #expect(Self.told.contains(find), "the test says nothing without \(find)")
            let server = server(Self.told.replacing(find, with: put))
            let problem = await #expect(throws: PlanProblem.self) { _ = try await server.client().plan() }
            guard case .decoding(let message) = problem else {
                Issue.record("\(words): \(String(describing: problem))")
                continue
            }
            #expect(message.contains(words), "\(message)")
        }
    }
}
