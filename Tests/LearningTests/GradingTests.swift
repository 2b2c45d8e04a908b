import Testing

@testable import Learning

/// Tests of grading for each kind of question.
@Suite struct GradingTests {
    private func question(_ key: AnswerKey) -> PracticeQuestion { SampleQuestions.honey.with { $0.key = key } }

    @Test func aChoiceIsGradedByItsIndex() {
        let verdicts = (-1...5).map { SampleQuestions.honey.verdict(on: .multipleChoice(selectedOption: $0)) }
        #expect(verdicts == [.notAnAnswer, .right, .wrong, .wrong, .wrong, .wrong, .notAnAnswer])
        #expect(SampleQuestions.honey.verdict(on: .fillInTheBlank(textAnswer: "a")) == .notAnAnswer)
    }

    @Test(arguments: [
        ("On the other hand", Verdict.right), ("  on the OTHER  hand, ", .right), ("on the other-hand", .right),
        ("then again", .right), ("on the other han", .nearMiss), ("on teh other hand", .nearMiss),
        ("on the othr han", .nearMiss), ("on another hand", .wrong), ("in the end", .wrong), ("  ?! ", .notAnAnswer),
    ]) func punctuationDoesNotMatterInABlank(_ text: String, _ verdict: Verdict) {
        let key = AnswerKey.fillInTheBlank(.init(accepted: ["on the other hand", "then again"]))
        #expect(question(key).verdict(on: .fillInTheBlank(textAnswer: text)) == verdict)
    }

    @Test(arguments: [
        ("c", "C++", Verdict.wrong), ("C++", "c++", .right), ("c#", "C", .wrong), ("5", "-5", .wrong),
        ("−5", "-5", .right), ("5%", "5 %", .wrong), ("100 %", "100 %", .right), ("R&D", "r & d", .wrong),
        ("don´t", "don't", .right), ("don‘t", "dont", .right), ("１２", "12", .right), ("ＯＫ", "ok", .right),
        ("cafe\u{301}", "café", .right), ("well-known", "well known", .right), ("हिंदी", "हिंदी", .right),
        ("20 °C", "20 °c", .right),
    ]) func signsAreWordsAndWidthIsNot(_ given: String, _ accepted: String, _ verdict: Verdict) {
        let key = AnswerKey.fillInTheBlank(.init(accepted: [accepted]))
        #expect(question(key).verdict(on: .fillInTheBlank(textAnswer: given)) == verdict)
    }

    @Test func digitsOfAnIdeographsWidthAreNumbers() {
        let key = AnswerKey.calculation(.init(value: -12.5))
        for text in ["－１２．５", "−12.5", "-12,5"] {
            #expect(question(key).verdict(on: .calculation(numericAnswer: text)) == .right, "\(text)")
        }
    }

    @Test func shortWordsHaveNoNearMiss() {
        let key = AnswerKey.fillInTheBlank(.init(accepted: ["for", "don't", "part"]))
        let verdicts = ["fir", "dont", "don’t", "port", "pa"].map {
            question(key).verdict(on: .fillInTheBlank(textAnswer: $0))
        }
        #expect(verdicts == [.wrong, .right, .right, .nearMiss, .wrong])
    }

    @Test(arguments: [
        ("12.5", Verdict.right), ("12,5", .right), ("12,50 km", .right), (" 12.4 KM", .right), ("12.3", .wrong),
        ("12.5 miles", .wrong), ("km", .notAnAnswer), ("", .notAnAnswer), ("1e400", .wrong), ("twelve", .notAnAnswer),
    ]) func aNumberMayHaveACommaAndAUnit(_ text: String, _ verdict: Verdict) {
        let key = AnswerKey.calculation(.init(value: 12.5, tolerance: 0.11, units: ["km", "kilometres"]))
        #expect(question(key).verdict(on: .calculation(numericAnswer: text)) == verdict)
    }

    @Test func thousandsAreReadEitherWay() {
        let key = AnswerKey.calculation(.init(value: 1500))
        let texts = ["1500", "1,500", "1.500", "1 500", "1,500.0", "1.500,0", "15,00", "-1500", "1.5"]
        let verdicts = texts.map { question(key).verdict(on: .calculation(numericAnswer: $0)) }
        #expect(verdicts == [.right, .right, .right, .right, .right, .right, .right, .wrong, .wrong])
        let million = AnswerKey.calculation(.init(value: 1_500_000))
        for text in ["1,500,000", "1.500.000", "1500000"] {
            #expect(question(million).verdict(on: .calculation(numericAnswer: text)) == .right)
        }
    }

    private static let sweet = AnswerKey.multipleResponse(
        .init(options: ["Honey", "Salt", "Sugar", "Flour"], correct: [0, 2]))
    private static let steps = AnswerKey.ordering(.init(options: ["Bake", "Mix", "Knead"], correct: [1, 2, 0]))
    private static let tools = AnswerKey.matching(
        .init(premises: ["cut", "stir", "eat"], options: ["a spoon", "a knife"], correct: [1, 0, 0]))

    /// Each answer with its verdict and its credit in a test.
    @Test(arguments: [
        (sweet, PracticeAnswer.multipleResponse(selectedOptions: [2, 0]), Verdict.right, 1),
        (sweet, .multipleResponse(selectedOptions: [0]), .partly, 0.5),
        (sweet, .multipleResponse(selectedOptions: [0, 2, 3]), .partly, 0.5),
        (sweet, .multipleResponse(selectedOptions: [0, 1]), .wrong, 0),
        (sweet, .multipleResponse(selectedOptions: [0, 1, 2, 3]), .wrong, 0),
        (sweet, .multipleResponse(selectedOptions: []), .notAnAnswer, 0),
        (sweet, .multipleResponse(selectedOptions: [0, 0]), .notAnAnswer, 0),
        (sweet, .multipleResponse(selectedOptions: [4]), .notAnAnswer, 0),
        (sweet, .multipleChoice(selectedOption: 0), .notAnAnswer, 0),
        (steps, .ordering(order: [1, 2, 0]), .right, 1), (steps, .ordering(order: [1, 0, 2]), .partly, 1.0 / 3),
        (steps, .ordering(order: [0, 1, 2]), .wrong, 0), (steps, .ordering(order: [0, 1]), .notAnAnswer, 0),
        (steps, .ordering(order: [0, 1, 1]), .notAnAnswer, 0), (steps, .ordering(order: [1, 2, 3]), .notAnAnswer, 0),
        (tools, .matching(matches: [1, 0, 0]), .right, 1), (tools, .matching(matches: [1, 1, 0]), .partly, 2.0 / 3),
        (tools, .matching(matches: [0, 1, 1]), .wrong, 0), (tools, .matching(matches: [1, 0]), .notAnAnswer, 0),
        (tools, .matching(matches: [1, 0, 2]), .notAnAnswer, 0), (tools, .ordering(order: [1, 0]), .notAnAnswer, 0),
    ]) func eachPartHasItsShare(_ key: AnswerKey, _ answer: PracticeAnswer, _ verdict: Verdict, _ credit: Double) {
        #expect(question(key).verdict(on: answer) == verdict)
        #expect(question(key).credit(for: answer) == credit)
    }

    @Test func answersWithoutPartsGetAllOrNothing() {
        let credits = (0..<2).map { SampleQuestions.honey.credit(for: .multipleChoice(selectedOption: $0)) }
        #expect(credits == [1, 0])
        let blank = question(.fillInTheBlank(.init(accepted: ["part"])))
        #expect(blank.credit(for: .fillInTheBlank(textAnswer: "port")) == 0)
    }

    /// In each order the solution is right, and options to order are not shown in the right order.
    @Test(arguments: [sweet, steps, tools]) func partsAreReorderedWithTheirKey(_ key: AnswerKey) {
        var shown: Set<[String]> = []
        for seed in 0..<50 as Range<UInt64> {
            let moved = question(key).inOrder(of: seed)
            #expect(moved.keyFault == nil && moved.inOrder(of: seed) == moved)
            #expect([question(key)].inOrder(of: seed) == [moved])
            #expect(moved.key.words == key.words || Self.isUnordered(key))
            #expect(moved.verdict(on: moved.solution) == .right)
            if case .ordering(let own) = moved.key { #expect(own.correct != Array(own.options.indices)) }
            shown.insert(moved.asked.options)
        }
        #expect(shown.count > 1)
    }

    /// Whether the words of the key follow the order of the options.
    private static func isUnordered(_ key: AnswerKey) -> Bool {
        if case .multipleResponse = key { true } else { false }
    }

    @Test(arguments: [
        (AnswerKey.multipleResponse(.init(options: ["a", "b"], correct: [])), "multipleResponse.correct"),
        (.multipleResponse(.init(options: ["a", "b"], correct: [0, 0])), "multipleResponse.correct"),
        (.multipleResponse(.init(options: ["a", "b"], correct: [2])), "multipleResponse.correct"),
        (.multipleResponse(.init(options: ["a", "a"], correct: [0])), "multipleResponse.options"),
        (.ordering(.init(options: ["a"], correct: [0])), "ordering.options"),
        (.ordering(.init(options: ["a", "b"], correct: [0])), "ordering.correct"),
        (.ordering(.init(options: ["a", "b"], correct: [1, 1])), "ordering.correct"),
        (.matching(.init(premises: ["x"], options: ["a", "b"], correct: [0])), "matching.premises"),
        (.matching(.init(premises: ["x", "y"], options: ["a", "b"], correct: [0])), "matching.correct"),
        (.matching(.init(premises: ["x", "y"], options: ["a", "b"], correct: [0, 2])), "matching.correct"),
    ]) func aKeyThatCannotBeAnsweredIsNamedByItsField(_ key: AnswerKey, _ field: String) {
        #expect(question(key).keyFault?.field == field)
    }

    @Test func theSolutionIsRight() {
        let keys: [AnswerKey] = [
            .multipleChoice(.init(options: ["a", "b", "c"], correct: 2)), .fillInTheBlank(.init(accepted: ["gave up"])),
            .calculation(.init(value: 110, units: ["words", "w"])), .calculation(.init(value: -2.5)),
            .spoken(.init(speech: 20)), Self.sweet, Self.steps, Self.tools,
        ]
        for key in keys { #expect(question(key).verdict(on: question(key).solution) == .right) }
        #expect(question(keys[2]).solution == .calculation(numericAnswer: "110 words"))
    }

    @Test func speechIsGradedByItsLength() {
        let key = AnswerKey.spoken(.init(speech: 20))
        let verdicts = [19.9, 20, .nan, .infinity].map { question(key).verdict(on: .spoken(speech: $0)) }
        #expect(verdicts == [.wrong, .right, .notAnAnswer, .notAnAnswer])
    }
}
