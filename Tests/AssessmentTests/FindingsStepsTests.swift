import ExamCore
import Testing

@testable import Assessment

@Suite struct FindingsSteps {
    private let pause = TimeRange(14.2, 17.4)

    private func own(_ text: String = "words", mistakes: [Mistake] = []) -> AnswerTranscript {
        AnswerTranscript(
            answer: "part1_q1", recording: "aa", source: .own, writtenAt: "2026-11-23T12:00:00Z", text: text,
            checks: [LanguageCheck(source: "checker 1", mistakes: mistakes)])
    }

    @Test func nothingKnownNothingToDo() {
        #expect(NextStep.steps(for: .made([])) == [])
        #expect(NextStep.steps(for: .made([.made(speech: 8)])) == [])
    }

    @Test func aLongPauseIsNamedWithItsPlace() throws {
        let exam = ExamAssessment.made([.made(), .made(order: 2, speech: 20, pauses: [pause])])
        let step = try #require(NextStep.steps(for: exam, transcripts: [own()]).first)
        #expect(step.rule == "longPauses")
        #expect(
            step.evidence
                == "The longest pause is 3.2 s, in part 1, question 2 at 0:14; 1 pause of a second or more in the exam."
        )
        #expect(step.answer == "part1_q2")
        #expect(step.at == pause.start - 2)
        #expect(step.action == .answerAgain(question: "p1-2"))
    }

    /// In part 1, the question with order 2 was left out for lack of time, so the one with order 3 is question 2. Each
    /// part counts from 1.
    @Test func questionsAreNumberedAsTheyWereAsked() throws {
        func record(_ part: Int, _ order: Int, attempt: Int = 1) -> AnswerRecord {
            AnswerRecord(question: "q", part: part, order: order, attempt: attempt)
        }
        let answers = [record(1, 1), record(1, 3), record(1, 3, attempt: 2), record(1, 6), record(2, 2)]
        let asked = AskedQuestions(answers)
        #expect(answers.map(asked.number) == [1, 2, 2, 3, 1])
        #expect(asked.words(for: answers[2]) == "part 1, question 2, attempt 2")
        let exam = ExamAssessment.made([.made(order: 4, speech: 20, pauses: [pause])])
        func place(_ asked: AskedQuestions?) throws -> String {
            try #require(NextStep.steps(for: exam, transcripts: [own()], asked: asked).first).evidence
        }
        #expect(try place(nil).contains("in part 1, question 1 at"))
        #expect(try place(asked).contains("in part 1, question 3 at"), "the answers that are not assessed count, too")
    }

    @Test(arguments: [DeliveryGate.noisy, .clipped, .incomplete])
    func silencesOfASpoiltRecordingAreNotPauses(gate: DeliveryGate) {
        let exam = ExamAssessment.made([.made(speech: 20, pauses: [pause], gates: [gate])])
        #expect(!NextStep.steps(for: exam).contains { $0.rule == "longPauses" })
    }

    @Test func aSpoiltRecordingComesFirst() {
        let exam = ExamAssessment.made(
            [
                .made(gates: [.clipped]), .made(order: 2, gates: [.clipped]),
                .made(order: 3, speech: 20, pauses: [pause]),
            ])
        #expect(NextStep.steps(for: exam).map(\.rule) == ["clipped", "longPauses", "noTranscript"])
        #expect(NextStep.steps(for: exam)[0].action == .checkSound)
    }

    /// An answer of fixed length without a word has no measures, no pauses, and only one recommendation.
    @Test func silenceIsNotSpeech() throws {
        var record = AnswerRecord(question: "p1-1", part: 1, order: 1, end: "timeUp.answer")
        record.speech = Seconds(.zero)
        // The measurer's result for the hiss of a room.
        let hiss = MeasuredSound(
            timeline: SoundTimeline(duration: 45, span: TimeRange(0, 45), silences: [pause]), speechOverNoise: 3,
            clippedShare: 0)
        let exam = ExamAssessment.make(
            session: "exam-1", answers: [.init(record: record, recording: "aa", sound: hiss)])
        let answer = try #require(exam.answers.first)
        #expect(answer.delivery.gates == [.tooShort] && exam.delivery.gates == [.tooShort])
        #expect(answer.delivery.measures.speech == 0 && answer.delivery.measures.longestPause == 0)
        let steps = NextStep.steps(for: exam)
        #expect(steps.map(\.rule) == ["silent"])
        #expect(steps[0].evidence == "You said nothing in 1 of 1 answer, the first in part 1, question 1.")
        // A recording that another program made was not heard by a detector, so only its sound is known.
        record.speech = nil
        let unknown = ExamAssessment.make(
            session: "exam-1", answers: [.init(record: record, recording: "aa", sound: hiss)])
        #expect(unknown.answers[0].delivery.gates.contains(.noisy))
    }

    @Test func lateStartsNeedTwo() {
        let late = [3.5, 1, 4.5].enumerated().map { AnswerAssessment.made(order: $0 + 1, latency: $1) }
        let steps = NextStep.steps(for: .made(late), transcripts: [own()])
        #expect(steps.map(\.rule) == ["lateStarts"])
        #expect(steps[0].answer == "part1_q3")
        #expect(NextStep.steps(for: .made(Array(late.prefix(2))), transcripts: [own()]) == [])
    }

    @Test func anAnswerThatALimitCutIsNotCalledShort() {
        func exam(_ end: String) -> ExamAssessment { .made((1...3).map { .made(order: $0, speech: 3, end: end) }) }
        #expect(NextStep.steps(for: exam("finished")).map(\.rule) == ["shortAnswers"])
        #expect(NextStep.steps(for: exam("timeUp.answer")) == [])
    }

    @Test func aSlowerEndNeedsThirdsThatHaveARate() {
        func steps(_ speech: Double) -> [NextStep] {
            NextStep.steps(for: .made([.made(speech: speech, thirds: (3.5, 2.1))]), transcripts: [own()])
        }
        #expect(steps(60).map(\.rule) == ["slowerEnd"])
        #expect(steps(12) == [])
    }

    @Test func mistakesCountByTheirKind() throws {
        let mistakes = [
            Mistake(original: "he go", correction: "he goes", category: "agreement"),
            Mistake(original: "a apple", correction: "an apple", category: "articles"),
            Mistake(original: "a hour", correction: "an hour", category: "articles"),
        ]
        let steps = NextStep.steps(for: .made([.made()]), transcripts: [own(mistakes: mistakes)])
        #expect(steps.map(\.rule) == ["mistakes"])
        #expect(
            steps[0].evidence
                == "articles: 2 times in what you said, first \"a apple\" for \"an apple\" in part 1, question 1.")
        #expect(NextStep.steps(for: .made([.made()]), transcripts: [own(mistakes: Array(mistakes.prefix(2)))]) == [])
    }

    @Test func wordsOfARecogniserAreNotTheLearners() {
        var heard = own("I I I think think", mistakes: [Mistake(original: "a", correction: "b", type: "t")])
        #expect(NextStep.steps(for: .made([.made()]), transcripts: [heard]).map(\.rule) == ["repetitions"])
        heard.source = .recogniser
        #expect(NextStep.steps(for: .made([.made()]), transcripts: [heard]).map(\.rule) == ["noTranscript"])
    }

    @Test func threeAtMost() {
        var answers = (1...4).map { AnswerAssessment.made(order: $0, speech: 3, latency: 5) }
        answers.append(.made(part: 2, speech: 60, pauses: [pause], thirds: (3.5, 2)))
        answers.append(.made(part: 2, order: 2, gates: [.noisy]))
        #expect(NextStep.steps(for: .made(answers)).map(\.rule) == ["longPauses", "shortAnswers", "lateStarts"])
    }

    @Test func fallingBackIsSeenAgainstThreeEarlierExams() {
        let earlier = [0.9, 0.85, 0.8].map { share in
            EarlierExam(
                session: "s\(share)", startedAt: "2026-11-01T10:00:00Z",
                delivery: .made(.made(speech: 100 * share, pauses: [100 * (1 - share)])), parts: [])
        }
        let exam = ExamAssessment.made([
            .made(speech: 60, pauses: [TimeRange(1, 2.5)]),
            .made(part: 2, speech: 60, pauses: (0..<60).map { TimeRange(Double($0), Double($0) + 0.9) }),
        ])
        let steps = NextStep.steps(for: exam, transcripts: [own()], earlier: earlier)
        #expect(steps.map(\.rule) == ["fellBack"])
        #expect(steps[0].action == .sit(part: 2))
        #expect(NextStep.steps(for: exam, transcripts: [own()], earlier: Array(earlier.prefix(2))) == [])
    }

    @Test func onlyEarlierExamsOfTheFormatThatSayEnoughCompare() {
        func compares(_ format: String?, _ startedAt: String, _ delivery: DeliveryProfile) -> Bool {
            EarlierExam(
                session: "s", startedAt: startedAt, format: format,
                of: ExamAssessment(session: "s", answers: [], parts: [], delivery: delivery),
                before: ("ielts-style", "2026-11-20T10:00:00Z")) != nil
        }
        let (enough, earlier) = (DeliveryProfile.made(.made(speech: 100)), "2026-11-19T10:00:00Z")
        #expect(compares("ielts-style", earlier, enough))
        #expect(!compares("pte-style", earlier, enough))
        #expect(!compares(nil, earlier, enough))
        #expect(!compares("ielts-style", "2026-11-20T10:00:00Z", enough))
        #expect(
            !compares(
                "ielts-style", earlier,
                DeliveryProfile(calibration: "made", measures: DeliveryMeasures(), gates: [.tooShort])))
    }

    @Test func eachRuleHasItsOwnName() {
        #expect(Set(StepRule.all.map(\.id)).count == StepRule.all.count)
    }
}
