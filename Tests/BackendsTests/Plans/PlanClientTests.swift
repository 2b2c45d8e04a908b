import Foundation
import HTTPClient
import Learning
import LoopbackServers
import Synchronization
import TestSupport
import Testing
import UploadQueue

@testable import Backends

/// Plans that are generated but not stored.
@Suite struct PlanClientTests {
    private let profile = SamplePlan.profile
    private let plan = SamplePlan.plan

    private func problem(_ server: MockPlanServer) async -> PlanProblem? {
        await #expect(throws: PlanProblem.self) { _ = try await server.client().routine(for: profile) }
    }

    // MARK: - Requests and answers

    @Test func healthOk() async throws {
        let server = MockPlanServer(status: 200, Array(#"{"status":"ok"}"#.utf8))
        try await server.client().health()
        #expect(server.requests.map(\.route) == ["GET /health"])
        #expect(server.requests[0].field("authorization") == nil)
    }

    @Test func healthFail() async throws {
        let unwell = MockPlanServer(status: 503)
        let problem = await #expect(throws: PlanProblem.self) { try await unwell.client().health() }
        #expect(problem == .server(status: 503, message: "it answers 503"))
        for (body, words) in [
            (#"{"status":"tired"}"#, "status: should be ok"), ("{}", "status: is missing"), ("", "status: is missing"),
        ] {
            let server = MockPlanServer(status: 200, Array(body.utf8))
            let problem = await #expect(throws: PlanProblem.self) { try await server.client().health() }
            #expect(problem == .decoding(message: words))
        }
    }

    @Test func routineOk() async throws {
        let server = MockPlanServer(status: 200, plan.json)
        #expect(try await server.client().routine(for: profile) == plan)
        let request = try #require(server.requests.first)
        #expect(server.requests.count == 1 && request.route == "POST /generate/routine")
        #expect(request.body == .bytes(profile.json))
        #expect(request.field("authorization") == "Bearer good" && request.field("oracy-offset") == "3600")
        #expect(request.field("content-type") == "application/json")
        #expect(server.limits[0].total == .seconds(15), "V10")
    }

    @Test func prepOk() async throws {
        let server = MockPlanServer(status: 200, SamplePlan.prep.json)
        #expect(try await server.client().prep(for: profile) == SamplePlan.prep)
        #expect(server.requests.map(\.route) == ["POST /generate/prep"])
    }

    @Test func status400IsTheServersWords() async {
        let server = SamplePlan.problem(400, "malformed", "availableDays: is empty.")
        let problem = await problem(server)
        #expect(problem == .server(status: 400, message: "No: availableDays: is empty"))
        #expect(problem?.isRetryable == false)
        #expect(problem?.displayMessage == "The plan server refused: No: availableDays: is empty.")
        #expect(server.requests.count == 1 && server.waits.isEmpty)
    }

    @Test func status500MayPass() async {
        let problem = await problem(MockPlanServer(status: 500, Array("<html>".utf8), type: "text/html"))
        #expect(problem == .server(status: 500, message: "it answers 500") && problem?.isRetryable == true)
    }

    @Test func timeout() async {
        let problem = await problem(MockPlanServer(failing: .timeout))
        #expect(problem == .timeout && problem?.isRetryable == true)
    }

    @Test(.endsIfItHangs) func aSilentServerTimesOutAfterTheGivenTime() async throws {
        let end = DispatchSemaphore(value: 0)
        let server = try HTTPServer { _ in
            end.wait()
            return HTTPResponse(status: 200)
        }
        defer {
            for _ in 0..<8 { end.signal() }
            server.stop()
        }
        let waits = Mutex(0)
        let client = PlanClient(
            url: server.url, timeout: .milliseconds(100), sleep: { _ in waits.withLock { $0 += 1 } })
        let problem = await #expect(throws: PlanProblem.self) { try await client.health() }
        #expect(problem == .timeout && waits.withLock { $0 } == 3)
    }

    @Test func networkUnavailable() async throws {
        let server = try HTTPServer { _ in HTTPResponse(status: 200) }
        let url = server.url
        server.stop()
        let problem = await #expect(throws: PlanProblem.self) { try await PlanClient(url: url).health() }
        #expect(problem == .networkUnavailable && problem?.isRetryable == true)
    }

    @Test func decoding() async {
        let text = String(decoding: plan.json, as: UTF8.self)
        for (body, words) in [
            ("", "is empty"), ("[1", "is not JSON at"), ("{}", "weekOf: is missing"),
            (text.replacing("\"2026-11-23\"", with: "\"2026-11-24\""), "weekOf"),
            (text.replacing("\"version\" : 1", with: "\"version\" : 0"), "version"),
            (text.replacing("\"version\"", with: "\"versoin\" : 1, \"version\""), "versoin: is not a field of a plan"),
            (text.replacing("\"Monday\" :", with: "\"Moonday\" :"), "not \"Moonday\""),
            (text.replacing("\"oracy ", with: "\"rm "), "command"),
        ] {
            let server = MockPlanServer(status: 200, Array(body.utf8))
            let problem = await problem(server)
            guard case .decoding(let message) = problem else {
                Issue.record("\(words): \(String(describing: problem))")
                continue
            }
            #expect(message.contains(words), "\(message)")
            #expect(problem?.isRetryable == false && server.requests.count == 1)
        }
        // A hotel's page has status 200 too.
        guard case .decoding = await problem(MockPlanServer(status: 200, Array("<html>".utf8), type: "text/html"))
        else {
            Issue.record("a page was accepted as a plan")
            return
        }
    }

    // MARK: - Retries

    @Test func transientFailuresAreRetriedFourTimes() async {
        let delays: [Duration] = [.milliseconds(200), .milliseconds(500), .seconds(1)]
        for server in [500, 502, 503, 504].map({ MockPlanServer(status: $0) })
            + [HTTPFailure.Kind.connectionLost, .timeout].map({ MockPlanServer(failing: $0) })
        {
            let problem = await problem(server)
            #expect(server.requests.count == 4 && server.waits == delays && problem?.isRetryable == true)
        }
    }

    @Test func permanentFailuresAreAskedOnce() async {
        for server in [400, 401, 403, 404, 409, 422, 302].map({ MockPlanServer(status: $0) })
            + HTTPFailure.Kind.allCases.filter({ ![.connectionLost, .timeout].contains($0) }).map({
                MockPlanServer(failing: $0)
            })
        {
            #expect(await problem(server) != nil)
            #expect(server.requests.count == 1 && server.waits.isEmpty)
        }
    }

    @Test func aServerThatComesBackIsHeard() async throws {
        let plan = plan
        let server = MockPlanServer { (number, _) throws(HTTPFailure) in
            switch number {
            case 0: throw HTTPFailure(.connectionLost, "lost")
            case 1: return HTTPResponse(status: 503)
            default: return HTTPResponse(status: 200, body: plan.json)
            }
        }
        #expect(try await server.client().routine(for: profile) == plan)
        #expect(server.waits == [.milliseconds(200), .milliseconds(500)])
    }

    @Test(.endsIfItHangs) func aCancelledWaiterAsksNoMore() async {
        let server = MockPlanServer(status: 503)
        let (waiting, began) = AsyncStream.makeStream(of: Void.self)
        let client = PlanClient(
            url: "https://plans.example.org", client: server,
            sleep: { _ in
                began.yield()
                try await Task.sleep(for: .seconds(3600))
            })
        let task = Task { try await client.health() }
        for await _ in waiting { break }
        task.cancel()
        await #expect(throws: PlanProblem.cancelled) { try await task.value }
        #expect(server.requests.count == 1)
    }

    // MARK: - Re-roll

    @Test(arguments: StudyPlan.Section.allCases) func reroll(_ section: StudyPlan.Section) async throws {
        let other = plan.rerolled(section, for: profile, PlanEvidence())
        let server = MockPlanServer(status: 200, other.json)
        #expect(try await server.client().reroll(section, for: profile, plan) == other)
        let request = try #require(server.requests.first)
        #expect(request.route == "POST /reroll")
        #expect(Set(request.json.keys) == ["section", "profile", "currentPlan"])
        #expect(request.json["section"] as? String == section.rawValue)
        #expect((request.json["currentPlan"] as? [String: Any])?["version"] as? Int == 1)
    }

    @Test func aRerollMayOnlyChangeItsSection() async {
        var late = plan
        late.version = 3
        var other = plan
        other.version = 2
        other.resources.append(PlanResource(title: "More", link: .test(nil), reason: "Why not"))
        for (answer, field) in [(plan, "version"), (late, "version"), (other, "resources")] {
            let server = MockPlanServer(status: 200, answer.json)
            let problem = await #expect(throws: PlanProblem.self) {
                _ = try await server.client().reroll(.dailyTasks, for: profile, plan)
            }
            let words = "\(field): is not as expected after a new dailyTasks"
            #expect(problem == .decoding(message: words))
        }
    }

    // MARK: - The server's address

    @Test func theBaseAddressCanBeSet() async throws {
        let named = ["ORACY_PLAN_URL": "https://named.example.org"]
        #expect(PlanServer.url(override: "https://said.example.org", environment: named) == "https://said.example.org")
        #expect(PlanServer.url(environment: named) == "https://named.example.org")
        #expect(PlanServer.url(environment: ["ORACY_PLAN_URL": ""]) == PlanServer.standard)
        #expect(
            PlanServer.url(configured: "https://mine.example.org", environment: [:])
                == PlanServer.standard ?? "https://mine.example.org")
        #if DEBUG
            #expect(PlanServer.standard == "http://localhost:8081")
        #else
            #expect(PlanServer.standard == nil)
        #endif
        let server = MockPlanServer(status: 200, Array(#"{"status":"ok"}"#.utf8))
        try await server.client("http://localhost:8081/api/").health()
        #expect(server.requests.map(\.url) == ["http://localhost:8081/api/health"])
    }

    @Test(arguments: ["", "plans", "ftp://a.org", "http://plans.example.org", "https://a.org?x=1", "https://u:p@a.org"])
    func anAddressThatCannotBeUsedIsNotAsked(_ url: String) async {
        let server = MockPlanServer(status: 200)
        let problem = await #expect(throws: PlanProblem.self) { try await server.client(url).health() }
        #expect(problem == .invalidURL && server.requests.isEmpty)
    }

    // MARK: - Messages

    @Test func everyProblemHasASentenceAndATitle() {
        let lost = DeliveryFailure(.signInNeeded, code: "token", message: "you are not signed in")
        for (problem, kind, isRetryable) in [
            (PlanProblem.networkUnavailable, ServiceProblem.Kind.networkUnavailable, true),
            (.timeout, .timeout, true), (.server(status: 500, message: "m"), .server, true),
            (.server(status: 404, message: "m"), .server, false), (.server(status: 403, message: "m"), .server, false),
            (.server(status: 401, message: "m"), .signInNeeded, false), (.decoding(message: "m"), .decoding, false),
            (.invalidURL, .unknown, false), (.cancelled, .cancelled, false),
            (.unknown(underlying: lost), .signInNeeded, false),
        ] {
            #expect(problem.displayMessage.hasSuffix(".") && problem.isRetryable == isRetryable, "\(problem)")
            let shown = ServiceProblem(problem)
            #expect(shown.kind == kind && shown.isRetryable == isRetryable && !shown.title.isEmpty, "\(problem)")
            #expect(shown.sentence + "." == problem.displayMessage)
        }
    }

    @Test func anUnreadableTokenIsReportedWithoutARequest() async {
        let server = MockPlanServer(status: 200, plan.json)
        let lost = DeliveryFailure(.signInNeeded, message: "you are not signed in")
        let client = PlanClient(
            url: "https://plans.example.org", client: server, token: { () throws(DeliveryFailure) in throw lost })
        let problem = await #expect(throws: PlanProblem.self) { _ = try await client.routine(for: profile) }
        #expect(problem == .unknown(underlying: lost) && server.requests.isEmpty)
        #expect(problem?.displayMessage == "you are not signed in.")
    }
}
