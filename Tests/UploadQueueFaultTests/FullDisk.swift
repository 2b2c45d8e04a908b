import Foundation
import Glibc
import TestSupport
import Testing
import VirtualDevices

@testable import queue_probe

extension Faults {
    /// Row 5 of `make promise`: the journal's disk is full at different moments.
    @Suite struct FullDisk {
        @Test(.needs(SmallDisk.obstacle), .endsIfItHangs) func aFullDiskIsReportedAndLosesNothingAcknowledged()
            async throws
        {
            let start = ContinuousClock.now
            let disk = try SmallDisk(kibibytes: 2048)
            defer { withExtendedLifetime(disk) {} }
            let place = try Place(disk: disk.path)
            defer { place.remove() }
            var tally = Tally()
            var refused = 0
            let levels = Thoroughness.count(6, check: 20)
            for round in 0..<levels {
                let left = round * 560_000 / levels
                try await Self.enqueue(on: disk, place, leaving: left, &refused, &tally)
            }
            // Some disks must have had no room at all, and others enough for everything.
            #expect(refused > 1 && refused < tally.points)
            tally.report(row: 5, "fill levels", since: start, least: levels)
        }

        @Test(.needs(SmallDisk.obstacle), .endsIfItHangs) func noSessionBeginsWithoutRoomForIt() async throws {
            let disk = try SmallDisk(kibibytes: 2048)
            defer { withExtendedLifetime(disk) {} }
            let place = try Place(disk: disk.path)
            defer { place.remove() }
            let end = try await RunningProbe.run(["admit", place.home.path], scratch: place.path)
            #expect(end.code == 73)
            #expect(
                end.errors == "\(place.home.queue): only 1 MB are free; an exam needs 200 MB: make room first\n",
                "\(end)")
        }

        private static func enqueue(
            on disk: SmallDisk, _ place: Place, leaving left: Int, _ refused: inout Int, _ tally: inout Tally
        ) async throws {
            try place.prepare(.enqueue)
            // The recordings are on another disk, so that only the queue runs out of room.
            let words = Deed.enqueue.words(on: place) + [place.path + "/takes"]
            defer { try? FileManager.default.removeItem(atPath: place.path + "/takes") }
            disk.fill(leaving: left)
            let what = "\(left) bytes left"
            let end = try await RunningProbe.run(words, scratch: place.path)
            tally.points += 1
            if end.code != 0 { refused += 1 }
            if !end.isOrderly || end.code != 0 && end.code != 74 { tally.note(\.broken, "\(what): \(end)") }
            let home = ProbeHome(path: place.home.path, recordings: place.path + "/takes")
            // The disk is still full: acknowledged uploads are visible, and nothing worse than a refusal happens.
            let looking = try await RunningProbe.run(["list", place.home.path], scratch: place.path)
            if !looking.isOrderly { tally.note(\.broken, "\(what), looked at: \(looking)") }
            disk.clear()
            let again = try await RunningProbe.run(words, scratch: place.path)
            if again.code != 0 { tally.note(\.broken, "\(what), made free: \(again)") }
            var promises = Promises(place, after: .enqueue, end)
            promises.home = home
            promises.crashes = 0
            await promises.check(what, into: &tally)
        }
    }
}
