import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

/// What breaks a queue from outside: kills, failing calls, power cuts, full disks, damaged files, clocks that are set. One row of
/// counts each.
///
/// All on this machine and in folders of their own; one after the other, since each takes both cores.
@Suite(.serialized) enum Faults {
    /// How many are enough of what is drawn by lot.
    static func count(of full: Int) -> Int { Thoroughness.count(max(1, full / 10), check: full) }

    /// Carries out jobs on two lanes, each with a place of its own that it uses again and again.
    ///
    /// - Parameters:
    ///   - program: the build of the probe.
    ///   - enough: when to leave the rest undone.
    static func inTwoLanes<Job: Sendable>(
        _ jobs: [Job], program: String = RunningProbe.program,
        until enough: @escaping @Sendable (Tally) -> Bool = { _ in false },
        _ body: @escaping @Sendable (Place, Job) async throws -> Tally
    ) async throws -> Tally {
        let waiting = Waiting(jobs)
        async let first = work(waiting, program, enough, body)
        async let second = work(waiting, program, enough, body)
        var tally = try await first
        tally += try await second
        return tally
    }

    private static func work<Job: Sendable>(
        _ waiting: Waiting<Job>, _ program: String, _ enough: @Sendable (Tally) -> Bool,
        _ body: @Sendable (Place, Job) async throws -> Tally
    ) async throws -> Tally {
        let place = try Place(program: program)
        defer { place.remove() }
        var tally = Tally()
        while let job = waiting.next() {
            tally += try await body(place, job)
            if enough(tally) { waiting.drop() }
        }
        return tally
    }

    private final class Waiting<Job: Sendable>: Sendable {
        private let jobs: Mutex<ArraySlice<Job>>

        init(_ jobs: [Job]) { self.jobs = Mutex(jobs[...]) }

        func next() -> Job? { jobs.withLock { $0.popFirst() } }
        func drop() { jobs.withLock { $0 = [] } }
    }

    /// What blocks does so on a thread that may.
    static func runBlocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
        }
    }
}

/// What came of so many faults.
struct Tally: Sendable {
    var points = 0
    /// Uploads that were acknowledged, or known, and never arrived.
    var lost = 0
    /// Uploads that had an effect twice, or another one the second time.
    var duplicated = 0
    /// Uploads or recordings that are there, and not as they were.
    var corrupted = 0
    /// Whatever else was not as promised.
    var broken = 0
    /// Sends of what had arrived already: they must be few, and have no effect.
    var repeated = 0
    /// What was wrong, and where.
    var words: [String] = []

    static func += (tally: inout Tally, more: Tally) {
        tally.points += more.points
        tally.lost += more.lost
        tally.duplicated += more.duplicated
        tally.corrupted += more.corrupted
        tally.broken += more.broken
        tally.repeated += more.repeated
        tally.words += more.words
    }

    mutating func note(_ what: WritableKeyPath<Tally, Int>, _ sentence: String) {
        self[keyPath: what] += 1
        words.append(sentence)
    }

    var violations: Int { lost + duplicated + corrupted + broken }

    /// One line for the row, the first things that were wrong, and an issue if there are any.
    func report(row: Int, _ what: String, since start: ContinuousClock.Instant, least: Int) {
        let others = broken > 0 ? ", \(broken) other promises broken" : ""
        print(
            "row \(row): \(points) \(what), \(lost) lost, \(duplicated) duplicated effects, \(corrupted) corrupted\(others), "
                + "\(repeated) repeated sends (\((ContinuousClock.now - start).components.seconds) s)")
        // The first of each fault: the others follow from it.
        var told: Set<Substring> = []
        let first = words.filter { told.insert($0.prefix { $0 != ":" }).inserted }
        for sentence in first.prefix(20) { print("  row \(row): \(sentence)") }
        #expect(violations == 0, "\(words.first ?? "")")
        // A harness that breaks nothing proves nothing.
        #expect(points >= least, "only \(points) \(what)")
    }
}
