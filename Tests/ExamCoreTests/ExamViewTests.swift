import Testing

@testable import ExamCore

/// Tests of the view that a person has of a running exam.
@Suite struct ExamViewTests {
    @Test func theStagesFollowTheExam() {
        var exam = Transcript(SmallExam.oneQuestion())
        #expect(exam.view(at: 0) == ExamView(stage: .preparation, activity: .idle))
        #expect(exam.view(after: .begin, at: 0).stage == .testing)
        #expect(exam.view(after: .asked(.withdraw), at: 2) == ExamView(stage: .processing, activity: .idle))
        #expect(exam.view(after: .takesStored, at: 3) == ExamView(stage: .completed, activity: .idle))
    }

    @Test func theActivityFollowsTheAnswer() {
        var exam = Transcript(SmallExam.oneQuestion())
        #expect(exam.view(after: .begin, at: 0).activity == .examinerSpeaking)
        #expect(exam.view(after: .promptEnded("question-1"), at: 3).activity == .waitingForSpeech)
        #expect(exam.view(after: .voiceBegan(seconds(4)), at: 4).activity == .speaking)
        #expect(exam.view(after: .voiceEnded(seconds(10)), at: 10).activity == .closing)
        #expect(exam.view(at: 12).activity == .transition)
        #expect(exam.view(at: 12.5).activity == .examinerSpeaking)
    }

    @Test func onlyOneSpeaksAtATime() {
        var exam = Transcript(SmallExam.oneQuestion())
        let prompt = exam.view(after: .begin, at: 0)
        #expect(prompt.examinerSpeaks && !prompt.candidateSpeaks)
        _ = exam.at(3, .promptEnded("question-1"))
        let answer = exam.view(after: .voiceBegan(seconds(4)), at: 4)
        #expect(!answer.examinerSpeaks && answer.candidateSpeaks)
    }

    @Test func theQuestionIsNamedByPartOrderAndWords() {
        var greeting = SmallExam.turn("question-1", order: 1, SmallExam.question)
        greeting.prompt.insert(SmallExam.clip("opening"), at: 0)
        let part = ExamScript.Part(number: 3, title: "Discussion", hardEnd: nil)
        var exam = Transcript(SmallExam.script([greeting, SmallExam.turn("goodbye", order: 0, nil)], parts: [part]))
        var view = exam.view(after: .begin, at: 0)
        #expect(view.part == 3)
        #expect(view.partTitle == "Discussion")
        #expect(view.turn == 0)
        #expect(view.questionOrder == 1)
        #expect(view.text == "words of opening", "the words that the examiner is saying")
        _ = exam.at(2, .promptEnded("opening"))
        #expect(exam.view(at: 2.5).text == "words of question-1")
        view = exam.view(after: .promptEnded("question-1"), at: 5)
        #expect(view.text == "words of question-1", "the question that the candidate is answering")
        #expect(exam.view(at: 10).text == "words of prompt")
        #expect(exam.view(after: .promptEnded("prompt"), at: 11).text == "words of question-1")
        _ = exam.at(40)
        #expect(exam.view(after: .promptEnded("question-1"), at: 41).turn == 0)
        view = exam.view(at: 48)
        #expect(view.turn == 1)
        #expect(view.questionOrder == 0, "a goodbye has no answer")
    }

    /// The second question is left out for lack of time, so the third is the second that was asked.
    @Test func questionsAreNumberedAsTheyAreAsked() {
        var rule = SmallExam.question
        rule.finishableAfter = .zero
        var late = SmallExam.turn("question-2", order: 2, rule)
        late.notAfter = .seconds(20)
        var exam = Transcript(
            SmallExam.script([
                SmallExam.turn("question-1", order: 1, rule), late, SmallExam.turn("question-3", order: 3, rule),
                SmallExam.turn("goodbye", order: 0, nil),
            ]))
        #expect(exam.view(after: .begin, at: 0).questionNumber == 1)
        _ = exam.at(3, .promptEnded("question-1"))
        _ = exam.at(4, .voiceBegan(seconds(4)))
        _ = exam.at(25, .asked(.finish))
        let third = exam.view(at: 25.5)
        #expect(third.questionOrder == 3 && third.questionNumber == 2, "\(third)")
        _ = exam.at(28, .promptEnded("question-3"))
        _ = exam.at(29, .voiceBegan(seconds(29)))
        _ = exam.at(32, .asked(.finish))
        #expect(exam.view(at: 32.5).questionNumber == 0, "a goodbye has no answer")
    }

    // MARK: - The card

    @Test func theCardIsShownFromPreparationToTheEndOfTheTalk() {
        var exam = Transcript(SmallExam.card())
        let card = exam.exam.script.turns[0].card
        #expect(exam.view(after: .begin, at: 0).card == nil, "the examiner is still explaining")
        #expect(exam.view(after: .promptEnded("card"), at: 5).card == card)
        #expect(exam.view(at: 65).card == card, "while the examiner says: please begin")
        #expect(exam.view(after: .promptEnded("start"), at: 67).card == card)
        #expect(exam.view(after: .voiceBegan(seconds(70)), at: 70).card == card)
        #expect(exam.view(at: 190).card == card, "while the examiner says: thank you")
        _ = exam.at(192, .promptEnded("stop"))
        #expect(exam.view(at: 192.5).card == nil)
    }

    @Test func notesAreAllowedOnlyInPreparation() {
        var exam = Transcript(SmallExam.card())
        #expect(!exam.view(after: .begin, at: 0).notesAllowed)
        #expect(exam.view(after: .promptEnded("card"), at: 5).notesAllowed)
        #expect(exam.view(at: 64.9).notesAllowed)
        #expect(!exam.view(at: 65).notesAllowed, "the examiner says: please begin")
        #expect(!exam.view(after: .promptEnded("start"), at: 67).notesAllowed)
    }

    @Test func aFormatMayForbidNotes() {
        var script = SmallExam.card()
        script.turns[0].preparation!.notes = false
        var exam = Transcript(script)
        _ = exam.at(0, .begin)
        let view = exam.view(after: .promptEnded("card"), at: 5)
        #expect(view.activity == .preparing)
        #expect(!view.notesAllowed)
    }

    @Test func notesStayLockedWhenTheMicrophoneIsLostInTheTalk() {
        var exam = Transcript(SmallExam.card())
        _ = exam.at(0, .begin)
        _ = exam.at(5, .promptEnded("card"))
        _ = exam.at(67, .promptEnded("start"))
        _ = exam.at(70, .voiceBegan(seconds(70)))
        let view = exam.view(after: .deviceLost(.microphoneGone), at: 80)
        #expect(view.activity == .suspended)
        #expect(view.recording == nil)
        #expect(!view.notesAllowed)
        #expect(view.preparationLeft == nil)
        #expect(!view.timeWarning)
    }

    // MARK: - Time

    @Test func preparationIsCountedDownAndItsLastFiveSecondsWarned() {
        var exam = Transcript(SmallExam.card())
        #expect(exam.view(after: .begin, at: 0).preparationLeft == nil)
        #expect(exam.view(after: .promptEnded("card"), at: 5).preparationLeft == .seconds(60))
        var view = exam.view(at: 59.9)
        #expect(view.preparationLeft == .milliseconds(5_100))
        #expect(!view.timeWarning)
        view = exam.view(at: 60)
        #expect(view.preparationLeft == .seconds(5))
        #expect(view.timeWarning)
        view = exam.view(at: 65)
        #expect(view.preparationLeft == nil)
        #expect(!view.timeWarning)
    }

    @Test func theAnswerIsCountedDownFromItsFirstWord() {
        var exam = Transcript(SmallExam.card())
        _ = exam.at(0, .begin)
        _ = exam.at(5, .promptEnded("card"))
        let before = exam.view(after: .promptEnded("start"), at: 67)
        #expect(before.answerLeft == .seconds(523), "only the exam's own end is known")
        #expect(exam.view(after: .voiceBegan(seconds(70)), at: 70).answerLeft == .seconds(120))
        #expect(!exam.view(at: 184.9).timeWarning)
        let last = exam.view(at: 185)
        #expect(last.answerLeft == .seconds(5))
        #expect(last.timeWarning)
    }

    @Test func theEndOfThePartCountsIfItIsNearer() {
        let part = ExamScript.Part(number: 1, title: "Part", hardEnd: .seconds(30))
        let turns = [SmallExam.turn("question-1", order: 1, SmallExam.question)]
        var exam = Transcript(SmallExam.script(turns, parts: [part]))
        _ = exam.at(0, .begin)
        _ = exam.at(3, .promptEnded("question-1"))
        let view = exam.view(after: .voiceBegan(seconds(4)), at: 4)
        #expect(view.answerLeft == .seconds(26))
    }

    @Test func theTakeIsShownWhileItIsRecorded() {
        var exam = Transcript(SmallExam.oneQuestion())
        #expect(exam.view(after: .begin, at: 0).recording == nil)
        #expect(exam.view(after: .promptEnded("question-1"), at: 3).recording == take)
        #expect(exam.view(at: 7.5).recordingTime == .seconds(4.5))
        #expect(exam.view(at: 8).recording == nil, "the examiner prompts; the take is held")
        #expect(exam.view(after: .promptEnded("prompt"), at: 9).recording == take)
        _ = exam.at(10, .voiceBegan(seconds(10)))
        _ = exam.at(11, .voiceEnded(seconds(11)))
        let over = exam.view(at: 13)
        #expect(over.recording == nil)
        #expect(over.recordingTime == nil)
        #expect(over.answerLeft == nil)
    }

    @Test func aSecondAttemptIsAnotherTake() {
        var exam = Transcript(SmallExam.oneQuestion())
        _ = exam.at(0, .begin)
        _ = exam.at(3, .promptEnded("question-1"))
        _ = exam.at(5, .deviceLost(.microphoneGone))
        _ = exam.at(6, .deviceBack)
        _ = exam.at(6.02)
        #expect(exam.view(after: .promptEnded("question-1"), at: 8).recording == Exam.Take(turn: 0, attempt: 2))
    }

    @Test func aPauseShowsWhatItInterruptedAndItsClocksStandStill() {
        var exam = Transcript(SmallExam.oneQuestion(mode: .practice))
        _ = exam.at(0, .begin)
        _ = exam.at(3, .promptEnded("question-1"))
        let before = exam.view(after: .voiceBegan(seconds(4)), at: 6)
        var expected = before
        expected.activity = .suspended
        expected.recording = nil
        expected.allowed = [.continue, .withdraw]
        #expect(exam.view(after: .asked(.pause), at: 6) == expected)
        #expect(exam.view(at: 500) == expected)
        #expect(exam.view(after: .asked(.continue), at: 500).answerLeft == before.answerLeft)
    }
}

extension Transcript {
    /// Returns the view after time has passed until `second` and `event` has happened.
    fileprivate mutating func view(after event: Exam.Event = .timePassed, at second: Double) -> ExamView {
        _ = at(second, event)
        return exam.view(at: seconds(second))
    }
}
