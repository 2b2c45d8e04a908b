import ExamKit
import Foundation
import Glibc
import Testing
import UploadQueue

@testable import queue_probe

extension Faults {
    /// Row 5: the disk that has the journal is full, at whatever moment.
    @Suite struct FullDisk {
        @Test(.timeLimit(.minutes(2))) func aFullDiskIsToldAndNothingAcknowledgedIsLost() async throws {
            let start = ContinuousClock.now
            guard let disk = SmallDisk(mebibytes: 2) else { return }
            defer { disk.remove() }
            let place = try Place(disk: disk.path)
            defer { place.remove() }
            var tally = Tally()
            var refused = 0
            for round in 0..<(20 * Faults.scale) {
                let left = round * 28_000 / Faults.scale
                try await Self.enqueue(on: disk, place, leaving: left, &refused, &tally)
            }
            // Both must have been: disks on which nothing could be made, and such on which all had room.
            #expect(refused > 5 && refused < tally.points)
            tally.report(row: 5, "fill levels", since: start, least: 20)
        }

        @Test(.timeLimit(.minutes(1))) func noSessionBeginsWithoutRoomForIt() async throws {
            guard let disk = SmallDisk(mebibytes: 2) else { return }
            defer { disk.remove() }
            let place = try Place(disk: disk.path)
            defer { place.remove() }
            let end = try await RunningProbe.run(["admit", place.home.path], scratch: place.path)
            #expect(end.code == 73)
            #expect(
                end.errors == "\(place.home.queue): only 1 MB are free, an exam needs 200 MB: make room first\n",
                "\(end)")
        }

        private static func enqueue(
            on disk: SmallDisk, _ place: Place, leaving left: Int, _ refused: inout Int, _ tally: inout Tally
        ) async throws {
            try place.prepare(.enqueue)
            // Recordings lie on another disk, so that it is the queue that finds none left.
            let words = Deed.enqueue.words(on: place) + [place.path + "/takes"]
            defer { try? FileManager.default.removeItem(atPath: place.path + "/takes") }
            disk.fill(leaving: left)
            let what = "\(left) bytes left"
            let end = try await RunningProbe.run(words, scratch: place.path)
            tally.points += 1
            if end.code != 0 { refused += 1 }
            if !end.isOrderly || end.code != 0 && end.code != 74 { tally.note(\.broken, "\(what): \(end)") }
            let home = ProbeHome(path: place.home.path, recordings: place.path + "/takes")
            // Still full: what was acknowledged can be seen, and nothing worse happens than a refusal.
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

/// A file system in memory of a few MiB, unmounted when it is removed.
final class SmallDisk {
    let path: String

    /// nil, with the reason printed, where this user may not mount one.
    init?(mebibytes: Int) {
        path = "/tmp/oracy-small-disk-\(UUID().uuidString)"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard Self.run("mount", "-t", "tmpfs", "-o", "size=\(mebibytes)m", "tmpfs", path) else {
            try? FileManager.default.removeItem(atPath: path)
            print("SKIPPED: a disk cannot be made, this user may not mount a tmpfs")
            return nil
        }
    }

    func remove() {
        _ = Self.run("umount", path)
        rmdir(path)
    }

    /// Fills it until so many bytes are left, in whole pages.
    func fill(leaving left: Int) {
        var disk = statvfs()
        statvfs(path, &disk)
        let free = Int(disk.f_bavail) * Int(disk.f_frsize)
        let file = open(path + "/ballast", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        if free > left { posix_fallocate(file, 0, off_t(free - left)) }
        close(file)
    }

    func clear() { unlink(path + "/ballast") }

    private static func run(_ arguments: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
