import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

/// Faults from outside a queue: kills, failing calls, power cuts, full disks, damaged files, clocks that are set. Each
/// has a row in the printed results.
///
/// All run on this machine in their own folders, one after another, since each uses both cores.
@Suite(.serialized) enum Faults {
    /// Returns how many random cases to run.
    static func count(of full: Int) -> Int { Thoroughness.count(max(1, full / 10), check: full) }

    /// Runs jobs on two lanes. Each lane reuses its own place.
    ///
    /// - Parameters:
    ///   - program: The build of the probe.
    ///   - enough: Returns whether to skip the rest.
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

    /// Runs blocking work on a thread that may block.
    static func runBlocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
        }
    }
}

/// The results of several faults.
struct Tally: Sendable {
    var points = 0
    /// The uploads that were acknowledged or known, but never arrived.
    var lost = 0
    /// The uploads that had an effect twice, or another effect the second time.
    var duplicated = 0
    /// The uploads or recordings that have changed.
    var corrupted = 0
    /// The other broken promises.
    var broken = 0
    /// The repeated sends of uploads that had already arrived. They must be few, and have no effect.
    var repeated = 0
    /// Descriptions of the violations.
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

    /// Prints one line for the row and the first violations, and records an issue if there are any.
    func report(row: Int, _ what: String, since start: ContinuousClock.Instant, least: Int) {
        let others = broken > 0 ? ", \(broken) other promises broken" : ""
        print(
            "row \(row): \(points) \(what), \(lost) lost, \(duplicated) duplicated effects, \(corrupted) corrupted\(others), "
                + "\(repeated) repeated sends (\((ContinuousClock.now - start).components.seconds) s)")
        // Prints only the first violation of each fault, since the others follow from it.
        var told: Set<Substring> = []
        let first = words.filter { told.insert($0.prefix { $0 != ":" }).inserted }
        for sentence in first.prefix(20) { print("  row \(row): \(sentence)") }
        #expect(violations == 0, "\(words.first ?? "")")
        // Too few faults would prove nothing.
        #expect(points >= least, "only \(points) \(what)")
    }
}
