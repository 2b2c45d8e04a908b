import ExamCore
import Papers

/// The result of a test that was handed in.
public struct TestResult: Equatable, Sendable {
    /// The number of right answers, without those that are partly right.
    public let right: Int
    public let count: Int
    /// 0 to 1, with the credit for partly right answers.
    public let score: Double
    /// The seconds spent on all questions together.
    public let seconds: Double
    public let byTopic: [Part]
    public let byDifficulty: [Part]
    /// The results by cognitive level, for questions that state one.
    public let byBloom: [Part]

    /// The result for some of the questions.
    public struct Part: Equatable, Sendable {
        public let name: String
        public let right: Int
        public let count: Int
        public let seconds: Double
    }

    /// The grade as a colour and a word, because not everyone sees colours.
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

        /// Advice for the learner.
        public var advice: String {
            switch self {
            case .green: "You know this. Try a harder test or another topic."
            case .blue: "You know most of it. Read why the others were wrong, and practise those."
            case .orange: "You know about half. Practise the topics below before the next test."
            case .red: "Much of this is still new. Read the explanations, then practise in small drills."
            }
        }
    }

    /// Computes the result. Nil before the test is handed in.
    public init?(_ test: PracticeTest) {
        guard let score = test.score else { return nil }
        self.score = score
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

    /// 0 to 100.
    public var percentage: Int { Int((score * 100).rounded()) }

    /// The grade, from 85, 70 and 50 %. With five options, one answer in five is right by chance, so 50 % right is less
    /// than half of the knowledge.
    public var grade: Grade {
        switch score {
        case 0.85...: .green
        case 0.7...: .blue
        case 0.5...: .orange
        default: .red
        }
    }
}

/// A learner's list of tests.
public struct TestBoard: Equatable, Sendable {
    /// The test to work on: one in progress, or else one that is ready, failed or being written. The newest comes
    /// first.
    public let current: PracticeTest?
    /// The tests that were handed in, the latest first.
    public let recent: [PracticeTest]
    /// The tests for future days, the next one first.
    public let scheduled: [PracticeTest]
    public let others: [PracticeTest]

    /// Sorts the tests into the lists.
    ///
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
    /// 0 to 1. Nil if no test was handed in.
    public var averageScore: Double? {
        let scores = recent.compactMap(\.score)
        return scores.isEmpty ? nil : scores.reduce(0, +) / Double(scores.count)
    }
}
