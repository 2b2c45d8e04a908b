import Testing

@testable import ExamCore

/// Tests of sound that the microphone misses. The candidate's clock stands still for it in every phase.
@Suite struct LostSound {
    // MARK: - In every phase

    @Test func lostSoundLengthensABreath() {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        _ = exam.speech(from: 4, to: 10)
        _ = exam.at(12)
        #expect(exam.soundLost(from: 12.2, to: 15.2) == [])
        #expect(exam.at(15.48) == [])
        #expect(exam.at(15.5) == [Timed(15.5, .play(SmallExam.clip("goodbye")))])
    }

    @Test func soundLostInAPromptCostsThePartNoTime() {
        var exam = Transcript(Self.thirtySeconds)
        _ = exam.at(0, .begin)
        #expect(exam.soundLost(from: 1, to: 11) == [])
        #expect(exam.at(13, .promptEnded("question-1")) == [Timed(13, .openTake(take))])
        #expect(exam.exam.view(at: seconds(13)).answerLeft == .seconds(27))
    }

    @Test func lostSoundDelaysTheEndOfPreparation() {
        var exam = Transcript(SmallExam.card())
        _ = exam.at(0, .begin)
        _ = exam.at(5, .promptEnded("card"))
        #expect(exam.soundLost(from: 50, to: 62) == [])
        #expect(exam.exam.view(at: seconds(62)).preparationLeft == .seconds(15))
        #expect(
            exam.at(77) == [
                Timed(67, .warn(.seconds(10))), Timed(72, .warn(.seconds(5))),
                Timed(77, .play(SmallExam.clip("start"))),
            ]
        )
    }

    @Test func lostSoundDelaysSkippingOfPreparation() {
        var exam = Transcript(SmallExam.card(mode: .practice))
        _ = exam.at(0, .begin)
        _ = exam.at(5, .promptEnded("card"))
        _ = exam.soundLost(from: 6, to: 10)
        #expect(exam.at(18.98, .asked(.skip)) == [])
        #expect(exam.at(19, .asked(.skip)).map(\.command) == [.offer(.skip), .play(SmallExam.clip("start"))])
    }

    @Test func lostSoundDelaysThePromptForASilentCandidate() {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        #expect(exam.soundLost(from: 4, to: 8.5) == [])
        #expect(exam.at(12.48) == [])
        #expect(exam.at(12.5) == [Timed(12.5, .holdTake(take)), Timed(12.5, .play(SmallExam.clip("prompt")))])
    }

    @Test func lostSoundDoesNotLengthenASilence() {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        _ = exam.speech(from: 4, to: 10)
        #expect(exam.soundLost(from: 10.4, to: 13.4) == [])
        #expect(exam.at(14.98) == [])
        #expect(exam.at(15) == [Timed(15, .closeTake(take, .finished(nil)))])
    }

    /// The detector counts the samples it heard: 0.25 s of silence before this event, of which 0.1 s came before the
    /// loss.
    @Test func lostSoundBeforeASilenceIsReportedDoesNotLengthenIt() {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        _ = exam.at(4, .voiceBegan(seconds(4)))
        _ = exam.soundLost(from: 10.1, to: 13.1)
        _ = exam.at(13.25, .voiceEnded(seconds(13)))
        #expect(exam.at(14.98) == [])
        #expect(exam.at(15) == [Timed(15, .closeTake(take, .finished(nil)))])
    }

    @Test func lostSoundDoesNotLengthenAPauseInTheTalk() {
        var exam = Transcript(SmallExam.oneQuestion(SmallExam.talk))
        exam.ask()
        _ = exam.speech(from: 4, to: 20)
        _ = exam.soundLost(from: 21, to: 26)
        #expect(exam.at(31.98) == [])
        #expect(exam.at(32).map(\.command) == [.holdTake(take), .play(SmallExam.clip("go-on"))])
    }

    @Test func lostSoundDoesNotLengthenSpeech() {
        var rule = SmallExam.question
        rule.followUp = SmallExam.clip("why")
        rule.followUpUnder = .seconds(5)
        var exam = Transcript(SmallExam.oneQuestion(rule))
        exam.ask()
        _ = exam.at(4, .voiceBegan(seconds(4)))
        _ = exam.soundLost(from: 6, to: 9)
        _ = exam.at(11, .voiceEnded(seconds(11)))  // 4 s of 7 were heard.
        #expect(exam.at(13).map(\.command) == [.holdTake(take), .play(SmallExam.clip("why"))])
    }

    @Test func soundLostInAPromptOfAnAnswerCostsThePartNoTime() {
        var exam = Transcript(Self.thirtySeconds)
        exam.ask()
        _ = exam.at(8)
        #expect(exam.soundLost(from: 8.5, to: 38.5) == [])
        #expect(exam.at(39, .promptEnded("prompt")) == [Timed(39, .resumeTake(take))])
        #expect(exam.exam.view(at: seconds(39)).answerLeft == .seconds(21))
    }

    @Test func inAnInterruptionTheHardCapStaysAway() {
        var exam = Transcript(Self.thirtySeconds)
        exam.ask()
        _ = exam.at(4, .voiceBegan(seconds(4)))
        #expect(exam.at(30).last?.command == .play(SmallExam.clip("thanks")))
        #expect(exam.soundLost(from: 31, to: 2_000) == [])
        #expect(exam.clock == seconds(31))
        #expect(exam.at(2_001, .promptEnded("thanks")) == [])
        #expect(exam.exam.phase == .processing(.completed))
    }

    @Test func nothingIsLostWhileNoClockRuns() {
        var exam = Transcript(SmallExam.oneQuestion(mode: .practice))
        nothingChanges(from: 0, to: 1, &exam)
        _ = exam.at(1, .begin)
        _ = exam.at(4, .promptEnded("question-1"))
        _ = exam.at(6, .asked(.pause))
        nothingChanges(from: 7, to: 8, &exam)
        _ = exam.at(9, .deviceLost(.microphoneGone))
        nothingChanges(from: 10, to: 11, &exam)
        _ = exam.at(12, .asked(.withdraw))
        nothingChanges(from: 13, to: 14, &exam)
        _ = exam.at(15, .takesStored)
        nothingChanges(from: 16, to: 17, &exam)
    }

    private func nothingChanges(from first: Double, to last: Double, _ exam: inout Transcript) {
        _ = exam.at(first)
        let before = exam.exam
        #expect(exam.soundLost(from: first, to: last) == [])
        #expect(exam.exam == before)
    }

    // MARK: - Limits

    @Test func lostSoundReachesNoLimitOfAPart() {
        var exam = Transcript(Self.thirtySeconds)
        exam.ask()
        _ = exam.at(4, .voiceBegan(seconds(4)))
        #expect(exam.soundLost(from: 9, to: 59) == [])
        #expect(exam.at(79.98).map(\.command) == [.warn(.seconds(10)), .warn(.seconds(5))])
        #expect(exam.at(80).map(\.command) == [.closeTake(take, .timeUp(.part)), .play(SmallExam.clip("thanks"))])
    }

    @Test func lostSoundReachesNoMaximumAndNoMinimum() {
        var exam = Transcript(SmallExam.oneQuestion(SmallExam.talk))
        exam.ask()
        _ = exam.at(10, .voiceBegan(seconds(10)))
        _ = exam.soundLost(from: 50, to: 150)
        _ = exam.at(165, .voiceEnded(seconds(165)))
        #expect(exam.at(169.98) == [], "55 s of the minute")
        #expect(exam.at(170) == [Timed(170, .closeTake(take, .finished(nil)))])

        exam = Transcript(SmallExam.oneQuestion(SmallExam.talk))
        exam.ask()
        _ = exam.at(10, .voiceBegan(seconds(10)))
        _ = exam.soundLost(from: 50, to: 150)
        #expect(exam.at(229.98).map(\.command) == [.warn(.seconds(10)), .warn(.seconds(5))])
        #expect(exam.at(230).map(\.command) == [.closeTake(take, .timeUp(.answer)), .play(SmallExam.clip("stop"))])
    }

    @Test func lostSoundDelaysDeclaringAnAnswerOver() {
        var rule = SmallExam.question
        rule.finishableAfter = .seconds(10)
        var exam = Transcript(SmallExam.oneQuestion(rule))
        exam.ask()
        _ = exam.at(4, .voiceBegan(seconds(4)))
        _ = exam.soundLost(from: 5, to: 7)
        #expect(exam.at(14.98, .asked(.finish)) == [])
        #expect(exam.at(15, .asked(.finish)) == [Timed(15, .offer(.finish)), Timed(15, .closeTake(take, .declared))])
    }

    @Test func lostSoundDoesNotReachTheHardCap() {
        var exam = Transcript(Self.oneMinute)
        exam.ask()
        _ = exam.at(4, .voiceBegan(seconds(4)))
        #expect(exam.soundLost(from: 30, to: 4_000) == [])
        _ = exam.at(4_019.98)
        #expect(exam.at(4_020).map(\.command) == [.closeTake(take, .timeUp(.exam))])
    }

    /// Time before the loss counts. A loss does not extend the exam past the cap.
    @Test func theHardCapIsReachedByTheTimeBeforeIt() {
        var exam = Exam(Self.oneMinute)
        _ = exam.handle(.begin, at: .zero)
        #expect(exam.handle(.soundLost(.seconds(1)), at: seconds(61)) == [.stopPlaying])
        #expect(exam.phase == .processing(.outOfTime))
    }

    /// A room may count from before the beginning, but the candidate's clock does not.
    @Test func noMoreIsLostThanTheCandidatesClockHasCounted() {
        var exam = Transcript(SmallExam.oneQuestion())
        _ = exam.at(10, .begin)
        _ = exam.at(12, .soundLost(.seconds(5)))
        #expect(exam.clock == .zero)
        #expect(exam.exam.soundLost == .seconds(2))
        _ = exam.at(13, .promptEnded("question-1"))
        #expect(exam.clock == seconds(1))
    }

    // MARK: - Other effects

    @Test func lostSoundIsCounted() {
        var exam = Transcript(SmallExam.oneQuestion())
        _ = exam.at(0, .begin)
        _ = exam.soundLost(from: 1, to: 1.5)
        _ = exam.at(3, .promptEnded("question-1"))
        _ = exam.soundLost(from: 4, to: 6)
        #expect(exam.exam.soundLost == .milliseconds(2_500))
        #expect(exam.exam.suspended == .milliseconds(2_500))
        #expect(exam.clock == seconds(3.5))
    }

    @Test func anAnswerIsAskedForAgainWithTheClockWhereItWas() {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        _ = exam.soundLost(from: 4, to: 6)
        _ = exam.at(7, .deviceLost(.soundLost))
        _ = exam.at(60, .deviceBack)
        #expect(exam.clock == .zero)
    }

    @Test func aPauseWithSoundLostInItIsLearnedWithoutWhatWasLost() {
        var exam = Transcript(SmallExam.oneQuestion(AdaptiveEndpointingTests.rule))
        exam.ask()
        _ = exam.speech(from: 4, to: 6)
        _ = exam.soundLost(from: 6.5, to: 16.5)
        _ = exam.speech(from: 17.2, to: 20)  // 1.2 s of the pause were heard.
        #expect(exam.at(22.38) == [])
        #expect(exam.at(22.4) == [Timed(22.4, .closeTake(take, .finished(nil)))])
    }

    /// One question of a part that ends at 30 s.
    private static var thirtySeconds: ExamScript {
        SmallExam.script(
            [SmallExam.turn("question-1", order: 1, SmallExam.question)],
            parts: [.init(number: 1, title: "Part", hardEnd: .seconds(30))]
        )
    }

    /// An exam of one minute, whose last answer is cut off at 50 s.
    private static var oneMinute: ExamScript {
        var rule = SmallExam.question
        rule.interruption = nil
        return SmallExam.script([SmallExam.turn("question-1", order: 1, rule)], hardCap: .seconds(60))
    }
}
