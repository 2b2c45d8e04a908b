import ExamCore
import Papers
import Testing

@testable import Learning

/// Tests of lists of questions as a quiz app stores them.
@Suite struct QuizAppTests {
    private static let first =
        #"{"question": "What cuts bread?", "options": ["A fork", "A knife", "A spoon", "A cup"], "answerIndex": 1, "explanation": "It has an edge.", "isAnswered": true, "isCorrect": false}"#
    private static let second =
        #"{"id": 12, "topic": "Soup", "difficulty": "hard", "question": "What holds soup?", "options": ["A fork", "A bowl"], "answerIndex": 1}"#

    @Test(arguments: ["[\n\(first),\n\(second)]", "{\"questions\":\n[\(first),\n\(second)]}"])
    func aQuizAppsFileIsReadAsItIs(_ text: String) throws {
        #expect(PackFormat.of(Array(text.utf8), name: "questions.json") == .quiz)
        let reader = QuizAppReader(Array(text.utf8))
        try #require(reader.mistakes == [] && reader.questions.count == 2)
        let (one, two) = (reader.questions[0], reader.questions[1])
        #expect(
            one.line == 2 && one.id == nil && one.topic == nil && one.difficulty == nil
                && one.prompt == "What cuts bread?")
        #expect(one.key == .multipleChoice(.init(options: ["A fork", "A knife", "A spoon", "A cup"], correct: 1)))
        #expect(one.explanation == "It has an edge." && two.explanation == nil)
        #expect(two.line == 3 && two.id == "12" && two.topic == "soup" && two.difficulty == .hard)
    }

    @Test(arguments: [
        ("\"question\":", "\"quetsion\":", ["2 [0].quetsion unknown-field", "2 [0].question missing"]),
        ("\"answerIndex\": 1", "\"answerIndex\": \"B\"", ["2 [0].answerIndex wrong-kind"]),
        ("\"answerIndex\": 1", "\"answerIndex\": 1.5", ["2 [0].answerIndex wrong-kind"]),
        ("\"answerIndex\": 1,", "", ["2 [0].answerIndex missing"]),
        ("\"A fork\"", "7", ["2 [0].options wrong-kind"]),
        ("[\"A fork\", \"A knife\", \"A spoon\", \"A cup\"]", "null", ["2 [0].options missing"]),
        ("\"isAnswered\"", "\"difficulty\": \"huge\", \"isAnswered\"", ["2 [0].difficulty unknown-difficulty"]),
        ("\"What cuts bread?\"", "3", ["2 [0].question wrong-kind"]),
        ("\"isAnswered\"", "\"score\": 3, \"isAnswered\"", ["2 [0].score unknown-field"]),
    ]) func eachFlawIsReported(_ old: String, _ new: String, _ told: [String]) {
        let reader = QuizAppReader(Array("[\n\(Self.first.replacing(old, with: new)),\n\(Self.second)]".utf8))
        #expect(reader.mistakes.map { "\($0.line) \($0.column) \($0.code)" } == told && reader.questions.count == 1)
    }

    @Test(arguments: [
        ("{\"questions\": 3, \"version\": 1}", ["1 version unknown-field", "1 file wrong-kind"]),
        ("7", ["1 file wrong-kind"]),
        ("[\n3]", ["2 [0] wrong-kind"]), ("[{]", ["1 file json"]), ("[1e999]", ["1 file json"]),
        (String(repeating: "[", count: 200) + String(repeating: "]", count: 200), ["1 file json"]),
    ]) func otherJSONIsNotAList(_ text: String, _ told: [String]) {
        #expect(QuizAppReader(Array(text.utf8)).mistakes.map { "\($0.line) \($0.column) \($0.code)" } == told)
    }
}
