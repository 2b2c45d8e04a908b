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

    @Test func theSolutionIsRight() {
        let keys: [AnswerKey] = [
            .multipleChoice(.init(options: ["a", "b", "c"], correct: 2)), .fillInTheBlank(.init(accepted: ["gave up"])),
            .calculation(.init(value: 110, units: ["words", "w"])), .calculation(.init(value: -2.5)),
            .spoken(.init(speech: 20)),
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
