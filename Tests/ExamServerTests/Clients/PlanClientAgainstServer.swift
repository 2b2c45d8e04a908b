import Backends
import Foundation
import Learning
import StoreTrials
import TestSupport
import Testing
import UploadQueue

/// `PlanClient` against the server of this package, call by call.
@Suite(.bothStores) struct PlanClientAgainstServer {
    private let user = UUID()
    private var profile: LearnerProfile {
        LearnerProfile(
            name: "Anna", stage: "second year", targetRole: "IELTS 7", timeBudgetHoursPerDay: 1,
            availableDays: Weekday.allCases)
    }

    private func client(_ server: RunningServer) async throws -> PlanClient {
        let token = try await RunningServer.token(of: user)
        return PlanClient(url: server.url, token: { token }, offset: { 0 })
    }

    @Test func plansAreMadeForClientsThatKeepThemThemselves() async throws {
        let server = try await RunningServer()
        let client = try await client(server)
        try await client.health()
        let plan = try await client.routine(for: profile)
        #expect(plan.version == 1 && plan.tasks.isEmpty == false)
        for section in StudyPlan.Section.allCases {
            #expect(try await client.reroll(section, for: profile, plan).version == 2)
        }
        // No drill of a new week is carried over from an earlier day.
        #expect(absentFields(of: try await client.prep(for: profile)) == ["weeklyDrillPlan.drills.carriedFrom"])
        let network = client.watch()
        #expect(await network.isOnlineNow())
        await server.stop()
        #expect(await !network.isOnlineNow())
    }

    @Test func aPlanIsStoredChangedAndExported() async throws {
        let server = try await RunningServer()
        let client = try await client(server)
        let fresh = try await client.plan()
        #expect(fresh.profile == nil && fresh.plan == nil && fresh.weekday != nil && fresh.streak != nil)
        var wanted = profile
        wanted.testDate = fresh.day.advanced(by: 40)
        let told = try await client.setProfile(wanted)
        #expect(told.profile == wanted && told.plan?.version == 1 && told.daysToTest == 40)
        #expect(!told.ticks.isEmpty && told.ticks.values.allSatisfy { $0.state == .open })
        #expect(told.score != nil && told.streak?.days == 0)

        #expect(try await client.preview() == nil, "a new plan would not differ")
        let offer = try #require(try await client.preview(anew: true))
        #expect(!(offer.kept + offer.added).isEmpty)
        let stale = await #expect(throws: PlanProblem.self) { _ = try await client.accept(77, anew: true) }
        guard case .server(409, _) = stale else {
            Issue.record("\(String(describing: stale))")
            return
        }
        #expect(try await client.accept(offer.plan.version, anew: true).plan?.version == offer.plan.version)
        let rerolled = try await client.reroll(.timeBlocks)
        #expect(rerolled.plan?.version == offer.plan.version + 1)
        #expect(try await client.undo().plan?.version == offer.plan.version + 2)

        #expect(absentFields(of: try await client.prep()) == ["weeklyDrillPlan.drills.carriedFrom"])
        #expect(try await client.calendar().hasPrefix("BEGIN:VCALENDAR"))
        let export = try await client.export()
        #expect(export.profile == wanted && export.history != nil)
        try await client.delete()
        #expect(try await client.plan().plan == nil)
        await server.stop()
    }

    /// The measures of an exam are in `progress`, and the server remembers whether its results were read.
    @Test func examsArePartOfThePlan() async throws {
        let server = try await RunningServer()
        let client = try await client(server)
        let held = try SessionTests.Held(
            answers: 3, speech: "AudioFixtures/answers/building-1.flac", in: server.folder)
        try await UploadQueueOf(server).send(held, RunningServer.token(of: user))
        _ = try await client.setProfile(profile)
        var exam: Backends.ToldPlan.Exam?
        try await eventually("the exam was measured") {
            exam = try await client.plan().progress.exams.first
            return exam != nil
        }
        let told = try #require(exam)
        #expect(told.session == held.facts.id.uuidString.lowercased() && told.format == held.facts.format)
        #expect(told.title == "IELTS-style speaking test")
        try await client.reviewed(told.session)
        await server.stop()
    }
}
