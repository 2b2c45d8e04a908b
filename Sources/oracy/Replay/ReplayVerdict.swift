import ExamCore
import SystemSupport

/// The result of one scenario among many.
struct ReplayVerdict: Sendable {
    enum Result: Sendable {
        /// Its log is the expected one.
        case passed
        /// Its log has replaced the expected one.
        case updated
        /// It has no `expected.log`.
        case notCompared
        /// Its log `differs`, or it could not be replayed.
        case failed(Problem)
    }

    let name: String
    let result: Result
    let elapsed: Duration
    /// The warnings about its format and paper.
    let warnings: [String]

    var problem: Problem? { if case .failed(let problem) = result { problem } else { nil } }

    /// - Parameter width: The length of the longest name, in characters.
    func line(width: Int) -> String {
        let (word, words) =
            switch result {
            case .passed: ("passed", "")
            case .updated: ("updated", "")
            case .notCompared: ("new", "has no expected.log; create it with --update")
            case .failed(let problem):
                (problem.kind == .differs ? "failed" : "error", problem.sentence.replacing("\n", with: "; "))
            }
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        let time = elapsed.hundredths + " s"
        let columns = [
            padded(name, width), padded(word, 7), String(repeating: " ", count: max(0, 8 - time.count)) + time,
        ]
        return (columns + (words.isEmpty ? [] : [words])).joined(separator: "  ")
    }
}

/// The results of many scenarios, in the order of their names.
struct ReplaysReport: Sendable {
    let folder: String
    let verdicts: [ReplayVerdict]
    /// The elapsed time, from the beginning of the first to the end of the last.
    let elapsed: Duration

    func count(where isCounted: (ReplayVerdict.Result) -> Bool) -> Int { verdicts.count { isCounted($0.result) } }
    var passed: Int { count { if case .passed = $0 { true } else { false } } }
    var updated: Int { count { if case .updated = $0 { true } else { false } } }
    var notCompared: Int { count { if case .notCompared = $0 { true } else { false } } }
    var differing: Int { verdicts.count { $0.problem?.kind == .differs } }
    var unusable: Int { verdicts.count { $0.problem != nil } - differing }

    var summary: String {
        let parts = [
            (passed, "passed"), (updated, "updated"), (differing, "failed"), (unusable, "could not be replayed"),
            (notCompared, "without an expected log"),
        ]
        let words = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return "\(verdicts.count.of("scenario")) in \(elapsed.hundredths) s: \(words)"
    }

    /// The exit code: 0 if all passed. If no scenario could be replayed, the code that the first would have given
    /// alone; otherwise 1.
    var exitCode: Int32 {
        guard let first = verdicts.lazy.compactMap(\.problem).first else { return 0 }
        return unusable == verdicts.count ? first.exitCode : 1
    }
}

extension Duration {
    /// Seconds with two decimals: `42.10`.
    fileprivate var hundredths: String {
        let hundredths = (milliseconds + 5) / 10
        return "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
    }
}
