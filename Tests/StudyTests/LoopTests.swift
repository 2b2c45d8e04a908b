import Assessment
import ExamCore
import Learning
import Testing

@testable import Study

/// The content of a loop: the learner's words, one thing to do better, and model answers.
@Suite struct LoopTests {
    private static func transcript(_ text: String, _ mistakes: [Mistake]) -> AnswerTranscript {
        AnswerTranscript(
            answer: "part1_q1", recording: "hash", source: .own, writtenAt: "", text: text,
            checks: [LanguageCheck(source: "checker", mistakes: mistakes)])
    }

    private static let goed = Mistake(original: "goed", correction: "went", start: 2, end: 6)

    @Test func theWordsStayWholeAroundTheirMistakes() {
        let words = CorrectedWords(Self.transcript("I goed home.", [Self.goed]))
        #expect(words.pieces == [.said("I "), .mended(Self.goed), .said(" home.")])
    }

    /// A checker of another version may have counted places in another text.
    @Test(
        arguments: [
            Mistake(original: "goed", correction: "went", start: 3, end: 7),
            Mistake(original: "goed", correction: "went", start: 2, end: 99),
            Mistake(original: "goed", correction: "went"),
        ]) func aMistakeElsewhereMarksNothing(_ mistake: Mistake)
    {
        #expect(CorrectedWords(Self.transcript("I goed home.", [mistake])).pieces == [.said("I goed home.")])
    }

    @Test func overlappingMistakesAreMarkedOnce() {
        let wider = Mistake(original: "goed home", correction: "went home", start: 2, end: 11)
        #expect(CorrectedWords(Self.transcript("I goed home.", [Self.goed, wider])).mistakes.count == 1)
    }

    /// A hint about style must not hide a mistake, wherever it begins.
    @Test func aMistakeIsMarkedBeforeAMatterOfStyle() {
        let style = Mistake(original: "I goed", correction: "I did go", type: "style", start: 0, end: 6)
        #expect(CorrectedWords(Self.transcript("I goed home.", [style, Self.goed])).mistakes == [Self.goed])
    }

    @Test func aStepOfTheExamComesBeforeACorrection() {
        let words = CorrectedWords(Self.transcript("I goed home.", [Self.goed]))
        let step = NextStep(
            rule: "longPauses", advice: "Pause less.", evidence: "3.2 s",
            figure: StepFigure("longestPause", 3.2, "s", 2, error: 0.04), answer: "part1_q1")
        #expect(LoopAim(step, words) == .step(step))
        #expect(LoopAim(nil, words).sentence == "Say \"went\", not \"goed\".")
        #expect(LoopAim(nil, nil) == .nothing)
    }

    /// The level at the band, and the one above it.
    @Test(
        arguments: [(nil, ["B1", "B2"]), (5, ["B1", "B2"]), (6, ["B2", "C1"]), (8, ["C1"])] as [(Double?, [String])])
    func modelAnswersAreAtTheLevelAndOneAbove(_ band: Double?, _ levels: [String]) throws {
        let question = try #require(ModelAnswers.questions.first)
        let models = LoopModels(to: question, band: band)
        #expect(models.answers.map(\.level.rawValue) == levels && models.otherQuestion == nil)
    }

    @Test func anotherQuestionGetsTheNearestOnesAnswers() throws {
        let question = try #require(ModelAnswers.questions.max { $0.count < $1.count })
        let models = LoopModels(to: "So, " + question, band: nil)
        #expect(models.otherQuestion == question && models.answers.count == 2)
        #expect(LoopModels(to: "Xylophones zzzzzz?", band: nil).answers.isEmpty)
        #expect(LoopModels(to: nil, band: nil).answers.isEmpty)
    }

    @Test func twoTellingsAreComparedInFigures() {
        var before = DeliveryMeasures()
        (before.span, before.syllables, before.longestPause) = (10, 20, 2)
        var now = before
        (now.span, now.syllables, now.longestPause) = (12, 36, 1)
        #expect(
            TellingChange.sentence(from: before, to: now)
                == "From 10 to 12 seconds of speech, 2 to 3 syllables a second, the longest pause from 2 to 1 seconds, "
                + "by timing alone.")
    }

    /// A session in which an answer is given again must not be the learner's last exam.
    @Test func theAnswerGivenAgainIsNoExam() {
        let question = Paper.Question(id: "q", text: "Why?")
        #expect(SpokenDrill(paper: SpokenDrill.again.paper(of: [question]).id) == .again)
        #expect(!SpokenDrill.chosen.contains(.again))
    }
}
