import Foundation
import HTTPClient
import Learning
import LoopbackServers
import Synchronization
import TestSupport
import Testing
import Waiting

@testable import Backends

/// The state of plans for a screen: no outdated answers, no requests while the network is away, and a way to try again.
@Suite(.endsIfItHangs) struct PlanModelTests {
    private let profile = SamplePlan.profile

    /// Answers each request when the test says so, even if it was cancelled: the worst possible network.
    private final class Doors: Sendable {
        private let doors = Mutex<[Int: CheckedContinuation<HTTPResponse, Never>]>([:])

        var server: MockPlanServer {
            MockPlanServer { (number, _) throws(HTTPFailure) in
                await withCheckedContinuation { door in self.doors.withLock { $0[number] = door } }
            }
        }

        /// Waits until the request with this number has come.
        func wait(for number: Int) async {
            #expect(await Patience.wait { doors.withLock { $0[number] != nil } })
        }

        func open(_ number: Int, _ plan: StudyPlan) async {
            await wait(for: number)
            doors.withLock { $0.removeValue(forKey: number) }?.resume(
                returning: HTTPResponse(status: 200, body: plan.json))
        }
    }

    private func plan(version: Int) -> StudyPlan {
        StudyPlan(for: profile, PlanEvidence(), week: StudyDay("2026-11-25")!, version: version)
    }

    /// Returns everything that `changes` delivered until the model was released.
    private func follow(_ changes: AsyncStream<Loadable<StudyPlan>>) -> Task<[Loadable<StudyPlan>], Never> {
        Task { await changes.reduce(into: []) { $0.append($1) } }
    }

    @Test func aPlanIsLoadedAndRerolled() async throws {
        let doors = Doors()
        var model: PlanModel? = PlanModel(doors.server.client())
        let seen = follow(try #require(model?.changes))
        #expect(model?.plan == .idle && model?.reroll(.dailyTasks, for: profile) == nil)
        let task = model?.generate(for: profile)
        #expect(model?.plan == .loading)
        await doors.open(0, plan(version: 1))
        await task?.value
        #expect(model?.plan == .loaded(plan(version: 1)))
        let other = plan(version: 1).rerolled(.dailyTasks, for: profile, PlanEvidence())
        let reroll = model?.reroll(.dailyTasks, for: profile)
        await doors.open(1, other)
        await reroll?.value
        #expect(model?.plan == .loaded(other) && model?.alert == nil)
        model = nil
        #expect(await seen.value == [.idle, .loading, .loaded(plan(version: 1)), .loading, .loaded(other)])
    }

    @Test func lateAnswersToCancelledRequestsChangeNothing() async {
        let doors = Doors()
        let model = PlanModel(doors.server.client())
        let first = model.generate(for: profile)
        await doors.wait(for: 0)
        model.cancel()
        #expect(model.plan == .idle)
        await doors.open(0, plan(version: 1))
        await first.value
        #expect(model.plan == .idle && model.alert == nil)

        let second = model.generate(for: profile)
        await doors.wait(for: 1)
        second.cancel()
        await doors.open(1, plan(version: 2))
        await second.value
        #expect(model.plan == .idle && model.alert == nil, "the task's cancelling is enough")

        let third = model.generate(for: profile)
        await doors.open(2, plan(version: 3))
        await third.value
        let fourth = model.generate(for: profile)
        await doors.wait(for: 3)
        model.cancel()
        #expect(model.plan == .loaded(plan(version: 3)), "the earlier plan is shown again")
        await doors.open(3, plan(version: 4))
        await fourth.value
        #expect(model.plan == .loaded(plan(version: 3)))
    }

    @Test func anOvertakenRequestIsNotSeen() async {
        let doors = Doors()
        let model = PlanModel(doors.server.client())
        let first = model.generate(for: profile)
        await doors.wait(for: 0)
        let last = model.generate(for: profile)
        await doors.open(1, plan(version: 2))
        await last.value
        #expect(model.plan == .loaded(plan(version: 2)))
        await doors.open(0, plan(version: 1))
        await first.value
        #expect(model.plan == .loaded(plan(version: 2)))
    }

    /// Uses a real connection.
    @Test func releasingTheModelEndsItsRequest() async throws {
        let end = DispatchSemaphore(value: 0)
        let hasBegun = Mutex(false)
        let server = try HTTPServer { _ in
            hasBegun.withLock { $0 = true }
            end.wait()
            return HTTPResponse(status: 200)
        }
        defer {
            end.signal()
            server.stop()
        }
        var model: PlanModel? = PlanModel(PlanClient(url: server.url, timeout: .seconds(86_400)))
        let task = model?.generate(for: profile)
        #expect(await Patience.wait { hasBegun.withLock { $0 } })
        model = nil
        // The server never answers, so the task can end only because its request was cancelled.
        await task?.value
    }

    @Test func aFailureIsShownAndCanBeTriedAgain() async throws {
        let plan = plan(version: 1)
        let server = MockPlanServer { (number, _) throws(HTTPFailure) in
            if number == 0 { throw HTTPFailure(.networkUnavailable, "away") }
            return number == 1 ? HTTPResponse(status: 200, body: plan.json) : HTTPResponse(status: 404)
        }
        let model = PlanModel(server.client())
        await model.generate(for: profile).value
        #expect(model.plan.problem?.kind == .networkUnavailable && model.alert?.title == "No connection")
        var changes = model.changes.makeAsyncIterator()
        #expect(await changes.next()?.problem != nil)
        let retry = try #require(model.alert?.retry)
        retry()
        #expect(await changes.next() == .loading && model.alert == nil)
        #expect(await changes.next() == .loaded(plan))

        await model.generate(for: profile).value
        #expect(model.plan == .loaded(plan), "a failure takes no plan away")
        #expect(model.alert?.title == "Refused" && model.alert?.retry == nil)
    }

    @Test func noRequestIsMadeOffline() async throws {
        let reach = Mutex(Reachability.Reach.unreachable("no such host"))
        var intervals = NetworkWatch.Intervals()
        (intervals.online, intervals.offline) = (.seconds(600), .seconds(600))
        let watch = NetworkWatch(intervals) { reach.withLock { $0 } }
        // Awaits the watch's first check, which would otherwise arrive late in the following steps.
        var news = watch.changes.makeAsyncIterator()
        #expect(await news.next() == false)
        let server = MockPlanServer(status: 200, plan(version: 1).json)
        let model = PlanModel(server.client(), network: watch)
        #expect(!model.canGenerate && model.banner == ServiceProblem.offline.sentence)
        await model.generate(for: profile).value
        await model.prepare(for: profile).value
        #expect(model.plan == .failed(.offline) && model.prep == .failed(.offline) && server.requests.isEmpty)

        reach.withLock { $0 = .reachable }
        #expect(await watch.isOnlineNow())
        #expect(model.canGenerate && model.banner == nil)
        var changes = model.changes.makeAsyncIterator()
        #expect(await changes.next() == .failed(.offline))
        model.alert?.retry?()
        #expect(await changes.next() == .loading)
        #expect(await changes.next() == .loaded(plan(version: 1)))
    }

    @Test func aPrepPackIsPrepared() async {
        let model = PlanModel(MockPlanServer(status: 200, SamplePlan.prep.json).client())
        await model.prepare(for: profile).value
        #expect(model.prep == .loaded(SamplePlan.prep) && model.plan == .idle)
    }

    @Test func theWatchAsksTheServersHealth() async {
        let server = MockPlanServer(status: 200, Array(#"{"status":"ok"}"#.utf8))
        let watch = server.client().watch()
        #expect(await watch.isOnlineNow())
        #expect(server.requests.allSatisfy { $0.route == "GET /health" } && !server.requests.isEmpty)
    }
}
