import Testing

@testable import ExamCore

/// Tests of the exam as transcripts: an event, the commands that must follow, the next event.
@Suite struct ExamTranscripts {
    @Test func anAnswerEndsTwoSecondsAfterItsLastWord() {
        var exam = Transcript(SmallExam.oneQuestion())
        #expect(exam.at(0, .begin) == [Timed(0, .play(SmallExam.clip("question-1")))])
        #expect(exam.at(3, .promptEnded("question-1")) == [Timed(3, .openTake(take))])
        #expect(exam.at(4.1, .voiceBegan(seconds(4))) == [])
        #expect(exam.at(10.3, .voiceEnded(seconds(10))) == [])
        #expect(exam.at(11.98) == [])
        #expect(exam.at(12) == [Timed(12, .closeTake(take, .finished(nil)))])
        #expect(exam.at(12.5) == [Timed(12.5, .play(SmallExam.clip("goodbye")))])
        #expect(exam.at(14, .promptEnded("goodbye")) == [])
        #expect(exam.exam.phase == .processing(.completed))
        #expect(exam.at(15, .takesStored) == [])
        #expect(exam.exam.phase == .over(.completed))
    }

    /// The reference app started its silence timer only after the first word.
    @Test func aSilentCandidateIsPromptedThenAskedAgainThenLeft() {
        var exam = Transcript(SmallExam.oneQuestion())
        _ = exam.at(0, .begin)
        _ = exam.at(3, .promptEnded("question-1"))
        #expect(exam.at(8) == [Timed(8, .holdTake(take)), Timed(8, .play(SmallExam.clip("prompt")))])
        #expect(exam.at(9, .promptEnded("prompt")) == [Timed(9, .resumeTake(take))])
        #expect(exam.at(14) == [Timed(14, .holdTake(take)), Timed(14, .play(SmallExam.clip("question-1")))])
        #expect(exam.at(16, .promptEnded("question-1")) == [Timed(16, .resumeTake(take))])
        #expect(exam.at(22) == [Timed(22, .closeTake(take, .noAnswer))])
    }

    @Test func aWordBeforeTheLastRungSavesTheAnswer() {
        var exam = Transcript(SmallExam.oneQuestion())
        _ = exam.at(0, .begin)
        _ = exam.at(3, .promptEnded("question-1"))
        _ = exam.at(9, .promptEnded("prompt"))
        #expect(exam.at(13.95, .voiceBegan(seconds(13.9))) == [])
        #expect(exam.at(15, .voiceEnded(seconds(14.8))) == [])
        #expect(exam.at(16.8) == [Timed(16.8, .closeTake(take, .finished(nil)))])
    }

    /// The reference app ended the talk after 3 s of silence, even at 10 s.
    @Test func aPauseNeverEndsTheTalkBeforeItsMinute() {
        var exam = Transcript(SmallExam.card())
        _ = exam.at(0, .begin)
        #expect(exam.at(5, .promptEnded("card")) == [])
        // 60 s of preparation with its warnings, then a spoken start.
        #expect(
            exam.at(65) == [
                Timed(55, .warn(.seconds(10))), Timed(60, .warn(.seconds(5))),
                Timed(65, .play(SmallExam.clip("start"))),
            ]
        )
        #expect(exam.at(67, .promptEnded("start")) == [Timed(67, .openTake(take))])
        _ = exam.at(70, .voiceBegan(seconds(70)))
        _ = exam.at(90, .voiceEnded(seconds(90)))
        #expect(exam.at(97) == [Timed(97, .holdTake(take)), Timed(97, .play(SmallExam.clip("go-on")))])
        #expect(exam.at(99, .promptEnded("go-on")) == [Timed(99, .resumeTake(take))])
        // The minute counts from the first word, at 70 s.
        #expect(exam.at(129.98) == [])
        #expect(exam.at(130) == [Timed(130, .closeTake(take, .finished(nil)))])
    }

    @Test func theTalkIsStoppedByVoiceAtTwoMinutes() {
        var exam = Transcript(SmallExam.card())
        _ = exam.at(0, .begin)
        _ = exam.at(5, .promptEnded("card"))
        _ = exam.at(67, .promptEnded("start"))
        _ = exam.at(70, .voiceBegan(seconds(70)))
        #expect(
            exam.at(190) == [
                Timed(180, .warn(.seconds(10))), Timed(185, .warn(.seconds(5))),
                Timed(190, .closeTake(take, .timeUp(.answer))), Timed(190, .play(SmallExam.clip("stop"))),
            ]
        )
        #expect(exam.at(192, .promptEnded("stop")) == [])
        #expect(exam.at(192.5) == [Timed(192.5, .play(SmallExam.clip("goodbye")))])
    }

    @Test func theInterruptionTakesTheEndOfASentence() {
        var exam = Transcript(SmallExam.card())
        _ = exam.at(0, .begin)
        _ = exam.at(5, .promptEnded("card"))
        _ = exam.at(67, .promptEnded("start"))
        _ = exam.at(70, .voiceBegan(seconds(70)))
        _ = exam.at(188.3, .voiceEnded(seconds(188)))  // Two seconds before the limit.
        #expect(exam.at(188.4).map(\.command) == [.closeTake(take, .timeUp(.answer)), .play(SmallExam.clip("stop"))])
    }

    @Test func aRequestIsGrantedOnceAndThenRefused() {
        var exam = Transcript(SmallExam.oneQuestion())
        _ = exam.at(0, .begin)
        _ = exam.at(3, .promptEnded("question-1"))
        #expect(exam.at(4, .asked(.repeat)).map(\.command) == [.holdTake(take), .play(SmallExam.clip("question-1"))])
        #expect(exam.at(5, .asked(.repeat)) == [], "the examiner is speaking")
        #expect(exam.at(6, .promptEnded("question-1")).map(\.command) == [.resumeTake(take)])
        #expect(exam.at(7, .asked(.repeat)).map(\.command) == [.holdTake(take), .play(SmallExam.clip("refusal"))])
    }

    /// Asking again and again in the middle of a talk does not make it longer.
    @Test func aRefusalTakesNothingOfTheClock() throws {
        var rule = SmallExam.question
        rule.clockStart = .firstWord
        rule.maximum = .seconds(20)
        rule.repeats = []
        var exam = Transcript(SmallExam.oneQuestion(rule))
        exam.ask()
        _ = exam.speech(from: 4, to: 10)
        _ = exam.at(10.5, .asked(.repeat))
        #expect(exam.at(12, .promptEnded("refusal")).map(\.command) == [.resumeTake(take)])
        _ = exam.at(13, .voiceBegan(seconds(13)))
        #expect(exam.at(23.98).map(\.command) == [.warn(.seconds(10)), .warn(.seconds(5))])
        #expect(exam.at(24).first == Timed(24, .closeTake(take, .timeUp(.answer))), "20 s since the first word")
    }

    /// The detector may have heard a word and is not sure yet. Meanwhile the answer is not cut off.
    @Test func anEndIsNotDeclaredWhileAVoiceMayHaveBegun() {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        _ = exam.speech(from: 4, to: 10)
        #expect(exam.unsure(until: 12.1, since: 11.9) == [])
        #expect(exam.at(12.1, .voiceBegan(seconds(11.9))) == [])
        #expect(exam.at(13, .voiceEnded(seconds(12.8))) == [])
        #expect(exam.at(14.8) == [Timed(14.8, .closeTake(take, .finished(nil)))])
    }

    @Test func aSoundThatIsNotSpeechDelaysTheEndByItsOwnLength() {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        _ = exam.speech(from: 4, to: 10)
        #expect(exam.unsure(until: 12.1, since: 11.9) == [])
        #expect(exam.at(12.12) == [Timed(12.12, .closeTake(take, .finished(nil)))])
    }

    @Test func aVoiceAfterTheSilenceComesTooLate() {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        _ = exam.speech(from: 4, to: 10)
        #expect(exam.unsure(until: 12.1, since: 12) == [Timed(12, .closeTake(take, .finished(nil)))])
    }

    @Test func aLimitDoesNotWaitForAPossibleVoice() {
        var rule = SmallExam.question
        rule.maximum = .seconds(20)
        var exam = Transcript(SmallExam.oneQuestion(rule))
        exam.ask()
        _ = exam.at(4, .voiceBegan(seconds(4)))
        #expect(exam.unsure(until: 23.1, since: 22.5).contains(Timed(23, .closeTake(take, .timeUp(.answer)))))
    }

    @Test func whyIsAskedOnceAfterTooShortAnAnswer() {
        var rule = SmallExam.question
        rule.followUp = SmallExam.clip("why")
        rule.followUpUnder = .seconds(3)
        var exam = Transcript(SmallExam.oneQuestion(rule))
        _ = exam.at(0, .begin)
        _ = exam.at(3, .promptEnded("question-1"))
        _ = exam.at(4, .voiceBegan(seconds(4)))
        _ = exam.at(5, .voiceEnded(seconds(5)))
        #expect(exam.at(7).map(\.command) == [.holdTake(take), .play(SmallExam.clip("why"))])
        #expect(exam.at(8, .promptEnded("why")).map(\.command) == [.resumeTake(take)])
        // The prompts are not repeated: after the time of one step, the short answer stands.
        #expect(exam.at(13) == [Timed(13, .closeTake(take, .finished(nil)))])
    }

    @Test func aLongEnoughAnswerIsNotAskedWhy() {
        var rule = SmallExam.question
        rule.followUp = SmallExam.clip("why")
        rule.followUpUnder = .seconds(3)
        var exam = Transcript(SmallExam.oneQuestion(rule))
        _ = exam.at(0, .begin)
        _ = exam.at(3, .promptEnded("question-1"))
        _ = exam.at(4, .voiceBegan(seconds(4)))
        _ = exam.at(7.1, .voiceEnded(seconds(7)))
        #expect(exam.at(9) == [Timed(9, .closeTake(take, .finished(nil)))])
    }

    /// An old deadline must never end a newer answer. There are no timers, because the answer stores the deadline.
    @Test func lateNewsOfAnOldPromptChangesNothing() {
        var exam = Transcript(SmallExam.oneQuestion())
        _ = exam.at(0, .begin)
        _ = exam.at(3, .promptEnded("question-1"))
        let before = exam.exam
        #expect(exam.at(3, .promptEnded("question-1")) == [])
        #expect(exam.at(3, .promptFailed("prompt")) == [])
        #expect(exam.exam == before)
    }

    /// In the reference app the exam hung if a prompt could not be decoded.
    @Test func aPromptThatFailsIsPassedOver() {
        var exam = Transcript(SmallExam.oneQuestion())
        _ = exam.at(0, .begin)
        #expect(exam.at(0.1, .promptFailed("question-1")).map(\.command) == [.openTake(take)])
    }

    @Test func preparationIsSkippedInPracticeAfterTenSecondsOnly() {
        var exam = Transcript(SmallExam.card(mode: .practice))
        _ = exam.at(0, .begin)
        _ = exam.at(5, .promptEnded("card"))
        #expect(exam.at(14.9, .asked(.skip)) == [])
        #expect(exam.at(15, .asked(.skip)).map(\.command) == [.offer(.skip), .play(SmallExam.clip("start"))])

        var strict = Transcript(SmallExam.card(mode: .test))
        _ = strict.at(0, .begin)
        _ = strict.at(5, .promptEnded("card"))
        #expect(strict.at(30, .asked(.skip)) == [])
    }

    @Test func aPauseStopsEveryClock() {
        var exam = Transcript(SmallExam.oneQuestion(mode: .practice))
        _ = exam.at(0, .begin)
        _ = exam.at(3, .promptEnded("question-1"))
        _ = exam.at(4, .voiceBegan(seconds(4)))
        _ = exam.at(6, .voiceEnded(seconds(6)))
        #expect(exam.at(7, .asked(.pause)).map(\.command) == [.holdTake(take)])
        #expect(exam.at(500) == [])
        #expect(exam.at(500, .asked(.continue)).map(\.command) == [.resumeTake(take)])
        #expect(exam.at(501.98) == [])
        #expect(exam.at(502) == [Timed(502, .closeTake(take, .finished(nil)))])
        #expect(exam.exam.suspended == .seconds(493))
    }

    @Test func aPauseInTheMiddleOfAPromptPlaysItAgain() {
        var exam = Transcript(SmallExam.oneQuestion(mode: .practice))
        _ = exam.at(0, .begin)
        #expect(exam.at(1, .asked(.pause)).map(\.command) == [.stopPlaying])
        #expect(exam.at(5, .asked(.continue)).map(\.command) == [.play(SmallExam.clip("question-1"))])
    }

    @Test func inATestThereIsNoPause() {
        var exam = Transcript(SmallExam.oneQuestion(mode: .test))
        _ = exam.at(0, .begin)
        let before = exam.exam
        #expect(exam.at(1, .asked(.pause)) == [])
        #expect(exam.at(1, .asked(.continue)) == [])
        #expect(exam.exam == before)
    }

    @Test func aLostMicrophoneKeepsWhatWasHeardAndAsksAgain() {
        var exam = Transcript(SmallExam.oneQuestion())
        _ = exam.at(0, .begin)
        _ = exam.at(3, .promptEnded("question-1"))
        _ = exam.at(4, .voiceBegan(seconds(4)))
        #expect(exam.at(5, .deviceLost(.microphoneGone)).map(\.command) == [.closeTake(take, .deviceLost)])
        #expect(exam.at(60, .deviceBack) == [])
        #expect(exam.at(60.02).map(\.command) == [.play(SmallExam.clip("question-1"))])
        let second = Exam.Take(turn: 0, attempt: 2)
        #expect(exam.at(62, .promptEnded("question-1")).map(\.command) == [.openTake(second)])
    }

    @Test func afterALostMicrophonePreparationIsNotHadTwice() {
        var exam = Transcript(SmallExam.card())
        _ = exam.at(0, .begin)
        _ = exam.at(5, .promptEnded("card"))
        _ = exam.at(67, .promptEnded("start"))
        #expect(exam.at(68, .deviceLost(.microphoneGone)).map(\.command) == [.closeTake(take, .deviceLost)])
        _ = exam.at(80, .deviceBack)
        #expect(exam.at(80.02).map(\.command) == [.play(SmallExam.clip("start"))])
    }

    @Test func withdrawingClosesTheTakeAndEndsTheExam() {
        var exam = Transcript(SmallExam.oneQuestion())
        _ = exam.at(0, .begin)
        _ = exam.at(3, .promptEnded("question-1"))
        #expect(exam.at(5, .asked(.withdraw)).map(\.command) == [.closeTake(take, .withdrawn)])
        #expect(exam.exam.phase == .processing(.withdrawn))

        var early = Transcript(SmallExam.oneQuestion())
        _ = early.at(0, .begin)
        #expect(early.at(1, .asked(.withdraw)).map(\.command) == [.stopPlaying])
    }

    @Test func withdrawingWhileTheExaminerPromptsClosesTheHeldTake() {
        var exam = Transcript(SmallExam.oneQuestion())
        _ = exam.at(0, .begin)
        _ = exam.at(3, .promptEnded("question-1"))
        _ = exam.at(4, .asked(.repeat))
        #expect(exam.at(5, .asked(.withdraw)).map(\.command) == [.stopPlaying, .closeTake(take, .withdrawn)])
    }

    @Test func theHardCapEndsEverything() {
        var rule = SmallExam.question
        rule.interruption = nil
        let turns = [SmallExam.turn("question-1", order: 1, rule), SmallExam.turn("goodbye", order: 0, nil)]
        var exam = Transcript(SmallExam.script(turns, hardCap: .seconds(60)))
        _ = exam.at(0, .begin)
        _ = exam.at(3, .promptEnded("question-1"))
        _ = exam.at(4, .voiceBegan(seconds(4)))
        #expect(exam.at(49.98).map(\.command) == [.warn(.seconds(10)), .warn(.seconds(5))])
        #expect(exam.at(50).map(\.command) == [.closeTake(take, .timeUp(.exam))])
        #expect(exam.at(50.5).map(\.command) == [.play(SmallExam.clip("goodbye"))])
        // The goodbye never ends: a player that reports nothing cannot hold up the exam.
        #expect(exam.at(60).map(\.command) == [.stopPlaying])
        #expect(exam.exam.phase == .processing(.outOfTime))
    }

    @Test func thePartClockInterruptsAndDropsWhatIsLate() {
        var second = SmallExam.turn("question-2", order: 2, SmallExam.question)
        second.notAfter = .seconds(20)
        let script = SmallExam.script(
            [
                SmallExam.turn("question-1", order: 1, SmallExam.question), second,
                SmallExam.turn("goodbye", order: 0, nil),
            ],
            parts: [.init(number: 1, title: "Part", hardEnd: .seconds(30))]
        )
        var exam = Transcript(script)
        _ = exam.at(0, .begin)
        _ = exam.at(3, .promptEnded("question-1"))
        _ = exam.at(4, .voiceBegan(seconds(4)))
        #expect(
            exam.at(30).map(\.command) == [
                .warn(.seconds(10)), .warn(.seconds(5)), .closeTake(take, .timeUp(.part)),
                .play(SmallExam.clip("thanks")),
            ]
        )
        _ = exam.at(31, .promptEnded("thanks"))
        #expect(exam.at(31.5).map(\.command) == [.play(SmallExam.clip("goodbye"))])
    }

    @Test func aFixedWindowClosesWithoutAWord() {
        var rule = SmallExam.question
        rule.silence = nil
        rule.maximum = .seconds(8)
        rule.interruption = nil
        rule.whenSilent = []
        var exam = Transcript(SmallExam.oneQuestion(rule))
        _ = exam.at(0, .begin)
        _ = exam.at(3, .promptEnded("question-1"))
        _ = exam.at(4, .voiceBegan(seconds(4)))
        _ = exam.at(5, .voiceEnded(seconds(5)))
        #expect(exam.at(11).map(\.command) == [.warn(.seconds(5)), .closeTake(take, .timeUp(.answer))])
    }

    @Test func theCandidateMayEndAnAnswerIfTheFormatAllows() {
        var rule = SmallExam.question
        rule.finishableAfter = .seconds(10)
        var exam = Transcript(SmallExam.oneQuestion(rule))
        _ = exam.at(0, .begin)
        _ = exam.at(3, .promptEnded("question-1"))
        _ = exam.at(4, .voiceBegan(seconds(4)))
        #expect(exam.at(12.9, .asked(.finish)) == [])
        #expect(exam.at(13, .asked(.finish)).map(\.command) == [.offer(.finish), .closeTake(take, .declared)])
    }
}
