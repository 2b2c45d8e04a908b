import Foundation
import Synchronization
import TestSupport
import Testing
import VirtualDevices

extension Faults {
    /// Row 1 of `make promise`: the program is killed before each call that changes anything, during each deed.
    @Suite struct Kills {
        @Test(.needs(Strace.obstacle), .endsIfItHangs) func aKillAtAnyCallLosesNothing() async throws {
            let start = ContinuousClock.now
            let tally = try await Self.sweep(Deed.allCases, oneIn: 10)
            tally.report(row: 1, "crash points", since: start, least: Faults.count(of: 400))
        }

        /// - Parameters:
        ///   - step: The distance between the points that are tried, except in `make check`.
        ///   - enough: Returns whether to skip the rest.
        static func sweep(
            _ deeds: [Deed], oneIn step: Int = 1, program: String = RunningProbe.program,
            until enough: @escaping @Sendable (Tally) -> Bool = { _ in false }
        ) async throws -> Tally {
            var jobs: [(deed: Deed, point: Strace.Point, isLast: Bool)] = []
            for deed in deeds {
                let points = try await points(of: deed, program: program)
                for point in Thoroughness.some(of: points, oneIn: step) {
                    let isLast = !points.contains { $0.call == point.call && $0.number > point.number }
                    jobs.append((deed, point, isLast))
                }
            }
            return try await Faults.inTwoLanes(jobs, program: program, until: enough) { place, job in
                var tally = Tally()
                var point = job.point
                // Threads share the work differently each time, so this continues until a run comes through untouched.
                while try await kill(job.deed, at: point, on: place, &tally), job.isLast, point.number < 1_000 {
                    point.number += 1
                }
                return tally
            }
        }

        static func points(of deed: Deed, program: String) async throws -> [Strace.Point] {
            let place = try Place(program: program)
            defer { place.remove() }
            try place.prepare(deed)
            let log = place.path + "/calls"
            let end = try await place.run(deed, under: Strace.watch(into: log))
            #expect(end.isOrderly && end.code == 0, "\(deed), unharmed: \(end)")
            return try Strace.points(in: log)
        }

        /// - Returns: Whether the run reached that point.
        private static func kill(
            _ deed: Deed, at point: Strace.Point, on place: Place, _ tally: inout Tally
        ) async throws -> Bool {
            try place.prepare(deed)
            let end = try await place.run(deed, under: Strace.kill(at: point))
            let wasKilled = end.signal == SIGKILL
            let what = "\(deed), killed at \(point)"
            if wasKilled { tally.points += 1 } else if !end.isOrderly { tally.note(\.broken, "\(what): \(end)") }
            await Promises(place, after: deed, end).check(what, into: &tally)
            return wasKilled
        }
    }
}
