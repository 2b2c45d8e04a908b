/// The statistics of a generation.
public struct GenerationStatistics: Codable, Equatable, Sendable {
    public var wishes = 0
    public var written = 0
    /// The number of questions to the model.
    public var attempts = 0
    /// The number of attempts that told the model about earlier faults.
    public var repairs = 0
    public var fallbacks = 0
    public var failed = 0
    /// The number of answers that broke each rule, by the rule's id.
    public var byRule: [String: Int] = [:]
    public var milliseconds = 0
}

extension Generation {
    /// A line of the transcript: the result of an attempt.
    public struct Step: Codable, Equatable, Sendable {
        public var wish: Int
        public var attempt: Int
        public var what: What

        public enum What: Codable, Equatable, Sendable {
            case written
            /// The rules that the answer broke.
            case faults([String])
            case unavailable
            case outOfTime
            case passed(milliseconds: Int)
        }
    }

    /// The statistics, computed from the transcript and the outcomes.
    public var statistics: GenerationStatistics {
        var all = GenerationStatistics(wishes: wishes.count)
        for outcome in outcomes {
            switch outcome {
            case .written: all.written += 1
            case .fallback: all.fallbacks += 1
            case .failed: all.failed += 1
            case nil: break
            }
        }
        for step in transcript {
            if case .passed(let milliseconds) = step.what {
                all.milliseconds += milliseconds
                continue
            }
            all.attempts += 1
            if step.attempt > 1 { all.repairs += 1 }
            if case .faults(let rules) = step.what { for rule in rules { all.byRule[rule, default: 0] += 1 } }
        }
        return all
    }
}
