import Glibc

/// When something that was learned should be asked for again: FSRS-6, the Free Spaced Repetition Scheduler, as PyPI's `fsrs` 6.3.2 has it (MIT;
/// https://github.com/open-spaced-repetition/py-fsrs). Tests hold it to that package, history by history. Without its random days: the same
/// answers lead to the same day, on any machine.
public struct FSRS: Equatable, Sendable {
    /// Which weights `init` takes; it stands in the practice log, so that another version is seen.
    public static let weightsVersion = "fsrs-6.3"

    /// How well somebody remembered. Right is `good` and wrong is `again`: nobody is asked how hard it was.
    public enum Rating: Int, Codable, CaseIterable, Sendable {
        case again = 1
        case hard, good, easy
    }

    public enum Phase: String, Codable, Sendable {
        /// Seen, and not yet known for a day.
        case learning
        case review
        /// Known once, and forgotten.
        case relearning
    }

    /// What is known of one memory.
    public struct Memory: Equatable, Sendable {
        public internal(set) var phase: Phase
        /// Days until nine of ten such memories are still there; above 0.
        public internal(set) var stability: Double
        /// 1 … 10.
        public internal(set) var difficulty: Double
        /// Which step comes next while learning; 0 in review.
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

    /// - Parameters:
    ///   - weights: 21 numbers, as an optimizer of FSRS gives them.
    ///   - retention: how likely something should still be known when it is asked for again: 0.7 … 0.97.
    ///   - learningSteps: seconds until something new is asked for again: a minute and ten, as Anki and the package have it.
    ///   - longestInterval: days.
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

    /// Fitted to hundreds of millions of reviews by the authors of FSRS (`DEFAULT_PARAMETERS` of the package).
    public static let defaultWeights = [
        0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629,
        1.6483,
        0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
    ]

    /// How likely something is still known, 0 … 1.
    ///
    /// - Parameter now: seconds since 1970.
    public func retrievability(of memory: Memory, at now: Int) -> Double {
        pow(1 + factor * Double(max(0, daysSince(memory, now))) / memory.stability, decay)
    }

    /// What is known after one more answer.
    ///
    /// - Parameters:
    ///   - memory: nil where this is the first one.
    ///   - now: seconds since 1970; a clock that was set back counts as no time.
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

    // MARK: - When

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

    /// - Returns: nil where the steps are done.
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

    /// Into review, for whole days.
    private func leave(_ memory: inout Memory) -> Int {
        (memory.phase, memory.step) = (.review, 0)
        let days = (memory.stability / factor * (pow(retention, 1 / decay) - 1)).rounded(.toNearestOrEven)
        return Int(min(max(days, 1), Double(longestInterval))) * Self.day
    }

    /// Whole ones; fewer than 0 where a clock was set back.
    private func daysSince(_ memory: Memory, _ now: Int) -> Int {
        let seconds = now - memory.reviewedAt
        return seconds < 0 ? -1 : seconds / Self.day
    }

    // MARK: - How well

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
    /// 0 to 5 (F4): 1 seen, 2 known for a day and more, then 7, 21 and 90 days of stability. Answered right whenever it is due, something rises by
    /// one each time.
    public var mastery: Int {
        phase == .review ? 2 + Self.masteryDays.count { stability >= $0 } : 1
    }

    private static let masteryDays = [7.0, 21, 90]
}
