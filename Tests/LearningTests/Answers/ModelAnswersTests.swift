import ExamCore
import Papers
import SystemSupport
import Testing

@testable import Learning

/// Tests that the built-in model answers belong to the bank and differ by level.
@Suite struct ModelAnswersTests {
    private static let files = [
        ("cards", PackageResources.model_answers_cards_json),
        ("questions", PackageResources.model_answers_questions_json),
    ]

    private static func items() throws -> [ModelAnswers.Item] {
        try files.flatMap { name, bytes in
            try JSONFile.decode(
                ModelAnswers.self, "file of model answers", version: ModelAnswers.layoutVersion, from: bytes, name: name
            ).items
        }
    }

    @Test func eachQuestionIsOneOfItsItem() throws {
        for item in try Self.items() {
            let asked: [String]
            switch try #require(ItemBank.builtIn[item.item], "\(item.item)") {
            case .card(let card): asked = [card.card.topic]
            case .frame(let frame): asked = frame.questions.map(\.text)
            }
            #expect(item.questions.map(\.question) == asked, "\(item.item)")
        }
    }

    @Test func everyCardAndTwoHundredQuestionsHaveAnswers() throws {
        let cards = ItemBank.builtIn.items.compactMap { item -> String? in
            if case .card(let card) = item { card.card.topic } else { nil }
        }
        #expect(cards.filter { ModelAnswers.answers(to: $0).isEmpty } == [])
        let questions = ItemBank.builtIn.items.flatMap { item -> [String] in
            if case .frame(let frame) = item { frame.questions.map(\.text) } else { [] }
        }
        #expect(questions.count { !ModelAnswers.answers(to: $0).isEmpty } >= 200)
    }

    @Test func theSameIsSaidAtThreeLevels() throws {
        for question in try Self.items().flatMap(\.questions) {
            let words = question.answers.map { $0.text.split(separator: " ").count }
            #expect(question.answers.map(\.level) == [.b1, .b2, .c1], "\(question.question)")
            #expect(words.first! < words.last!, "\(question.question): \(words)")
            #expect(
                question.answers.allSatisfy { !$0.note.isEmpty && $0.text.allSatisfy(\.isASCII) },
                "\(question.question)")
        }
    }

    @Test func manyPeopleSpeak() throws {
        let texts = try Self.items().flatMap(\.questions).flatMap(\.answers).map(\.text)
        #expect(Set(texts).count == texts.count)
        let openings = Dictionary(grouping: texts) { $0.split(separator: " ").prefix(4).joined(separator: " ") }
        #expect(openings.filter { $0.value.count > 6 }.keys.sorted() == [])
    }
}
