import Papers
import Testing

@testable import Learning

/// Tests of questions whose right answer is another one when they are imported again.
@Suite struct TurnedKeyTests {
    private static func choice(_ correct: Int, _ options: String...) -> AnswerKey {
        .multipleChoice(.init(options: options, correct: correct))
    }

    private static let cases: [(AnswerKey, AnswerKey, Bool)] = [
        (choice(0, "a fork", "a knife"), choice(1, "a fork", "a knife"), true),
        (choice(0, "a fork", "a knife"), choice(1, "a knife", "a fork"), false),
        (choice(0, "a frok", "a knife"), choice(0, "a fork", "a knife"), false),
        (choice(0, "a fork", "a knife"), choice(0, "a saw", "a fork"), true),
        (.fillInTheBlank(.init(accepted: ["rye"])), .fillInTheBlank(.init(accepted: ["wheat", "Rye"])), false),
        (.fillInTheBlank(.init(accepted: ["rye"])), .fillInTheBlank(.init(accepted: ["wheat"])), true),
        (.calculation(.init(value: 3)), .calculation(.init(value: 3.1, tolerance: 0.2)), false),
        (.calculation(.init(value: 3)), .calculation(.init(value: 4)), true),
        (.spoken(.init(speech: 20)), .spoken(.init(speech: 30)), false),
        (.spoken(.init(speech: 20)), .calculation(.init(value: 20)), true),
    ]

    @Test(arguments: cases.indices) func anotherAnswerTurnsAQuestion(_ index: Int) {
        let (old, new, isTurned) = Self.cases[index]
        let before = SampleQuestions.honey.with { $0.key = old }
        #expect(before.with { $0.key = new }.isTurned(from: before) == isTurned)
    }

    @Test func anImportNamesTurnedQuestions() throws {
        func file(_ right: String) -> QuestionFile {
            let text = "::bread::What do you cut bread with?{~a fork =a knife ~a spoon}\n\n::oven::How hot is it?{#230}"
            let turned = text.replacing("=a knife", with: "~a knife").replacing("~\(right)", with: "=\(right)")
            return QuestionFile(Array(turned.utf8), .gift, name: "x")
        }
        let first = try PackImport([file("a knife")], id: "p", rigour: .lenient).pack
        #expect(try PackImport([file("a knife")], id: "p", previous: first, rigour: .lenient).turned == [])
        #expect(try PackImport([file("a fork")], id: "p", previous: first, rigour: .lenient).turned == ["bread"])
    }

    @Test func whatWasLearnedOfATurnedQuestionIsForgotten() throws {
        let moment = StudyMoment(seconds: 1_790_000_000, offset: 0)
        let exercise = PracticeEvent.Exercise(memory: "p/bread", question: "bread", role: .new)
        let answered = PracticeEvent.Answered(drill: 0, exercise: exercise, verdict: .right, seconds: 3)
        let forgot = PracticeLine(moment, .forgot(memory: "p/bread"))
        #expect(PracticeLine(forgot.text) == forgot)
        let history = PracticeHistory([PracticeLine(moment, .answered(answered)), forgot])
        #expect(history.memories["p/bread"] == nil && history.days[moment.day]?.answers == 1)
    }
}
