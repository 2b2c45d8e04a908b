import Testing

@testable import ExamCore

/// Tests of a candidate who speaks again when the answer seemed to be over, or when the examiner has begun to speak.
@Suite struct BargeInTests {
    private let first = Exam.Take(turn: 0, attempt: 1)

    /// Returns an exam with two questions. The first was answered from 4 to 7 s and is taken to be over 2.3 s later.
    private func answered() -> Transcript {
        let rule = AdaptiveEndpointingTests.patientRule
        var exam = Transcript(
            SmallExam.script([
                SmallExam.turn("question-1", order: 1, rule), SmallExam.turn("question-2", order: 2, rule),
            ]))
        exam.ask()
        _ = exam.speech(from: 4, to: 7)
        #expect(exam.at(9.3) == [Timed(9.3, .runOn(first))])
        return exam
    }

    @Test func speechBeforeTheNextQuestionContinuesTheTake() {
        var exam = answered()
        #expect(exam.at(9.6, .voiceBegan(seconds(9.4))) == [])
        #expect(exam.at(11.2, .voiceEnded(seconds(11))) == [])
        // This candidate's own pause lasted 2.4 s, so the exam waits for 3.5 s.
        #expect(exam.at(14.5) == [Timed(14.5, .runOn(first))])
        #expect(exam.at(15) == [Timed(15, .play(SmallExam.clip("question-2")))])
        #expect(exam.at(16.5) == [Timed(16.5, .closeTake(first, .finished(nil)))])
    }

    @Test func theExaminerStopsIfTheCandidateContinues() {
        var exam = answered()
        #expect(exam.at(9.8) == [Timed(9.8, .play(SmallExam.clip("question-2")))])
        #expect(exam.at(10.6, .voiceBegan(seconds(10.3))).map(\.command) == [.stopPlaying])
        #expect(exam.exam.view(at: seconds(10.6)).recording == first)
        _ = exam.at(13, .voiceEnded(seconds(12.8)))
        #expect(exam.at(16.3).map(\.command) == [.runOn(first)])
        // The question is asked again from its beginning, and its answer is a first attempt.
        #expect(exam.at(16.8).map(\.command) == [.play(SmallExam.clip("question-2"))])
        #expect(exam.at(18.3).map(\.command) == [.closeTake(first, .finished(nil))])
        #expect(exam.at(20, .promptEnded("question-2")).map(\.command) == [.openTake(.init(turn: 1, attempt: 1))])
    }

    @Test func afterASecondAndAHalfOfTheQuestionTheAnswerIsOver() {
        var exam = answered()
        #expect(exam.at(11.28).map(\.command) == [.play(SmallExam.clip("question-2"))])
        #expect(exam.at(11.3) == [Timed(11.3, .closeTake(first, .finished(nil)))])
        #expect(exam.at(11.4, .voiceBegan(seconds(11.2))) == [])
        #expect(exam.at(12, .promptEnded("question-2")).map(\.command) == [.openTake(.init(turn: 1, attempt: 1))])
    }

    /// A short question opens the take of its answer, so the previous take must be closed.
    @Test func twoTakesAreNeverOpen() {
        var exam = answered()
        _ = exam.at(9.8)
        let commands = exam.at(10.4, .promptEnded("question-2")).map(\.command)
        #expect(commands == [.closeTake(first, .finished(nil)), .openTake(.init(turn: 1, attempt: 1))])
    }

    /// If each sound interrupted again, a television would delay the exam forever.
    @Test func aSoundThatIsNotSpeechInterruptsOnce() {
        var exam = answered()
        #expect(exam.at(9.6, .voiceBegan(seconds(9.4))) == [])
        #expect(exam.at(10, .voiceEnded(seconds(9.9), as: .distant)) == [])
        #expect(exam.at(10.02) == [Timed(10.02, .closeTake(first, .finished(nil)))])
        #expect(exam.at(10.3, .voiceBegan(seconds(10.1))) == [])
        #expect(exam.at(10.52).map(\.command) == [.play(SmallExam.clip("question-2"))])
    }

    @Test func theNextQuestionWaitsWhileAVoiceMayHaveBegun() {
        var exam = answered()
        #expect(exam.at(9.78) == [])
        #expect(exam.exam.handle(.timePassedUnsure(since: seconds(9.7)), at: seconds(9.8)) == [])
        #expect(exam.exam.handle(.timePassed, at: seconds(9.82)) == [.play(SmallExam.clip("question-2"))])
    }

    @Test func leavingThenKeepsTheWholeAnswer() {
        var exam = answered()
        #expect(exam.at(9.5, .asked(.withdraw)).map(\.command) == [.closeTake(first, .finished(nil))])
        var other = answered()
        #expect(other.at(9.5, .deviceLost(.microphoneGone)).map(\.command) == [.closeTake(first, .finished(nil))])
    }

    /// A remote candidate sees late that the turn is over. Both times must have passed.
    @Test func aDistantCandidateMayContinueToo() {
        var exam = answered()
        _ = exam.at(9.4, .screen(.far))
        #expect(exam.at(9.5, .noticed) == [])
        #expect(exam.at(9.7, .voiceBegan(seconds(9.6))) == [])
        #expect(exam.exam.view(at: seconds(9.7)).recording == first)
        var other = answered()
        _ = other.at(9.4, .screen(.far))
        _ = other.at(9.5, .noticed)
        #expect(
            other.at(11.3).map(\.command) == [.play(SmallExam.clip("question-2")), .closeTake(first, .finished(nil))])
    }

    /// The examiner has just begun to ask for more in the talk's pause. The candidate did not hear it, so it is said in
    /// the next pause.
    @Test func theExaminerStopsAskingForMore() {
        var rule = SmallExam.talk
        rule.patience = .init(floor: .seconds(3), ceiling: .seconds(5))
        var exam = Transcript(SmallExam.oneQuestion(rule))
        exam.ask()
        _ = exam.speech(from: 4, to: 80)
        #expect(exam.at(83.3).map(\.command) == [.holdTake(first), .play(SmallExam.clip("go-on"))])
        #expect(exam.at(84, .voiceBegan(seconds(83.8))).map(\.command) == [.stopPlaying, .resumeTake(first)])
        #expect(exam.at(90.2, .voiceEnded(seconds(90))) == [])
        #expect(exam.at(93.3).map(\.command) == [.holdTake(first), .play(SmallExam.clip("go-on"))])
        #expect(exam.at(95.3, .promptEnded("go-on")).map(\.command) == [.resumeTake(first)])
        #expect(exam.speech(from: 96, to: 100) == [])
        #expect(exam.at(103.3).map(\.command) == [.runOn(first)])
    }
}
