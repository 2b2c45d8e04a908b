public import Papers

/// A test of five-choice questions, from the request to the result. It is a value: its owner stores it after each
/// event.
///
/// ```
/// generating ──written──► ready ──start──► inProgress ──submit──► submitted
///   ▲    │                                  ▲     │
///   │    └──failed──► failed                └leave┘
///   └────────retry───────┘
/// ```
public struct PracticeTest: Codable, Equatable, Sendable, Identifiable {
    /// The version of the file's layout. A reader refuses any other version.
    public static let layoutVersion = 1

    public enum Status: String, Codable, Equatable, Sendable { case generating, ready, inProgress, submitted, failed }

    public enum Event: Equatable, Sendable {
        /// All slots have a question.
        case written([PracticeQuestion])
        case failed(String)
        case retry
        case start
        /// The learner's answer, which can change until the test is submitted. The seconds are those since the learner
        /// opened the question this time.
        case answer(question: String, PracticeAnswer, seconds: Double)
        /// The learner leaves and can continue later.
        case leave
        /// - Parameter at: seconds since 1970.
        case submit(at: Double)
    }

    /// The learner's answer to a question.
    public struct Given: Codable, Equatable, Sendable {
        public var answer: PracticeAnswer
        /// The seconds for which the question was open, all times together.
        public var seconds: Double
    }

    public var version = Self.layoutVersion
    public let id: String
    public let request: PracticeTestRequest
    public let blueprint: TestBlueprint
    public private(set) var status = Status.generating
    /// The reason why it failed.
    public private(set) var failure: String?
    public private(set) var questions: [PracticeQuestion] = []
    /// The answers by question id.
    public private(set) var answers: [String: Given] = [:]
    public private(set) var submittedAt: Double?
    /// The state of the generation if a model writes the questions. It can be continued.
    public var generation: Generation<QuestionWish>?
    /// The study day for which the test was made: `2026-12-01`. Nil for any day.
    public var scheduledFor: String?

    public init(id: String, _ request: PracticeTestRequest, bank: [PracticeQuestion]) {
        self.id = id
        self.request = request
        blueprint = TestBlueprint(request, bank: bank)
    }

    /// Handles an event.
    ///
    /// - Throws: `IllegalEvent` with one sentence without a full stop. The test has not changed then.
    public mutating func handle(_ event: Event) throws(IllegalEvent) {
        switch (status, event) {
        case (.generating, .written(let written)) where written.count == blueprint.slots.count:
            questions = written.inOrder(of: request.seed)
            (status, generation) = (.ready, nil)
        case (.generating, .failed(let why)): (status, failure) = (.failed, why)
        case (.failed, .retry): (status, failure) = (.generating, nil)
        case (.ready, .start), (.inProgress, .leave): status = .inProgress
        case (.inProgress, .answer(let id, let answer, let seconds)):
            guard let question = questions.first(where: { $0.id == id }) else {
                throw IllegalEvent(sentence: "the test has no question \(id)")
            }
            guard question.verdict(on: answer) != .notAnAnswer else {
                throw IllegalEvent(sentence: "question \(id) needs another kind of answer")
            }
            answers[id] = Given(answer: answer, seconds: (answers[id]?.seconds ?? 0) + max(0, seconds))
        case (.inProgress, .submit(let time)): (status, submittedAt) = (.submitted, time)
        default: throw IllegalEvent(sentence: "\(event.name) cannot happen while the test is \(status.words)")
        }
    }

    /// The number of right answers. Nil before the test is submitted.
    public var correctCount: Int? {
        status == .submitted ? questions.count { isRight($0) } : nil
    }

    /// 0 to 1, with the credit for partly right answers. Nil before the test is submitted.
    public var score: Double? {
        status == .submitted ? questions.reduce(0) { $0 + credit(for: $1) } / Double(max(1, questions.count)) : nil
    }

    /// Returns the credit for the answer to a question, 0 to 1.
    public func credit(for question: PracticeQuestion) -> Double {
        answers[question.id].map { question.credit(for: $0.answer) } ?? 0
    }

    public func isRight(_ question: PracticeQuestion) -> Bool {
        answers[question.id].map { question.verdict(on: $0.answer).isRight } ?? false
    }

    /// The ways in which the questions differ from the blueprint.
    public var shortfalls: [String] { DrawnTest.shortfalls(blueprint, questions) }
}

extension PracticeTest {
    /// Returns the questions of a finished generation, including those that stand in.
    ///
    /// - Returns: nil if a slot has no question.
    public static func questions(
        of generation: Generation<QuestionWish>, standIns known: KnownQuestions
    ) -> [PracticeQuestion]? {
        let all = generation.outcomes.map { outcome -> PracticeQuestion? in
            switch outcome {
            case .written(let question): question
            case .fallback(let id, _): known[id]
            case .failed, nil: nil
            }
        }
        let found = all.compactMap(\.self)
        return found.count == all.count ? found : nil
    }
}

extension PracticeTest.Status {
    fileprivate var words: String { self == .inProgress ? "in progress" : rawValue }
}

extension PracticeTest.Event {
    fileprivate var name: String {
        switch self {
        case .written: "a written test"
        case .failed: "a failure"
        case .retry: "another try"
        case .start: "a start"
        case .answer: "an answer"
        case .leave: "leaving"
        case .submit: "handing in"
        }
    }
}
