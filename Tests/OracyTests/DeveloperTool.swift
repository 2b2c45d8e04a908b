import Backends
import Foundation
import HTTPClient
import Learning
import LoopbackServers
import Synchronization
import TestSupport
import Testing

@testable import VirtualDevices

/// `oracy developer`: plans without a server, and a plan server from the client's point of view.
@Suite struct DeveloperTool {
    private let home: Home

    init() throws { home = try Home() }

    private func tool(_ arguments: String..., environment: [String: String] = [:]) throws -> Tool.Result {
        try Tool.run(["developer"] + arguments, home: home.path, environment: environment)
    }

    private static let profile = LearnerProfile(
        name: "Anna", stage: "second year", targetRole: "IELTS 7", timeBudgetHoursPerDay: 0.5,
        availableDays: [.tuesday, .sunday])

    @Test func aStubIsAPlanOfThisWeekWithoutAnyServer() throws {
        let stub = try tool("stub", "--json")
        let plan = try StudyPlan.read(from: Array(stub.output.utf8), name: "stub")
        #expect(stub.code == 0 && plan.version == 1 && Set(plan.dailyTasks.keys).isSubset(of: Weekday.allCases[..<5]))
        #expect(plan.tasks.count >= 5, "the plan has a whole week, whatever day today is")
        let text = try tool("stub").output
        #expect(text.hasPrefix("Week of \(plan.weekOf.text), version 1\n"))
        for (_, task) in plan.tasks { #expect(text.contains("  \(task.title)\n      \(task.command)\n"), "\(text)") }
    }

    @Test func aStubUsesTheProfileOfAFile() throws {
        let file = try home.write(String(decoding: Self.profile.json, as: UTF8.self), to: "anna.json")
        let plan = try StudyPlan.read(from: Array(tool("stub", "--profile", file, "--json").output.utf8), name: "stub")
        #expect(plan.tasks.allSatisfy { [.tuesday, .sunday].contains($0.day) } && !plan.tasks.isEmpty)
        let wrong = try home.write(#"{"name":"Anna"}"#, to: "wrong.json")
        let refused = try tool("stub", "--profile", wrong)
        #expect(refused.code == 65 && refused.errors.contains("stage: is missing"), "\(refused)")
        #expect(try tool("stub", "--profile", home.path + "/none.json").code == 66)
    }

    @Test func healthAsksTheNamedServer() throws {
        let asked = Mutex<[String]>([])
        let isWell = Mutex(true)
        let server = try HTTPServer { request in
            asked.withLock { $0.append("\(request.method) \(request.url)") }
            return isWell.withLock { $0 }
                ? HTTPResponse(status: 200, body: Array(#"{"status":"ok"}"#.utf8))
                : HTTPResponse(status: 404, body: Array("no".utf8))
        }
        let url = server.url
        let said = try tool("health", "--url", url)
        #expect(said.code == 0 && said.output.hasPrefix("\(url): ok, after "), "\(said)")
        let json = try tool("health", "--json", environment: ["ORACY_PLAN_URL": url])
        #expect(json.code == 0 && json.output.contains(#""status" : "ok""#), "\(json)")
        #expect(asked.withLock { $0 } == Array(repeating: "GET \(url)/health", count: 2))
        isWell.withLock { $0 = false }
        let unwell = try tool("health", "--url", url)
        #expect(unwell.code == 69 && unwell.errors.contains("it answers 404"), "\(unwell)")
        server.stop()
        let gone = try tool("health", "--url", url)
        #expect(
            gone.code == 69
                && gone.errors
                    == "oracy: \(url): The plan server cannot be reached. Check your connection and try again\n",
            "\(gone)")
        #expect(try tool("health", "--url", "http://plans.example.org").code == 65)
    }

    @Test func plansAndPacksAreWhatTheServerMade() throws {
        let plan = StudyPlan(for: Self.profile, PlanEvidence(), week: StudyDay("2026-11-25")!)
        let pack = PrepPack(for: Self.profile, plan: plan, starterQuestions: ["Where do you live?"])
        let bodies = Mutex<[HTTPRequest.Body]>([])
        let server = try HTTPServer { request in
            bodies.withLock { $0.append(request.body) }
            switch request.url.split(separator: "/").last {
            case "routine": return HTTPResponse(status: 200, body: plan.json)
            case "prep": return HTTPResponse(status: 200, body: pack.json)
            default: return HTTPResponse(status: 404)
            }
        }
        defer { server.stop() }
        let file = try home.write(String(decoding: Self.profile.json, as: UTF8.self), to: "anna.json")
        let made = try tool("plan", "--url", server.url, "--profile", file, "--json")
        #expect(made.code == 0 && made.output == String(decoding: plan.json, as: UTF8.self), "\(made)")
        #expect(bodies.withLock { $0 } == [.bytes(Self.profile.json)])
        #expect(try tool("plan", "--url", server.url).output.hasPrefix("Week of 2026-11-23, version 1\n"))
        let prep = try tool("prep", "--url", server.url).output
        #expect(prep.hasPrefix("What happens\n") && prep.contains("- Where do you live?\n"), "\(prep)")
        let other = try tool("prep", "--url", server.url, "--json").output
        #expect(other == String(decoding: pack.json, as: UTF8.self))
    }

    /// A token is sent only to its own backend.
    @Test func theTokenIsSentToItsOwnBackendOnly() throws {
        let tokens = Mutex<[String?]>([])
        let plan = StudyPlan(for: Self.profile, PlanEvidence(), week: StudyDay("2026-11-25")!)
        let answer: @Sendable (HTTPRequest) -> HTTPResponse = { request in
            tokens.withLock {
                $0.append(request.headers.first { $0.name.lowercased() == "authorization" }?.value)
            }
            return HTTPResponse(status: 200, body: plan.json)
        }
        let (own, other) = (try HTTPServer(answer), try HTTPServer(answer))
        defer {
            own.stop()
            other.stop()
        }
        _ = try Tool.run(["uploads", "to", "backend", own.url], home: home.path)
        let folder = "\(home.path)/.local/share/oracy/uploads/\(Destination.backend(url: own.url).name)"
        try TokenFile(path: folder + "/credentials.json").write("secret")
        #expect(try tool("plan", "--url", own.url).code == 0)
        #expect(try tool("plan", "--url", other.url).code == 0)
        #expect(tokens.withLock { $0.suffix(2) } == ["Bearer secret", nil])
    }

    /// The client understands every answer of the server.
    @Test(.endsIfItHangs) func clientAndServerAgree() async throws {
        let den = try Den()
        let server = try den.serve()
        defer { server.process.kill() }
        let url = "http://127.0.0.1:\(server.port)"
        #expect(try tool("health", "--url", url).code == 0)
        #expect(try tool("plan", "--url", url).output.hasPrefix("Week of "))
        #expect(try tool("prep", "--url", url).output.hasPrefix("What happens\n"))

        let client = PlanClient(url: url)
        let daily = LearnerProfile(
            name: "Anna", stage: "second year", targetRole: "IELTS 7", timeBudgetHoursPerDay: 1,
            availableDays: Weekday.allCases)
        let made = try await client.routine(for: daily)
        for section in StudyPlan.Section.allCases {
            #expect(try await client.reroll(section, for: daily, made).version == 2)
        }
        var nowhere = daily
        nowhere.availableDays = []
        let refused = await #expect(throws: PlanProblem.self) { _ = try await client.routine(for: nowhere) }
        guard case .server(400, let words) = refused, words.contains("availableDays") else {
            Issue.record("\(String(describing: refused))")
            return
        }

        #expect(try await client.plan().profile == nil)
        let told = try await client.setProfile(daily)
        #expect(told.profile == daily && told.plan?.version == 1 && told.plan?.tasks.isEmpty == false)
        #expect(try await client.preview() == nil)
        let offer = try #require(try await client.preview(anew: true))
        await #expect(throws: PlanProblem.self) { _ = try await client.accept(77, anew: true) }
        #expect(try await client.accept(offer.plan.version, anew: true).plan == offer.plan)
        let version = try #require(try await client.reroll(.resources).plan?.version)
        #expect(try #require(try await client.undo().plan?.version) > version)
        #expect(try await client.prep().starterQuestions.count == 10)
        #expect(try await client.calendar().contains("BEGIN:VEVENT"))
        #expect(try await client.export().profile == daily)
        try await client.delete()
        #expect(try await client.plan().plan == nil)
    }
}
