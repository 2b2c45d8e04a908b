import Testing

@testable import ExamCore

/// Tests of doubtful and distant sounds in an exam, as transcripts.
@Suite struct SoundsOfAnswers {
    // MARK: - Distant sounds

    @Test func aDistantSoundLeavesTheSilenceCounting() {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        _ = exam.speech(from: 4, to: 10)
        #expect(exam.sound(.distant, from: 10.5, to: 11.5) == [])
        #expect(exam.at(11.98) == [])
        #expect(exam.at(12) == [Timed(12, .closeTake(take, .finished(nil)))])
        #expect(exam.endedBecause == .init(.seconds(2), distant: 1))
    }

    @Test func aDistantSoundInProgressIsWaitedFor() {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        _ = exam.speech(from: 4, to: 10)
        #expect(exam.sound(.distant, from: 11, to: 15) == [])
        #expect(exam.at(15.02) == [Timed(15.02, .closeTake(take, .finished(nil)))])
    }

    @Test func theSilenceLadderGoesOnUnderADistantSound() {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        _ = exam.sound(.distant, from: 4, to: 6)
        #expect(exam.exam.answer?.voice == .silent(since: seconds(3)))
        #expect(exam.at(8).map(\.command) == [.holdTake(take), .play(SmallExam.clip("prompt"))])
        _ = exam.at(9, .promptEnded("prompt"))
        // The next step falls due during a sound, and comes as soon as the sound is over.
        #expect(exam.sound(.distant, from: 13, to: 16) == [])
        #expect(exam.at(16.02).map(\.command) == [.holdTake(take), .play(SmallExam.clip("question-1"))])
        _ = exam.at(18, .promptEnded("question-1"))
        _ = exam.sound(.distant, from: 20, to: 21)
        #expect(exam.at(24) == [Timed(24, .closeTake(take, .noAnswer))])
        #expect(exam.endedBecause == nil)
    }

    @Test func thePausingLadderGoesOnUnderADistantSound() {
        var exam = Transcript(SmallExam.oneQuestion(SmallExam.talk))
        exam.ask()
        _ = exam.speech(from: 4, to: 20)
        _ = exam.sound(.distant, from: 22, to: 25)
        #expect(exam.at(27).map(\.command) == [.holdTake(take), .play(SmallExam.clip("go-on"))])
    }

    @Test func aDistantSoundIsNotAFirstWord() {
        var exam = Transcript(SmallExam.oneQuestion(SmallExam.talk))
        exam.ask()
        _ = exam.sound(.distant, from: 4, to: 6)
        #expect(exam.exam.answer?.clockBegan == nil)
        #expect(exam.exam.view(at: seconds(6)).answerLeft == .seconds(584), "the exam's own limit is left")
        _ = exam.at(9, .voiceBegan(seconds(9)))
        #expect(exam.exam.answer?.clockBegan == seconds(9))
        #expect(
            exam.at(129).map(\.command) == [
                .warn(.seconds(10)), .warn(.seconds(5)), .closeTake(take, .timeUp(.answer)),
                .play(SmallExam.clip("stop")),
            ])
    }

    /// Only a clock that started with the sound is taken back.
    @Test func aDistantSoundAfterTheFirstWordLeavesTheClock() {
        var exam = Transcript(SmallExam.oneQuestion(SmallExam.talk))
        exam.ask()
        _ = exam.speech(from: 4, to: 6)
        _ = exam.sound(.distant, from: 7, to: 8)
        #expect(exam.exam.answer?.clockBegan == seconds(4))
        #expect(exam.exam.answer?.speech == .seconds(2))
    }

    @Test func aSentenceMayEndUnderADistantSoundBeforeALimit() {
        var exam = Transcript(SmallExam.oneQuestion(SmallExam.talk))
        exam.ask()
        _ = exam.speech(from: 4, to: 122.5)  // The limit is at 124 s.
        _ = exam.sound(.distant, from: 122.6, to: 123)
        #expect(exam.at(123.02).map(\.command) == [.closeTake(take, .timeUp(.answer)), .play(SmallExam.clip("stop"))])
        #expect(exam.endedBecause == nil)
    }

    // MARK: - Warnings of a clock that was taken back

    /// A limit of eight seconds from the first word.
    private static var window: ExamScript.AnswerRule {
        var rule = SmallExam.question
        rule.clockStart = .firstWord
        rule.maximum = .seconds(8)
        rule.interruption = nil
        rule.whenSilent = []
        return rule
    }

    @Test func warningsComeAgainAfterADistantSound() {
        var exam = Transcript(SmallExam.oneQuestion(Self.window))
        exam.ask()
        #expect(exam.sound(.distant, from: 4, to: 8) == [Timed(7, .warn(.seconds(5)))])
        _ = exam.at(20, .voiceBegan(seconds(20)))
        #expect(exam.at(28) == [Timed(23, .warn(.seconds(5))), Timed(28, .closeTake(take, .timeUp(.answer)))])
    }

    @Test func warningsComeAgainAfterARepeat() {
        var exam = Transcript(SmallExam.oneQuestion(Self.window))
        exam.ask()
        #expect(exam.speech(from: 4, to: 8) == [Timed(7, .warn(.seconds(5)))])
        _ = exam.at(8, .asked(.repeat))
        _ = exam.at(10, .promptEnded("question-1"))
        _ = exam.at(12, .voiceBegan(seconds(12)))
        #expect(exam.at(20) == [Timed(15, .warn(.seconds(5))), Timed(20, .closeTake(take, .timeUp(.answer)))])
    }

    @Test func noWarningOfOneLimitComesTwice() {
        let turns = [SmallExam.turn("question-1", order: 1, Self.window), SmallExam.turn("goodbye", order: 0, nil)]
        var exam = Transcript(SmallExam.script(turns, hardCap: .seconds(40)))
        exam.ask()
        // The exam's last answer ends at 30 s.
        #expect(exam.at(21) == [Timed(20, .warn(.seconds(10)))])
        #expect(exam.sound(.distant, from: 22, to: 24) == [])
        #expect(exam.at(30) == [Timed(25, .warn(.seconds(5))), Timed(30, .closeTake(take, .timeUp(.exam)))])
    }

    // MARK: - Doubtful sounds

    @Test func yesEndsAfterOneSilence() {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        _ = exam.sound(.doubtful, from: 4, to: 4.3)
        #expect(exam.at(6.28) == [])
        #expect(exam.at(6.3) == [Timed(6.3, .closeTake(take, .finished(nil)))])
        #expect(exam.endedBecause == .init(.seconds(2)))
    }

    @Test func aNoiseThatComesBackPutsTheEndOffByOneSilence() {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        _ = exam.speech(from: 4, to: 10)
        for second in stride(from: 11.0, through: 13, by: 1) {
            #expect(exam.sound(.doubtful, from: second, to: second + 0.2) == [])
        }
        #expect(exam.at(13.98) == [])
        #expect(exam.at(14) == [Timed(14, .closeTake(take, .finished(nil)))])
        #expect(exam.endedBecause == .init(.seconds(2), isPutOff: true))
    }

    @Test func aDoubtfulSoundInProgressIsWaitedFor() {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        _ = exam.speech(from: 4, to: 10)
        _ = exam.sound(.doubtful, from: 11.5, to: 11.7)
        #expect(exam.sound(.doubtful, from: 13.5, to: 14.3) == [])
        #expect(exam.at(14.32) == [Timed(14.32, .closeTake(take, .finished(nil)))])
    }

    @Test func theMinimumHoldsAgainstDoubtfulSoundsToo() {
        var exam = Transcript(SmallExam.oneQuestion(SmallExam.talk))
        exam.ask()
        _ = exam.speech(from: 4, to: 20)
        for second in stride(from: 22.0, through: 62, by: 2) {
            #expect(exam.sound(.doubtful, from: second, to: second + 0.2) == [])
        }
        #expect(exam.at(63.98) == [])
        #expect(exam.at(64) == [Timed(64, .closeTake(take, .finished(nil)))])
        #expect(exam.endedBecause == .init(.seconds(3), isPutOff: true))
    }

    @Test func whyIsAskedIfDoubtfulSoundsAreNotWaitedFor() {
        var exam = Transcript(SmallExam.oneQuestion(Self.followedUp))
        exam.ask()
        _ = exam.speech(from: 4, to: 5)
        for second in [6.0, 7, 8] { _ = exam.sound(.doubtful, from: second, to: second + 0.2) }
        #expect(exam.at(9).map(\.command) == [.holdTake(take), .play(SmallExam.clip("why"))])
        #expect(exam.endedBecause == nil, "the answer goes on")
        _ = exam.at(10, .promptEnded("why"))
        _ = exam.sound(.doubtful, from: 11, to: 11.2)
        #expect(exam.at(13.2) == [Timed(13.2, .closeTake(take, .finished(nil)))])
        #expect(exam.endedBecause == .init(.seconds(2)), "nothing is put off after one sound")
    }

    @Test func aDistantSoundDoesNotAnswerWhy() {
        var exam = Transcript(SmallExam.oneQuestion(Self.followedUp))
        exam.ask()
        _ = exam.speech(from: 4, to: 5)
        _ = exam.at(8, .promptEnded("why"))
        _ = exam.sound(.distant, from: 9, to: 11)
        #expect(exam.at(13) == [Timed(13, .closeTake(take, .finished(nil)))])
        #expect(exam.endedBecause == nil, "the ladder ended it, not a silence after speech")
    }

    private static var followedUp: ExamScript.AnswerRule {
        var rule = SmallExam.question
        rule.followUp = SmallExam.clip("why")
        rule.followUpUnder = .seconds(3)
        return rule
    }

    // MARK: - The examiner or a pause in between

    /// It cannot be known whether the sound was a word, because no end is reported after listening stops.
    @Test func aSoundCutOffByARequestCountsAsSpeech() {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        _ = exam.at(4, .voiceBegan(seconds(4)))
        _ = exam.at(5, .asked(.repeat))
        let before = exam.exam
        #expect(exam.at(5.2, .voiceEnded(seconds(5.1), as: .distant)) == [])
        #expect(exam.exam == before, "a late end of speech changes nothing while the recording is held")
        _ = exam.at(7, .promptEnded("question-1"))
        #expect(exam.exam.answer?.speech == .seconds(1))
        #expect(exam.exam.answer?.voice == .silent(since: seconds(7)))
        #expect(exam.at(12).map(\.command) == [.holdTake(take), .play(SmallExam.clip("prompt"))])
    }

    @Test func aRequestEndsTheDoubt() {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        _ = exam.speech(from: 4, to: 5)
        _ = exam.sound(.doubtful, from: 6.5, to: 6.7)
        _ = exam.at(7, .asked(.repeat))
        _ = exam.at(9, .promptEnded("question-1"))
        _ = exam.sound(.doubtful, from: 10, to: 10.2)
        #expect(exam.at(12.18) == [])
        #expect(exam.at(12.2) == [Timed(12.2, .closeTake(take, .finished(nil)))])
    }

    @Test func aSoundCutOffByAPauseCountsAndSilenceIsMeasuredAnew() {
        var exam = Transcript(SmallExam.oneQuestion(mode: .practice))
        exam.ask()
        _ = exam.at(4, .voiceBegan(seconds(4)))
        _ = exam.at(5, .asked(.pause))
        #expect(exam.at(5.3, .voiceEnded(seconds(5.1), as: .distant)) == [])
        _ = exam.at(105, .asked(.continue))
        #expect(exam.at(106.98) == [])
        #expect(exam.at(107) == [Timed(107, .closeTake(take, .finished(nil)))])
        #expect(exam.endedBecause == .init(.seconds(2)))
    }

    @Test func aPauseEndsTheDoubt() {
        var exam = Transcript(SmallExam.oneQuestion(mode: .practice))
        exam.ask()
        _ = exam.speech(from: 4, to: 6)
        for second in [7.0, 8] { _ = exam.sound(.doubtful, from: second, to: second + 0.2) }
        _ = exam.at(9, .asked(.pause))
        _ = exam.at(109, .asked(.continue))
        #expect(exam.at(110.98) == [])
        #expect(exam.at(111) == [Timed(111, .closeTake(take, .finished(nil)))])
        #expect(exam.endedBecause?.isPutOff == false)
    }

    // MARK: - The reason for the end

    @Test func aLearnedSilenceIsTheCandidatesOwn() {
        var exam = Transcript(SmallExam.oneQuestion(AdaptiveEndpointingTests.rule))
        exam.ask()
        _ = exam.speech(from: 4, to: 6)
        _ = exam.speech(from: 7.5, to: 10)
        _ = exam.at(13)
        #expect(exam.endedBecause == .init(.seconds(3), isOwn: true))
    }

    /// A distant sound is part of a pause. A doubtful one starts a new pause.
    @Test(arguments: [(EndOfAnswer.Sound.distant, 3.0), (.doubtful, 2)])
    func aPauseIsWhatTheSilenceHadGrownTo(_ sound: EndOfAnswer.Sound, _ learned: Double) {
        var exam = Transcript(SmallExam.oneQuestion(AdaptiveEndpointingTests.rule))
        exam.ask()
        _ = exam.speech(from: 4, to: 6)
        _ = exam.sound(sound, from: 6.3, to: 6.5)
        _ = exam.speech(from: 7.5, to: 10)
        _ = exam.at(10 + learned)
        #expect(exam.endedBecause?.silence == seconds(learned).sinceBegin)
    }

    @Test(arguments: [Exam.Event.asked(.finish), .asked(.withdraw), .deviceLost(.microphoneGone)])
    func onlySilenceIsAReason(_ event: Exam.Event) {
        var exam = Self.twoQuestions()
        exam.ask()
        _ = exam.speech(from: 4, to: 6)
        _ = exam.at(11, .promptEnded("question-2"))
        _ = exam.speech(from: 12, to: 13)
        let closed = exam.at(14, event).map(\.command).contains {
            if case .closeTake = $0 { true } else { false }
        }
        #expect(closed)
        #expect(exam.endedBecause == nil)
    }

    @Test func aLimitThatComesFirstIsNotASilence() {
        var rule = SmallExam.question
        rule.maximum = .seconds(9)
        rule.interruption = nil
        var exam = Transcript(SmallExam.oneQuestion(rule))
        exam.ask()
        _ = exam.speech(from: 4, to: 10)
        _ = exam.sound(.doubtful, from: 11, to: 11.2)
        #expect(exam.at(12) == [Timed(12, .closeTake(take, .timeUp(.answer)))])
        #expect(exam.endedBecause == nil)
    }

    /// Returns an exam with two questions, both of which may be declared complete.
    private static func twoQuestions() -> Transcript {
        var rule = SmallExam.question
        rule.finishableAfter = .seconds(1)
        let turns = [SmallExam.turn("question-1", order: 1, rule), SmallExam.turn("question-2", order: 2, rule)]
        return Transcript(SmallExam.script(turns))
    }
}

extension Transcript {
    /// Lets a sound of this kind be heard at once.
    mutating func sound(_ sound: EndOfAnswer.Sound, from first: Double, to last: Double) -> [Timed] {
        at(first, .voiceBegan(seconds(first))) + at(last, .voiceEnded(seconds(last), as: sound))
    }
}

extension Exam {
    /// The answer in progress.
    var answer: Answer? {
        guard case .answering(_, let answer) = phase else { return nil }
        return answer
    }
}
