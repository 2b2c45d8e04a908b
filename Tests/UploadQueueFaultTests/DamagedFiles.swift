import ExamCore
import Foundation
import TestSupport
import Testing
import UploadQueue

@testable import queue_probe

extension Faults {
    /// Row 6 of `make promise`: files are damaged while no program is running. The queue notices this, keeps damaged
    /// files for inspection, and continues with everything else.
    @Suite struct DamagedFiles {
        private static let sessions = (1...5).map { ProbeSession($0, goes: false) }

        @Test(.endsIfItHangs) func damageIsNoticedAndEverythingArrivesInTheEnd() async throws {
            let start = ContinuousClock.now
            // Each kind of damage occurs at least once.
            let count = max(Damage.allCases.count, Faults.count(of: 100))
            let rounds = (0..<count).map { (Damage.allCases[$0 % Damage.allCases.count], $0) }
            let tally = try await Faults.inTwoLanes(rounds) { place, round in
                var tally = Tally()
                try await Self.damage(round.0, seed: round.1, on: place, &tally)
                return tally
            }
            tally.report(row: 6, "damages", since: start, least: count)
        }

        @Test func aNewerJournalIsRefusedAndNotTouched() async throws {
            let place = try Place()
            defer { place.remove() }
            try place.prepare(.recoverDamaged)
            place.clear()
            do {
                let queue = try DeliveryQueue(folder: place.home.queue)
                try ProbeSession.enqueue(Self.sessions, in: place.home, to: queue)
            }
            var bytes = try #require(FileManager.default.contents(atPath: place.home.journal))
            // `user_version`: four bytes at 60, the most significant first (SQLite's file format, 1.3).
            bytes[60] = 1
            try bytes.write(to: URL(filePath: place.home.journal))
            for words in [
                ["recover", place.home.path], ["enqueue", place.home.path, "1"], ["drain", place.home.path, "1"],
            ] {
                let end = try await RunningProbe.run(words, scratch: place.path)
                #expect(end.code == 65 && end.isOrderly, "\(end)")
                #expect(end.errors.contains("newer version"), "\(end)")
            }
            #expect(FileManager.default.contents(atPath: place.home.journal) == bytes)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: place.home.queue).allSatisfy {
                    !$0.contains("damaged")
                })
        }

        /// Two of five sessions have arrived when the damage happens.
        private static func prepare(_ place: Place, besideLog: Bool) async throws {
            place.clear()
            place.ledger.forget()
            let kept = place.path + "/half-\(besideLog)"
            if access(kept, F_OK) != 0 {
                do {
                    let queue = try DeliveryQueue(folder: place.home.queue)
                    try ProbeSession.enqueue(Array(sessions.prefix(2)), in: place.home, to: queue)
                    try await queue.send(through: Ledger.Inside(ledger: place.ledger), until: .atRest)
                    try ProbeSession.enqueue(sessions, in: place.home, to: queue)
                    if besideLog { try FileManager.default.copyItem(atPath: place.home.path, toPath: kept) }
                }
                if !besideLog { try FileManager.default.copyItem(atPath: place.home.path, toPath: kept) }
                place.clear()
                place.ledger.forget()
            }
            try FileManager.default.copyItem(atPath: kept, toPath: place.home.path)
            for session in sessions.prefix(2) { place.ledger.have(session, in: place.home) }
        }

        private static func damage(
            _ damage: Damage, seed: Int, on place: Place, _ tally: inout Tally
        ) async throws {
            try await prepare(place, besideLog: damage.besideLog)
            var chance = SplitMix64(seed: UInt64(seed))
            try damage.do(to: place.home, &chance)
            tally.points += 1
            let what = "\(damage), seed \(seed)"
            if damage == .bitInRecording || damage == .missingRecording {
                try await sendDamaged(what, damage, on: place, &tally)
            } else {
                // Opens the journal. Then enqueues everything again, as a program does that does not know what the
                // queue still has. Then sends everything.
                let deeds = [
                    ["recover", place.home.path], ["enqueue", place.home.path, "\(sessions.count)"],
                    ["drain", place.home.path, "\(place.ledger.port)"],
                ]
                for words in deeds {
                    let end = try await RunningProbe.run(words, scratch: place.path)
                    if !end.isOrderly || end.code != 0 { tally.note(\.broken, "\(what), \(words[0]): \(end)") }
                }
                try await place.ledger.settle()
            }
            var promises = Promises(place, sessions: sessions, known: Set(sessions.flatMap(\.ids)))
            promises.mayBeDamaged = true
            await promises.check(what, into: &tally)
        }

        /// A damaged recording is parked, and everything else arrives. Once restored, it arrives too.
        private static func sendDamaged(
            _ what: String, _ damage: Damage, on place: Place, _ tally: inout Tally
        ) async throws {
            let words = ["drain", place.home.path, "\(place.ledger.port)"]
            let end = try await RunningProbe.run(words, scratch: place.path)
            let queue = try DeliveryQueue(folder: place.home.queue)
            let parked = try queue.entries().filter { $0.state == .parked }
            let kind = damage == .missingRecording ? DeliveryFailure.Kind.fileMissing : .fileAltered
            if end.code != 0 || parked.map(\.id) != [sessions[2].ids[1]] {
                tally.note(\.broken, "\(what): \(end)")
            }
            if parked.first?.failure?.kind != kind { tally.note(\.broken, "\(what): parked for another reason") }
            // All uploads arrive except two: the recording, and the completion that waits for it.
            if try queue.counts().delivered != sessions.count * ProbeSession.uploads - 2 {
                tally.note(\.broken, "\(what): \(try queue.counts())")
            }
            try sessions[2].restore(in: place.home)
            try queue.retry()
        }
    }
}
