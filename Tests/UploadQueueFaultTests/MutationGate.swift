import Foundation
import TestSupport
import Testing
import VirtualDevices

extension Faults {
    /// Row 15 of `make promise`: a queue that breaks one of its promises is detected. Kills alone prove nothing about a
    /// disk's contents, and power cuts little about order. So each mutant must be caught by the row of the promise that
    /// it breaks.
    @Suite struct MutationGate {
        /// The smallest sufficient part of a row.
        private enum Trap: Sendable {
            case kills([Deed])
            case powerCuts(Int)
        }

        private static let traps: [(mutant: Mutant, trap: Trap)] = [
            (.noSyncOfRecording, .powerCuts(60)), (.noSyncOfFolder, .powerCuts(60)),
            (.normalSynchronous, .powerCuts(60)),
            (.acknowledgedTooEarly, .kills([.enqueue])), (.removedTooEarly, .kills([.drainAndGo])),
            (.deliveredTooEarly, .kills([.drain])),
        ]

        @Test(.onlyInCheck, .needs(Strace.obstacle), .needs(PowerCutDisk.obstacle), .endsIfItHangs)
        func everyBrokenPromiseIsFoundOut() async throws {
            #expect(Self.traps.map(\.mutant.name) == Mutant.all.map(\.name), "a mutant has no trap")
            let start = ContinuousClock.now
            let folder = try TemporaryFolder()
            let build = try MutantBuild()
            let programs = try await Self.build([.none] + Self.traps.map(\.mutant), with: build, in: folder.path)
            // An unchanged queue, built in the same way, keeps all promises.
            var honest = try await PowerCuts.cut(40, program: programs[0])
            honest += try await Kills.sweep([.forget], program: programs[0])
            #expect(honest.violations == 0, "\(honest.words.first ?? "")")
            #expect(honest.points >= 40, "nothing was tried")
            var caught = 0
            for ((mutant, trap), program) in zip(Self.traps, programs.dropFirst()) {
                let tally =
                    switch trap {
                    case .kills(let deeds): try await Kills.sweep(deeds, program: program) { $0.violations > 0 }
                    case .powerCuts(let count): try await PowerCuts.cut(count, program: program) { $0.violations > 0 }
                    }
                #expect(tally.violations > 0, "\(mutant.name): not found out after \(tally.points) faults")
                if tally.violations > 0 { caught += 1 }
                print("row 15: \(mutant.name): after \(tally.points) faults: \(tally.words.first ?? "nothing found")")
            }
            print(
                "row 15: \(Self.traps.count) mutants, \(caught) found out; unchanged: \(honest.points) faults, "
                    + "\(honest.violations) violations (\((ContinuousClock.now - start).components.seconds) s)")
        }

        /// Builds the mutants two at a time, and returns the programs in order.
        private static func build(
            _ mutants: [Mutant], with build: MutantBuild, in folder: String
        ) async throws -> [String] {
            let jobs = mutants.enumerated().map { (number: $0, mutant: $1) }
            _ = try await Faults.inTwoLanes(jobs) { _, job in
                _ = try await build.build(job.mutant, in: "\(folder)/\(job.number)")
                return Tally()
            }
            return jobs.map { "\(folder)/\($0.number)/queue-probe" }
        }
    }
}
