import ExamCore
import Foundation
import TestSupport
import Testing

@testable import queue_probe

extension Faults {
    /// Row 4 of `make promise`: the power fails at any moment. Data that was not synced is lost completely or in part.
    ///
    /// Each disk has several lives, one after another: an enqueueing that is cut off, then an opening or sending of the
    /// remains, which is cut off, too.
    @Suite struct PowerCuts {
        static let cuts = Faults.count(of: 200)
        private static let deeds = [Deed.enqueue, .recover, .drain]

        @Test(.needs(PowerCutDisk.obstacle), .endsIfItHangs) func aPowerCutAtAnyMomentLosesNothing()
            async throws
        {
            let start = ContinuousClock.now
            let tally = try await Self.cut(Self.cuts)
            tally.report(row: 4, "power cuts", since: start, least: Self.cuts)
        }

        /// - Parameters:
        ///   - count: The least number of cuts.
        ///   - enough: Returns whether to skip the rest.
        static func cut(
            _ count: Int, program: String = RunningProbe.program,
            until enough: @escaping @Sendable (Tally) -> Bool = { _ in false }
        ) async throws -> Tally {
            var tally = Tally()
            var seed = 0
            // A life is not cut off if it has fewer changes than the number of its cut.
            while tally.points < count && !enough(tally) && seed < count * 3 {
                let seeds = seed..<(seed + max(8, (count - tally.points) / 2))
                seed = seeds.upperBound
                tally += try await Faults.inTwoLanes(Array(seeds), program: program, until: enough) { place, seed in
                    try await live(on: place, seed)
                }
            }
            return tally
        }

        /// Runs the lives of one disk.
        private static func live(on outer: Place, _ seed: Int) async throws -> Tally {
            var tally = Tally()
            let disk = try PowerCutDisk(path: outer.path + "/disk")
            defer { disk.remove() }
            let place = try Place(program: outer.program, disk: disk.path)
            defer { place.remove() }
            place.clear()
            var chance = SplitMix64(seed: UInt64(seed))
            let goes = chance.below(2) == 1
            var acknowledged: Set<UUID> = []
            var crashes = 0
            var names: [String] = []
            for (number, deed) in deeds.enumerated() {
                let deed = deed == .drain && goes ? Deed.drainAndGo : deed
                let variant = PowerCutDisk.Variant.allCases[chance.below(3)]
                let cut = 1 + chance.below(number == 0 ? 230 : number == 1 ? 25 : 180)
                try await disk.mount(cut: cut, variant, seed: seed)
                let end = try await place.run(deed, options: goes ? ["--goes"] : [])
                let (_, wasCut) = try await disk.unmount()
                names.append("\(deed) \(wasCut ? "cut at \(cut), \(variant) survives" : "to its end")")
                if wasCut {
                    tally.points += 1
                    crashes += 1
                } else if !end.isOrderly || end.code != 0 {
                    tally.note(\.broken, "\(names), seed \(seed): \(end)")
                }
                if end.output.contains("RECOVERED") {
                    tally.note(\.broken, "\(names), seed \(seed): a power cut has damaged the journal")
                }
                acknowledged.formUnion(end.acknowledged)
            }
            let sessions = (1...Place.sessions).map { ProbeSession($0, goes: goes) }
            var promises = Promises(place, sessions: sessions, known: acknowledged)
            promises.enqueuesAgain = true
            promises.crashes = crashes
            await promises.check("\(names), seed \(seed)", into: &tally)
            place.clear()
            return tally
        }
    }
}
