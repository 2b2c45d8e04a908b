import ExamCore
import Learning
import Testing

@testable import Study

/// The choice of a spoken drill's questions.
@Suite struct DrillQuestionsTests {
    private let catalogue = PracticeCatalogue(packs: [], lessons: LessonCategory.builtIn)

    private func history(right items: [String], of lesson: String) throws -> PracticeHistory {
        let lines = items.map { "2026-11-25T13:15:24+01:00 answered 0 due \(lesson)/\($0) \($0)-gap right 5.3" }
        return PracticeHistory(try lines.map { try #require(PracticeLine($0)) })
    }

    private func sentences(
        of lesson: String? = nil, count: Int? = nil, after history: PracticeHistory = PracticeHistory()
    ) -> DrillQuestions? {
        DrillQuestions(sentencesOf: lesson, count: count, in: catalogue, after: history)
    }

    private static let paper = Paper(
        id: "p", title: "P",
        sections: [
            "part1": [Paper.Frame(id: "home", questions: [Paper.Question(id: "home-1", text: "Where do you live?")])],
            "part2": [
                Paper.Frame(
                    id: "meal",
                    questions: [
                        Paper.Question(
                            id: "meal", text: "Describe a meal.",
                            card: Paper.Card(
                                topic: "Describe a meal.", points: ["what it was", "when it was", "who was there"],
                                explain: "and explain why you remember it."))
                    ])
            ],
            "part3": [
                Paper.Frame(
                    id: "food",
                    questions: ["Is food culture?", "Should schools teach cooking?"].enumerated().map {
                        Paper.Question(id: "food-\($0)", text: $1)
                    })
            ],
        ])

    @Test func theSentencesThatAreKnownLeastComeFirst() throws {
        let first = try #require(sentences(count: 20))
        #expect(sentences()?.questions == Array(first.questions.prefix(5)) && first.questions.count > 1)
        let known = try #require(first.questions.first?.id)
        let then = try #require(sentences(count: 20, after: history(right: [known], of: first.item)))
        #expect(then.item == first.item && then.questions.last?.id == known)
    }

    @Test func aDoneLessonIsFollowedByTheNext() throws {
        let first = try #require(sentences())
        let items = try #require(catalogue.pack(first.item)).items.map { String($0.id.dropFirst(first.item.count + 1)) }
        let then = try #require(sentences(after: history(right: items, of: first.item)))
        #expect(then.item != first.item)
        #expect(sentences(of: first.item, after: try history(right: items, of: first.item))?.item == first.item)
        #expect(sentences(of: "no-lesson") == nil)
        #expect(DrillQuestions.lessonIDs.first == first.item)
    }

    @Test func questionsComeFromTheLastPartsAndTheTalkIsACard() throws {
        #expect(DrillQuestions(.fourThreeTwo, from: Self.paper)?.questions.map(\.id) == ["meal"])
        let asked = try #require(DrillQuestions(.pauseLess, from: Self.paper))
        #expect(asked.questions.map(\.id) == ["food-0", "food-1", "home-1"] && asked.item == "food-0")
        #expect(DrillQuestions(.oneMoreSentence, from: Self.paper, count: 1)?.questions.count == 1)
        #expect(DrillQuestions(.fourThreeTwo, from: Paper(id: "p", title: "P", sections: [:])) == nil)
        #expect(DrillQuestions(.shadowing, from: Self.paper) == nil)
    }

    /// A server knows only the paper of a drill that was held.
    @Test(arguments: SpokenDrill.chosen) func aHeldDrillHasTheSameNameInThePracticeLog(_ drill: SpokenDrill) throws {
        let asked = try #require(drill.hasModel ? sentences() : DrillQuestions(drill, from: Self.paper))
        let exam = try DrillExam(drill, asked.questions)
        #expect(DrillQuestions(drill, heldWith: exam.paper)?.item == asked.item)
        #expect(exam.options.mode == .practice)
        let script = try #require(ExamScript.assemble(exam.format, exam.paper, options: exam.options).script)
        #expect(drill.spokenAlong(in: script).isEmpty == (drill != .shadowing))
        #expect(drill.summary.hasSuffix(".") && drill.usualSeconds < exam.format.hardCap.duration.inSeconds)
    }
}
