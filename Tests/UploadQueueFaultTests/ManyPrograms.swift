import Foundation
import TestSupport
import Testing
import UploadQueue

@testable import queue_probe

extension Faults {
    /// Several programs that open and close a queue.
    @Suite struct ManyPrograms {
        /// Closing a file releases all locks of the process on it (POSIX), and the last program to close SQLite's
        /// database removes the log.
        @Test func aProgramThatLooksAndLeavesTakesNothingAway() async throws {
            let place = try Place()
            defer { place.remove() }
            let queue = try DeliveryQueue(folder: place.home.queue)
            try ProbeSession.enqueue([ProbeSession(1, goes: false)], in: place.home, to: queue)
            // Opened again in this process, as by another part of it.
            #expect(try DeliveryQueue(folder: place.home.queue).counts().open == ProbeSession.uploads)
            _ = try await RunningProbe.run(["list", place.home.path], scratch: place.path)
            try ProbeSession.enqueue([ProbeSession(2, goes: false)], in: place.home, to: queue)
            let seen = try await RunningProbe.run(["list", place.home.path], scratch: place.path)
            #expect(seen.output.split(separator: "\n").count == 2 * ProbeSession.uploads, "\(seen)")
            withExtendedLifetime(queue) {}
        }

        @Test(.endsIfItHangs) func programsThatOpenANewQueueAtOnceAllSucceed() async throws {
            let places = try (1...2).map { _ in try Place() }
            defer { for place in places { place.remove() } }
            for round in 0..<Faults.count(of: 20) {
                places[0].clear()
                let words = Deed.enqueue.words(on: places[0])
                async let one = RunningProbe.run(words, scratch: places[0].path)
                async let other = RunningProbe.run(words, scratch: places[1].path)
                let ends = try await [one, other]
                #expect(ends.allSatisfy { $0.code == 0 && $0.isOrderly }, "round \(round): \(ends)")
                let count = try DeliveryQueue(folder: places[0].home.queue).counts().open
                #expect(count == Place.sessions * ProbeSession.uploads)
            }
        }
    }
}
