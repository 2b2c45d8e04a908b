import Foundation
import SupabaseStandIn
import Synchronization
import TestSupport
import Testing
import UploadQueue

@testable import Backends

/// Waiting for results in virtual time.
@Suite struct ResultPollTests {
    /// A clock that leaps to the end of each sleep.
    final class LeapingClock: Clock, Sendable {
        struct Instant: InstantProtocol {
            var offset: Duration
            func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
            func duration(to other: Instant) -> Duration { other.offset - offset }
            static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
        }

        private let time = Mutex(Instant(offset: .zero))
        var now: Instant { time.withLock { $0 } }
        var minimumResolution: Duration { .nanoseconds(1) }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            try Task.checkCancellation()
            time.withLock { $0 = max($0, deadline) }
        }
    }

    private typealias Told = Result<ResultPoll.Status, DeliveryFailure>

    /// Polls to the end. The last of the given answers repeats forever.
    private func outcome(
        _ told: [Told], chance: Double = 0, _ set: (inout ResultPoll) -> Void = { _ in }
    ) async -> (Result<ResultPoll.Outcome, DeliveryFailure>, at: [Duration]) {
        var poll = ResultPoll()
        set(&poll)
        let clock = LeapingClock()
        let times = Mutex<[Duration]>([])
        let result: Result<ResultPoll.Outcome, DeliveryFailure>
        do throws(DeliveryFailure) {
            result = .success(
                try await poll.outcome(clock: clock, chance: { chance }) { () async throws(DeliveryFailure) in
                    let number = times.withLock { times in
                        times.append(clock.now.offset)
                        return times.count - 1
                    }
                    return try told[min(number, told.count - 1)].get()
                })
        } catch {
            result = .failure(error)
        }
        return (result, times.withLock { $0 })
    }

    @Test func aSessionIsFollowedUntilItIsEvaluated() async {
        let found = SessionResults(scores: .init(overall: 6.5))
        let (result, times) = await outcome([
            .success(.inProgress), .success(.completed), .success(.processing), .success(.evaluated(found)),
        ]) { $0.growth = 2 }
        #expect(result == .success(.evaluated(found)))
        #expect(times == [.zero, .seconds(2), .seconds(6), .seconds(14)])
    }

    private static let found = SessionResults(scores: .init(fluency: 6))

    @Test func unscoredSessionsAreNotEvaluated() async {
        let nothing = SessionResults(answers: [.init(question: "home-1", transcript: "I live in a town")])
        #expect(ResultPoll.Status(word: "evaluated", results: nothing) == .unscored(nothing))
        #expect(ResultPoll.Status(word: "evaluated", results: Self.found) == .evaluated(Self.found))
        let (result, times) = await outcome([.success(.completed), .success(.unscored(nothing))])
        #expect(
            result == .success(.unscored(nothing)) && times.count == 2, "the client asks no more after the last status")
    }

    @Test func aLongPollIsRepeatedAtOnce() async {
        let clock = LeapingClock()
        let times = Mutex<[Duration]>([])
        let held = { @Sendable () async throws(DeliveryFailure) -> ResultPoll.Status in
            times.withLock { $0.append(clock.now.offset) }
            try? await clock.sleep(until: clock.now.advanced(by: .seconds(25)), tolerance: nil)
            return .processing
        }
        _ = try? await ResultPoll().outcome(clock: clock, chance: { 0 }, ask: held)
        #expect(times.withLock { Array($0.prefix(3)) } == [.zero, .seconds(25), .seconds(50)])
    }

    @Test func aFailedEvaluationIsReported() async {
        let (result, _) = await outcome([.success(.failed(message: "no speech"))])
        #expect(result == .success(.failed(message: "no speech")))
    }

    @Test(arguments: [0.0, 0.5, 1])
    func intervalsGrowToTheirLongestAndNoFurther(_ chance: Double) async {
        let (result, times) = await outcome([.success(.processing)], chance: chance)
        #expect(result == .success(.timedOut(last: .processing)))
        let waits = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(waits.first == .seconds(2) * (1 + chance / 2))
        #expect(waits == waits.sorted())
        #expect(waits.last == .seconds(10) * (1 + chance / 2))
        // At most five minutes and thirty requests.
        #expect(times.last! < .seconds(300) && times.last! > .seconds(260) && times.count <= 30)
    }

    @Test func aPollMakesNoMoreRequestsThanAllowed() async {
        let (result, times) = await outcome([.success(.processing)]) { $0.attempts = 4 }
        #expect(result == .success(.timedOut(last: .processing)) && times.count == 4)
        let (none, once) = await outcome([.failure(DeliveryFailure(.unreachable))]) { $0.attempts = 0 }
        #expect(none == .success(.timedOut(last: nil)) && once.count == 1)
    }

    @Test(arguments: [DeliveryFailure.Kind.unreachable, .transient, .timedOut])
    func transientFailuresAreAskedAgain(_ kind: DeliveryFailure.Kind) async {
        let (result, times) = await outcome([
            .failure(DeliveryFailure(kind)), .failure(DeliveryFailure(kind, retryAfter: .seconds(45))),
            .success(.evaluated(Self.found)),
        ])
        #expect(result == .success(.evaluated(Self.found)))
        #expect(times == [.zero, .seconds(2), .seconds(47)])
    }

    @Test func aLongRetryAfterEndsTheWait() async {
        let (result, times) = await outcome([.failure(DeliveryFailure(.transient, retryAfter: .seconds(3_600)))])
        #expect(result == .success(.timedOut(last: nil)) && times.count == 1)
    }

    @Test(arguments: [DeliveryFailure.Kind.signInNeeded, .refused, .cancelled])
    func permanentFailuresAreThrown(_ kind: DeliveryFailure.Kind) async {
        let (result, times) = await outcome([.success(.processing), .failure(DeliveryFailure(kind, code: "x"))])
        #expect(result == .failure(DeliveryFailure(kind, code: "x")) && times.count == 2)
    }

    @Test func anUnknownStatusCountsAsUnfinished() async {
        let (result, _) = await outcome([.success(.other("reviewed by a teacher")), .success(.evaluated(Self.found))])
        #expect(result == .success(.evaluated(Self.found)))
    }

    /// A cancelled caller gets no result, even if an answer came.
    @Test func aCancelledPollReportsNothing() async {
        let task = Task { () -> DeliveryFailure? in
            do throws(DeliveryFailure) {
                _ = try await ResultPoll().outcome(clock: LeapingClock()) { () async throws(DeliveryFailure) in
                    withUnsafeCurrentTask { $0?.cancel() }
                    return .evaluated(Self.found)
                }
                return nil
            } catch {
                return error
            }
        }
        #expect(await task.value == DeliveryFailure(.cancelled))
    }
}

/// The same with a project's table.
@Suite(.needs(StandInProject.obstacle)) struct SupabaseResultsTests {
    @Test func everyStatusOfASessionIsUnderstood() async throws {
        let device = try await Device.ready()
        let results = SupabaseResults(try Device.project(), auth: try device.auth(), over: device.standIn)
        let statuses: [(String, ResultPoll.Status)] = [
            ("in_progress", .inProgress), ("completed", .completed), ("processing", .processing),
            ("failed", .failed(message: "the backend could not evaluate the session")),
            ("archived", .other("archived")),
        ]
        // A newer project may have more statuses.
        device.standIn.alter("ALTER TABLE test_sessions DROP CONSTRAINT test_sessions_status_check")
        for (text, status) in statuses {
            device.standIn.sql("UPDATE test_sessions SET status = '\(text)'")
            #expect(try await results.status(of: Device.session.id) == status)
        }
        device.standIn.sql("UPDATE test_sessions SET status = 'evaluated', overall_band_score = 6.5")
        guard case .evaluated(let found) = try await results.status(of: Device.session.id) else {
            Issue.record("not evaluated")
            return
        }
        #expect(found.scores == .init(overall: 6.5))
        let missing = await #expect(throws: DeliveryFailure.self) { try await results.status(of: UUID()) }
        #expect(missing?.kind == .refused)
        #expect(device.complaints.isEmpty)
    }
}
