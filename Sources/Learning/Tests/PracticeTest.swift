public import Papers
import SystemSupport

/// A test of five-choice questions, from the wish to the result (P16). A value: whoever keeps it writes it down after each event.
///
/// ```
/// generating ──written──► ready ──start──► inProgress ──submit──► submitted
///   ▲    │                                  ▲     │
///   │    └──failed──► failed                └leave┘
///   └────────retry───────┘
/// ```
public struct PracticeTest: Codable, Equatable, Sendable, Identifiable {
    /// The version of this file's own layout; a reader refuses any other.
    public static let layoutVersion = 1

    public enum Status: String, Codable, Equatable, Sendable { case generating, ready, inProgress, submitted, failed }

    public enum Event: Equatable, Sendable {
        /// All slots have a question.
        case written([PracticeQuestion])
        case failed(String)
        case retry
        case start
        /// Changeable until it is submitted (P18); with the seconds that this look at the question took.
        case answer(question: String, PracticeAnswer, seconds: Double)
        /// Left, to be gone on with.
        case leave
        /// - Parameter at: seconds since 1970.
        case submit(at: Double)
    }

    /// What was answered to a question.
    public struct Given: Codable, Equatable, Sendable {
        public var answer: PracticeAnswer
        /// All looks at it together.
        public var seconds: Double
    }

    public var version = Self.layoutVersion
    public let id: String
    public let request: PracticeTestRequest
    public let blueprint: TestBlueprint
    public private(set) var status = Status.generating
    /// Why it failed.
    public private(set) var failure: String?
    public private(set) var questions: [PracticeQuestion] = []
    /// By question.
    public private(set) var answers: [String: Given] = [:]
    public private(set) var submittedAt: Double?
    /// What is being written, where a model writes it: goes on where it was.
    public var generation: Generation<QuestionWish>?
    /// The study day for which it was made: `2026-12-01`; nil: any.
    public var scheduledFor: String?

    public init(id: String, _ request: PracticeTestRequest, bank: [PracticeQuestion]) {
        self.id = id
        self.request = request
        blueprint = TestBlueprint(request, bank: bank)
    }

    /// - Throws: `IllegalEvent`, one sentence without a full stop; nothing has changed then.
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
                throw IllegalEvent(sentence: "question \(id) is not answered that way")
            }
            answers[id] = Given(answer: answer, seconds: (answers[id]?.seconds ?? 0) + max(0, seconds))
        case (.inProgress, .submit(let time)): (status, submittedAt) = (.submitted, time)
        default: throw IllegalEvent(sentence: "\(event.name) cannot happen while the test is \(status.words)")
        }
    }

    /// Right answers; nil before it was submitted.
    public var correctCount: Int? {
        status == .submitted ? questions.count { isRight($0) } : nil
    }

    /// 0 … 1; nil before it was submitted.
    public var score: Double? { correctCount.map { Double($0) / Double(max(1, questions.count)) } }

    public func isRight(_ question: PracticeQuestion) -> Bool {
        answers[question.id].map { question.verdict(on: $0.answer).isRight } ?? false
    }

    /// What is not as it was wanted (P12).
    public var shortfalls: [String] { DrawnTest.shortfalls(blueprint, questions) }
}

extension PracticeTest {
    /// The questions that a finished generation leads to: what was written, and what stands in.
    ///
    /// - Returns: nil where a slot has none.
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
