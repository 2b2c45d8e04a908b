import Glibc

/// Schedules when to ask again for something learned. This is FSRS-6, the Free Spaced Repetition Scheduler, as in
/// version 6.3.2 of the Python package `fsrs` (MIT; https://github.com/open-spaced-repetition/py-fsrs). Tests compare
/// whole histories with that package. Intervals are not randomized: the same answers lead to the same day on any
/// machine.
public struct FSRS: Equatable, Sendable {
    /// The version of the default weights. The practice log records it, so that another version is noticed.
    public static let weightsVersion = "fsrs-6.3"

    /// The learner's recall. A right answer is `good` and a wrong one `again`, because learners are not asked how hard
    /// it was.
    public enum Rating: Int, Codable, CaseIterable, Sendable {
        case again = 1
        case hard, good, easy
    }

    public enum Phase: String, Codable, Sendable {
        /// Seen, but not yet known for a day.
        case learning
        case review
        /// Known once, then forgotten.
        case relearning
    }

    /// The state of one memory.
    public struct Memory: Equatable, Sendable {
        public internal(set) var phase: Phase
        /// The days until nine of ten such memories are still there. Above 0.
        public internal(set) var stability: Double
        /// 1 … 10.
        public internal(set) var difficulty: Double
        /// The next learning step. 0 in review.
        public internal(set) var step: Int
        /// Seconds since 1970.
        public internal(set) var reviewedAt: Int
        /// Seconds since 1970.
        public internal(set) var dueAt: Int
    }

    private let weights: [Double]
    private let retention: Double
    private let learningSteps: [Int]
    private let relearningSteps: [Int]
    private let longestInterval: Int
    private let decay: Double
    private let factor: Double

    /// Creates a scheduler.
    ///
    /// - Parameters:
    ///   - weights: 21 numbers, as an FSRS optimizer produces them.
    ///   - retention: the wanted probability that an item is still known when it is asked again: 0.7 to 0.97.
    ///   - learningSteps: the seconds until something new is asked again: one minute and ten, as in Anki and the
    ///     package.
    ///   - longestInterval: in days.
    public init(
        weights: [Double] = FSRS.defaultWeights, retention: Double = 0.9, learningSteps: [Int] = [60, 600],
        relearningSteps: [Int] = [600], longestInterval: Int = 36_500
    ) {
        precondition(weights.count == 21, "FSRS-6 has 21 weights")
        self.weights = weights
        self.retention = retention
        self.learningSteps = learningSteps
        self.relearningSteps = relearningSteps
        self.longestInterval = longestInterval
        decay = -weights[20]
        factor = pow(0.9, 1 / decay) - 1
    }

    /// Weights that the authors of FSRS fitted to hundreds of millions of reviews (`DEFAULT_PARAMETERS` of the
    /// package).
    public static let defaultWeights = [
        0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629,
        1.6483,
        0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
    ]

    /// Returns the probability that something is still known, 0 to 1.
    ///
    /// - Parameter now: seconds since 1970.
    public func retrievability(of memory: Memory, at now: Int) -> Double {
        pow(1 + factor * Double(max(0, daysSince(memory, now))) / memory.stability, decay)
    }

    /// Returns the memory after one more answer.
    ///
    /// - Parameters:
    ///   - memory: nil for the first answer.
    ///   - now: seconds since 1970. If the clock was set back, no time has passed.
    public func review(_ memory: Memory?, _ rating: Rating, at now: Int) -> Memory {
        guard var next = memory else {
            let first = Memory(
                phase: .learning, stability: max(weights[rating.rawValue - 1], Self.leastStability),
                difficulty: clamped(initialDifficulty(rating)), step: 0, reviewedAt: now, dueAt: now)
            return scheduled(first, rating, at: now)
        }
        if daysSince(next, now) < 1 {
            next.stability = sameDayStability(next.stability, rating)
        } else {
            next.stability = laterStability(next, retrievability(of: next, at: now), rating)
        }
        next.difficulty = nextDifficulty(next.difficulty, rating)
        return scheduled(next, rating, at: now)
    }

    // MARK: - Intervals

    private func scheduled(_ memory: Memory, _ rating: Rating, at now: Int) -> Memory {
        var memory = memory
        memory.reviewedAt = now
        switch memory.phase {
        case .learning: memory.dueAt = now + (step(&memory, rating, learningSteps) ?? leave(&memory))
        case .relearning: memory.dueAt = now + (step(&memory, rating, relearningSteps) ?? leave(&memory))
        case .review:
            if rating == .again, let first = relearningSteps.first {
                (memory.phase, memory.step) = (.relearning, 0)
                memory.dueAt = now + first
            } else {
                memory.dueAt = now + leave(&memory)
            }
        }
        return memory
    }

    /// Returns the seconds until the next step, or nil if all steps are done.
    private func step(_ memory: inout Memory, _ rating: Rating, _ steps: [Int]) -> Int? {
        guard let first = steps.first, memory.step < steps.count || rating == .again else { return nil }
        switch rating {
        case .again:
            memory.step = 0
            return first
        case .hard:
            if memory.step > 0 { return steps[memory.step] }
            return steps.count == 1 ? first * 3 / 2 : (first + steps[1]) / 2
        case .good:
            guard memory.step + 1 < steps.count else { return nil }
            memory.step += 1
            return steps[memory.step]
        case .easy: return nil
        }
    }

    /// Moves the memory into review and returns its interval, a whole number of days.
    private func leave(_ memory: inout Memory) -> Int {
        (memory.phase, memory.step) = (.review, 0)
        let days = (memory.stability / factor * (pow(retention, 1 / decay) - 1)).rounded(.toNearestOrEven)
        return Int(min(max(days, 1), Double(longestInterval))) * Self.day
    }

    /// Returns the whole days since the last review. Negative if the clock was set back.
    private func daysSince(_ memory: Memory, _ now: Int) -> Int {
        let seconds = now - memory.reviewedAt
        return seconds < 0 ? -1 : seconds / Self.day
    }

    // MARK: - Strength of memories

    private func initialDifficulty(_ rating: Rating) -> Double {
        weights[4] - exp(weights[5] * Double(rating.rawValue - 1)) + 1
    }

    private func nextDifficulty(_ difficulty: Double, _ rating: Rating) -> Double {
        let change = -weights[6] * Double(rating.rawValue - 3)
        let damped = difficulty + (10 - difficulty) * change / 9
        return clamped(weights[7] * initialDifficulty(.easy) + (1 - weights[7]) * damped)
    }

    private func clamped(_ difficulty: Double) -> Double { min(max(difficulty, 1), 10) }

    private func sameDayStability(_ stability: Double, _ rating: Rating) -> Double {
        let growth =
            exp(weights[17] * (Double(rating.rawValue) - 3 + weights[18])) * pow(stability, -weights[19])
        return max(stability * (rating == .again ? growth : max(growth, 1)), Self.leastStability)
    }

    private func laterStability(_ memory: Memory, _ retrievability: Double, _ rating: Rating) -> Double {
        let (stability, difficulty) = (memory.stability, memory.difficulty)
        if rating == .again {
            let long =
                weights[11] * pow(difficulty, -weights[12]) * (pow(stability + 1, weights[13]) - 1)
                * exp((1 - retrievability) * weights[14])
            return max(min(long, stability / exp(weights[17] * weights[18])), Self.leastStability)
        }
        let growth =
            exp(weights[8]) * (11 - difficulty) * pow(stability, -weights[9])
            * (exp((1 - retrievability) * weights[10]) - 1)
            * (rating == .hard ? weights[15] : 1) * (rating == .easy ? weights[16] : 1)
        return max(stability * (1 + growth), Self.leastStability)
    }

    private static let leastStability = 0.001
    private static let day = 86_400
}

extension FSRS.Memory {
    /// The mastery from 0 to 5. 1 means seen, 2 known for a day or more, and 3 to 5 stability of 7, 21 and 90 days. An
    /// item that is answered right whenever it is due rises by one each time.
    public var mastery: Int {
        phase == .review ? 2 + Self.masteryDays.count { stability >= $0 } : 1
    }

    private static let masteryDays = [7.0, 21, 90]
}
