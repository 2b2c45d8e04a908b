import Foundation
import TestSupport
import Testing
import VirtualDevices

@testable import queue_probe

extension Faults {
    /// Row 3 of `make promise`: the system's calls fail, once or from some moment on, as in SQLite's own tests
    /// (`ioerr*.test`).
    @Suite struct FailingCalls {
        private static let calls = ["write", "pwrite64", "fsync", "fdatasync", "rename", "ftruncate", "openat"]
        private static let errors = ["EIO", "ENOSPC", "EDQUOT"]
        /// The approximate number of faults per deed, spread evenly over its calls.
        private static let most = 100

        private struct Job: Sendable, CustomStringConvertible {
            var deed: Deed
            var point: Strace.Point
            var error: String
            var isPersistent: Bool

            var description: String { "\(deed), \(error) at \(point)\(isPersistent ? " and later" : "")" }
        }

        @Test(.needs(Strace.obstacle), .endsIfItHangs) func aFailingCallIsReportedAndLosesNothing()
            async throws
        {
            let start = ContinuousClock.now
            var jobs: [Job] = []
            for deed in [Deed.enqueue, .drain, .drainAndGo, .recoverDamaged] { jobs += try await Self.jobs(of: deed) }
            let tally = try await Faults.inTwoLanes(jobs) { place, job in
                var tally = Tally()
                try await Self.fail(job, on: place, &tally)
                return tally
            }
            tally.report(row: 3, "failed calls", since: start, least: Faults.count(of: 250))
        }

        private static func jobs(of deed: Deed) async throws -> [Job] {
            let place = try Place()
            defer { place.remove() }
            try place.prepare(deed)
            let log = place.path + "/calls"
            _ = try await place.run(deed, under: Strace.watch(into: log, paths: paths(of: deed, on: place)))
            let points = try Strace.points(in: log, all: true).filter { calls.contains($0.call) }
            let all = points.flatMap { point in
                [false, true].map { isPersistent in
                    let error = errors[(point.number + (isPersistent ? 1 : 0)) % errors.count]
                    return Job(deed: deed, point: point, error: error, isPersistent: isPersistent)
                }
            }
            let step = max(1, all.count / Faults.count(of: most))
            // An odd step alternates between single and lasting failures.
            return stride(from: 0, to: all.count, by: step | 1).map { all[$0] }
        }

        /// Returns the paths that the queue and the probe write to, without those that a program loads at its start.
        private static func paths(of deed: Deed, on place: Place) -> [String] {
            let home = place.home
            let journals = ["journal.sqlite", "journal.damaged-1.sqlite", "journal.broken.sqlite"].flatMap { name in
                ["", "-wal", "-shm"].map { "\(home.queue)/\(name)\($0)" }
            }
            let recordings = deed.sessions.flatMap { session in
                session.ids.indices.compactMap { session.expectation($0, in: home)?.path }
            }
            let folders = [home.path, home.takes, home.path + "/data", home.queue]
            return journals + recordings + folders + [home.queue + "/sending.lock"]
        }

        private static func fail(_ job: Job, on place: Place, _ tally: inout Tally) async throws {
            try place.prepare(job.deed)
            let end = try await place.run(
                job.deed,
                under: Strace.fail(
                    job.point, error: job.error, persistently: job.isPersistent, paths: paths(of: job.deed, on: place)))
            tally.points += 1
            if !end.isOrderly { tally.note(\.broken, "\(job): \(end)") }
            // The fault is gone, so everything continues.
            var promises = Promises(place, after: job.deed, end)
            promises.mayBeParked = job.deed.sends
            await promises.check("\(job)", into: &tally)
        }
    }
}
