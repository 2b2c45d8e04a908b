import ExamCore
import Papers

@testable import Learning

/// Questions that keep all rules.
enum SampleQuestions {
    static let honey = PracticeQuestion(
        id: "honey-1", topic: "honey", difficulty: .medium, bloom: .understand,
        prompt: "A friend says the honey \"went down well\" with the guests. What does she mean?",
        key: .multipleChoice(
            .init(
                options: [
                    "The guests liked it.", "The guests spilt it.", "The jar was too full.", "It was cheap to buy.",
                    "It tasted too sweet.",
                ], correct: 0)),
        explanation: "Something that goes down well is liked by the people who are given it.")

    /// Returns a model's answer for that question.
    static func answer(
        prompt: String? = nil, choices: [String]? = nil, correctIndex: Int = 0, correctAnswer: String? = nil,
        rationale: String? = nil, difficulty: String = "Medium", bloom: String = "understand"
    ) -> String {
        let choices = choices ?? honey.options
        let fields: [(String, String)] = [
            ("prompt", quoted(prompt ?? honey.prompt)), ("choices", "[\(choices.map(quoted).joined(separator: ","))]"),
            ("correctIndex", "\(correctIndex)"), ("correctAnswer", quoted(correctAnswer ?? choices[0])),
            ("rationale", quoted(rationale ?? honey.explanation)), ("difficulty", quoted(difficulty)),
            ("bloom", quoted(bloom)),
        ]
        return "{\(fields.map { "\"\($0)\": \($1)" }.joined(separator: ",\n "))}"
    }

    static let slot = QuestionSlot(
        topic: "honey", bloomLevel: .understand, difficulty: .medium, templateType: .meaning, maxPromptWords: 40)

    private static func quoted(_ text: String) -> String { "\"\(text.replacing("\"", with: "\\\""))\"" }

    static let bank = QuestionPack.builtIn.flatMap(\.questions)
}

extension PracticeQuestion {
    func with(_ change: (inout PracticeQuestion) -> Void) -> PracticeQuestion {
        var question = self
        change(&question)
        return question
    }

    func with(options: [String], correct: Int = 0) -> PracticeQuestion {
        with { $0.key = .multipleChoice(.init(options: options, correct: correct)) }
    }
}
