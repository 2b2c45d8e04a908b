import BackendAPI
import ExamCore
import ExamStore
import Foundation
import Learning
import Papers
import ServerWork
import SystemSupport

/// A practice test in the form for its owner. Keys and verdicts are included only after grading.
struct ToldTest: Encodable, Sendable {
    var id: LowercaseID
    var state: String
    var courseId, courseName: String?
    var topics: [String]
    var difficulty: String?
    var count, answered: Int
    var createdAt: String
    var submittedAt, scheduledFor, failure: String?
    /// The number of questions written so far, while a model writes it.
    var written: Int?
    /// The wishes that could not be fulfilled.
    var shortfalls: [String]
    var result: Result?
    /// The plan of the questions. Absent in lists, like the questions.
    var blueprint: Blueprint?
    var questions: [Question]?

    struct Blueprint: Encodable, Sendable {
        var slots: [QuestionSlot]
        var topicQuotas, difficultyDistribution, bloomDistribution: [String: Int]

        init(_ blueprint: TestBlueprint) {
            (slots, topicQuotas) = (blueprint.slots, blueprint.topicQuotas)
            difficultyDistribution = blueprint.difficultyDistribution
            bloomDistribution = blueprint.bloomDistribution
        }
    }

    struct Part: Encodable, Sendable {
        var name: String
        var right, count: Int
        var seconds: Double

        init(_ part: TestResult.Part) {
            (name, right, count, seconds) = (part.name, part.right, part.count, part.seconds.tenths)
        }
    }

    struct Result: Encodable, Sendable {
        var right, count, percentage: Int
        var grade, word, advice: String
        var seconds: Double
        var byTopic, byDifficulty, byBloom: [Part]

        init(_ result: TestResult) {
            (right, count, percentage) = (result.right, result.count, result.percentage)
            (grade, word, advice) = (result.grade.rawValue, result.grade.word, result.grade.advice)
            seconds = result.seconds.tenths
            byTopic = result.byTopic.map(Part.init)
            byDifficulty = result.byDifficulty.map(Part.init)
            byBloom = result.byBloom.map(Part.init)
        }
    }

    struct Question: Encodable, Sendable {
        var id, prompt, type: String
        /// The SHA-256 of the prompt's words: the same for prompts that differ only in case and punctuation.
        var promptHash: String
        var options, premises, units: [String]?
        var topic, difficulty: String
        var bloom: String?
        var answer: AnyAnswer?
        /// The seconds spent on the question so far, including the answer.
        var seconds: Double?
        var isRight: Bool?
        /// The credit for the answer, 0 to 1: a share for a partly right one.
        var credit: Double?
        var rightAnswer: AnyAnswer?
        var explanation: String?

        init(_ question: PracticeQuestion, of test: PracticeTest, isGraded: Bool) {
            (id, prompt) = (question.id, question.prompt)
            promptHash = SHA256.hexadecimal(of: Array(question.prompt.bankWords.joined(separator: " ").utf8))
            (type, units) = (question.kind, question.asked.units)
            (options, premises) = (question.asked.shownOptions, question.asked.shownPremises)
            (topic, difficulty, bloom) = (question.topic, question.difficulty.rawValue, question.bloom?.rawValue)
            answer = test.answers[question.id].flatMap { AnyAnswer($0.answer) }
            seconds = test.answers[question.id]?.seconds.tenths
            guard isGraded else { return }
            isRight = test.isRight(question)
            credit = (test.credit(for: question) * 100).rounded() / 100
            rightAnswer = AnyAnswer(question.solution)
            explanation = question.explanation
        }
    }

    init(_ kept: StoredTest, isWhole: Bool = false) throws {
        self.init(kept, try kept.test(), isWhole: isWhole)
    }

    init(_ kept: StoredTest, _ test: PracticeTest, isWhole: Bool) {
        id = LowercaseID(kept.id)
        state = kept.state.rawValue
        (courseId, courseName) = (test.request.courseId, test.request.courseName)
        (topics, difficulty) = (test.request.topics, test.request.difficulty?.rawValue)
        (count, answered) = (test.blueprint.slots.count, test.answers.count)
        createdAt = kept.createdAt ?? ""
        submittedAt = test.submittedAt.map { WallTime(secondsSince1970: Int($0)).utc }
        (scheduledFor, failure) = (test.scheduledFor, test.failure)
        if kept.isByModel, test.questions.isEmpty {
            written = test.generation.map { $0.statistics.written + $0.statistics.fallbacks } ?? 0
        }
        shortfalls = test.questions.isEmpty ? [] : test.shortfalls
        let isGraded = kept.state == .graded
        result = isGraded ? TestResult(test).map(Result.init) : nil
        guard isWhole else { return }
        blueprint = Blueprint(test.blueprint)
        guard !test.questions.isEmpty else { return }
        questions = test.questions.map { Question($0, of: test, isGraded: isGraded) }
    }
}

extension PracticeQuestion {
    /// The name of its kind of answers in the interface.
    var kind: String {
        switch key {
        case .multipleChoice: "multipleChoice"
        case .multipleResponse: "multipleResponse"
        case .ordering: "ordering"
        case .matching: "matching"
        case .fillInTheBlank: "fillInTheBlank"
        case .calculation: "calculation"
        case .spoken: "spoken"
        }
    }

}

extension AskedQuestion {
    /// The options, or nil for a question without any.
    var shownOptions: [String]? { options.isEmpty ? nil : options }
    /// The premises, or nil for a question without any.
    var shownPremises: [String]? { premises.isEmpty ? nil : premises }
    /// The units that may follow the number of a calculation.
    var units: [String]? { if case .calculation(let units) = form { units } else { nil } }
}
