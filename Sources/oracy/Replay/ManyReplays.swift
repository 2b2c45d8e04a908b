import ExamKit
import Glibc
import SystemSupport

/// Replays all scenarios of a folder, several at a time, each as `oracy replay` would replay it alone.
///
/// They share one process: each replay runs on the time of its own recordings, and none affects another.
struct ManyReplays: Sendable {
    let scenarios: ScenarioCollection
    let voice: ExaminerVoice
    let place: ReplayPlace
    let encoding: Bool
    /// Whether each log replaces the expected one instead of being compared with it.
    let updating: Bool

    /// - Parameters:
    ///   - jobs: The number of replays at a time; nil for as many as there are processors.
    ///   - tell: Called for each scenario in the order of their names, as soon as those before it have ended.
    /// - Throws: The error of `tell`. Scenarios that cannot be replayed are in the report.
    func run(jobs: Int?, tell: (ReplayVerdict) throws -> Void) async throws -> ReplaysReport {
        let began = ContinuousClock.now
        let names = scenarios.names
        let atOnce = jobs ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        let verdicts = try await withThrowingTaskGroup(of: (Int, ReplayVerdict).self) { group in
            var ended: [Int: ReplayVerdict] = [:]
            var told: [ReplayVerdict] = []
            for (number, name) in names.enumerated() {
                if number >= atOnce, let (other, verdict) = try await group.next() { ended[other] = verdict }
                try tellInOrder()
                group.addTask { (number, await replay(name)) }
            }
            while let (other, verdict) = try await group.next() {
                ended[other] = verdict
                try tellInOrder()
            }
            func tellInOrder() throws {
                while let verdict = ended.removeValue(forKey: told.count) {
                    try tell(verdict)
                    told.append(verdict)
                }
            }
            return told
        }
        return ReplaysReport(folder: scenarios.folder, verdicts: verdicts, elapsed: began.duration(to: .now))
    }

    private func replay(_ name: String) async -> ReplayVerdict {
        let began = ContinuousClock.now
        var warnings: [String] = []
        let result: ReplayVerdict.Result
        do {
            let scenario = try Scenario(folder: "\(scenarios.folder)/\(name)")
            let replay = try await Replay(scenario, voice: voice)
            warnings = replay.warnings
            result = try await place.lend(to: name) { try await self.result(of: replay, in: $0) }
        } catch {
            result = .failed((error as? Problem) ?? Problem(.unavailable, "\(error)"))
        }
        return ReplayVerdict(name: name, result: result, elapsed: began.duration(to: .now), warnings: warnings)
    }

    private func result(of replay: Replay, in folder: String) async throws -> ReplayVerdict.Result {
        let outcome = try await replay.run(into: folder, encoding: encoding)
        if let problem = outcome.session.problem { throw problem }
        if updating {
            try replay.accept(outcome)
            return .updated
        }
        if let difference = outcome.difference { return .failed(Problem(.differs, difference.words)) }
        return outcome.hasExpectation ? .passed : .notCompared
    }
}

extension Replay.Difference {
    /// The difference on one line; `sentence` has three.
    fileprivate var words: String {
        "expected.log:\(line): expected \(expected ?? "no more lines"), got \(actual ?? "no more lines")"
    }
}
