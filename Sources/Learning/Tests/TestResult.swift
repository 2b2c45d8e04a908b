import ExamCore
import Papers

/// What a test that was handed in shows (P20, P21).
public struct TestResult: Equatable, Sendable {
    public let right: Int
    public let count: Int
    /// Looking at questions, all together.
    public let seconds: Double
    public let byTopic: [Part]
    public let byDifficulty: [Part]
    /// Of questions that say what they ask of a mind.
    public let byBloom: [Part]

    /// Some of the questions.
    public struct Part: Equatable, Sendable {
        public let name: String
        public let right: Int
        public let count: Int
        public let seconds: Double
    }

    /// How good it is: a colour and a word, since not everybody sees the colour.
    public enum Grade: String, CaseIterable, Sendable {
        case green, blue, orange, red

        public var word: String {
            switch self {
            case .green: "Very good"
            case .blue: "Good"
            case .orange: "Fair"
            case .red: "Weak"
            }
        }

        /// What to do with it.
        public var advice: String {
            switch self {
            case .green: "You know this. A harder test, or another topic, would teach you more."
            case .blue: "Most of it is there. Read why the others were wrong, and practise those."
            case .orange: "About half is there. Practise the topics below before the next test."
            case .red: "Much of this is still new. Read the explanations, then take it up in small drills."
            }
        }
    }

    /// nil before the test was handed in.
    public init?(_ test: PracticeTest) {
        guard test.status == .submitted else { return nil }
        let questions = test.questions
        right = questions.count(where: test.isRight)
        count = questions.count
        func seconds(_ question: PracticeQuestion) -> Double { test.answers[question.id]?.seconds ?? 0 }
        self.seconds = questions.reduce(0) { $0 + seconds($1) }
        func parts(_ names: [String], _ name: (PracticeQuestion) -> String?) -> [Part] {
            names.map { one in
                let some = questions.filter { name($0) == one }
                return Part(
                    name: one, right: some.count(where: test.isRight), count: some.count,
                    seconds: some.reduce(0) { $0 + seconds($1) })
            }.filter { $0.count > 0 }
        }
        byTopic = parts(Set(questions.map(\.topic)).sorted()) { $0.topic }
        byDifficulty = parts(Paper.Difficulty.allCases.map(\.rawValue)) { $0.difficulty.rawValue }
        byBloom = parts(Bloom.allCases.map(\.rawValue)) { $0.bloom?.rawValue }
    }

    /// 0 … 1.
    public var score: Double { Double(right) / Double(max(1, count)) }
    /// 0 … 100.
    public var percentage: Int { Int((score * 100).rounded()) }

    /// From 85, 70 and 50 %: of five options one in five is right by chance, so that half is not half.
    public var grade: Grade {
        switch score {
        case 0.85...: .green
        case 0.7...: .blue
        case 0.5...: .orange
        default: .red
        }
    }
}

/// A learner's tests as they are listed (P22).
public struct TestBoard: Equatable, Sendable {
    /// What is at hand: one in progress, else one that is ready, failed or being written; the newest of them.
    public let current: PracticeTest?
    /// Handed in, the last one first.
    public let recent: [PracticeTest]
    /// Those for a day that has not come, the next first.
    public let scheduled: [PracticeTest]
    public let others: [PracticeTest]

    /// - Parameter tests: the newest first.
    public init(_ tests: [PracticeTest], today: StudyDay) {
        let open = tests.filter { $0.status != .submitted }
        let waits = open.filter { test in test.scheduledFor.flatMap(StudyDay.init).map { $0 > today } ?? false }
        scheduled = waits.sorted { ($0.scheduledFor ?? "", $0.id) < ($1.scheduledFor ?? "", $1.id) }
        let now = open.filter { test in !waits.contains { $0.id == test.id } }
        let order: [PracticeTest.Status] = [.inProgress, .ready, .failed, .generating]
        let first = order.lazy.compactMap { status in now.first { $0.status == status } }.first
        current = first
        others = now.filter { $0.id != first?.id }
        recent = tests.filter { $0.status == .submitted }.sorted { ($1.submittedAt ?? 0) < ($0.submittedAt ?? 0) }
    }

    public var questionCount: Int { recent.reduce(0) { $0 + $1.questions.count } }
    /// 0 … 1; nil where none was handed in.
    public var averageScore: Double? {
        let scores = recent.compactMap(\.score)
        return scores.isEmpty ? nil : scores.reduce(0, +) / Double(scores.count)
    }
}
