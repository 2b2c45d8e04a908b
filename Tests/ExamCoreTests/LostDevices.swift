import Testing

@testable import ExamCore

/// Tests of devices that are lost and come back. The question is asked again, with the candidate's clock set back to
/// when it was asked.
@Suite struct LostDevices {
    private let question = SmallExam.clip("question-1")
    private let second = Exam.Take(turn: 0, attempt: 2)

    // MARK: - In every phase

    @Test func theGapContinuesAfterALostDevice() {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        _ = exam.speech(from: 4, to: 10)
        _ = exam.at(12)
        let gap = exam.exam.phase
        #expect(exam.at(12.2, .deviceLost(.microphoneGone)) == [])
        #expect(exam.at(100) == [])
        #expect(exam.at(100, .deviceBack) == [])
        #expect(exam.exam.phase == gap)
        #expect(exam.clock == seconds(12.2))
        #expect(exam.at(100.3) == [Timed(100.3, .play(SmallExam.clip("goodbye")))])
    }

    @Test func aPromptIsRepeatedFromItsBeginning() {
        var exam = Transcript(SmallExam.oneQuestion())
        _ = exam.at(0, .begin)
        let prompt = exam.exam.phase
        #expect(exam.at(1, .deviceLost(.loudspeakerGone)) == [Timed(1, .stopPlaying)])
        #expect(exam.at(60, .deviceBack) == [Timed(60, .play(question))])
        #expect(exam.exam.phase == prompt)
        #expect(exam.clock == .zero)
        #expect(exam.at(63, .promptEnded("question-1")) == [Timed(63, .openTake(take))], "the recording begins now")
    }

    @Test func onlyTheLastPieceOfAPromptIsRepeated() {
        var script = SmallExam.oneQuestion()
        script.turns[0].prompt.insert(SmallExam.clip("lead"), at: 0)
        var exam = Transcript(script)
        _ = exam.at(0, .begin)
        _ = exam.at(2, .promptEnded("lead"))
        _ = exam.at(3, .deviceLost(.loudspeakerMuted))
        #expect(exam.at(60, .deviceBack) == [Timed(60, .play(question))])
        #expect(exam.clock == seconds(2.5))
        _ = exam.at(62, .promptEnded("question-1"))
        #expect(exam.at(64, .deviceLost(.microphoneGone)) == [Timed(64, .closeTake(take, .deviceLost))])
        _ = exam.at(100, .deviceBack)
        #expect(exam.clock == seconds(2.5))
        #expect(exam.at(100.02) == [Timed(100.02, .play(question))])
    }

    @Test func preparationKeepsTheTimeThatWasLeft() {
        var exam = Transcript(SmallExam.card())
        _ = exam.at(0, .begin)
        _ = exam.at(5, .promptEnded("card"))
        let preparing = exam.exam.phase
        #expect(exam.at(25, .deviceLost(.microphoneGone)) == [])
        #expect(exam.exam.view(at: seconds(90)).preparationLeft == .seconds(40))
        #expect(!exam.exam.view(at: seconds(90)).notesAllowed)
        #expect(exam.at(100, .deviceBack) == [])
        #expect(exam.exam.phase == preparing)
        #expect(exam.exam.view(at: seconds(100)).preparationLeft == .seconds(40))
        #expect(exam.exam.view(at: seconds(100)).notesAllowed)
        #expect(
            exam.at(140) == [
                Timed(130, .warn(.seconds(10))), Timed(135, .warn(.seconds(5))),
                Timed(140, .play(SmallExam.clip("start"))),
            ]
        )
    }

    @Test func theStartPromptIsRepeated() {
        var exam = Transcript(SmallExam.card())
        _ = exam.at(0, .begin)
        _ = exam.at(5, .promptEnded("card"))
        _ = exam.at(65)
        #expect(exam.at(66, .deviceLost(.serverGone)) == [Timed(66, .stopPlaying)])
        #expect(exam.at(90, .deviceBack) == [Timed(90, .play(SmallExam.clip("start")))])
        #expect(exam.clock == seconds(65))
        #expect(exam.at(92, .promptEnded("start")) == [Timed(92, .openTake(take))])
    }

    @Test func anAnswerIsAskedForAgain() {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        _ = exam.at(4, .voiceBegan(seconds(4)))
        #expect(exam.at(40, .deviceLost(.microphoneStalled)) == [Timed(40, .closeTake(take, .deviceLost))])
        #expect(exam.at(60, .deviceBack) == [])
        #expect(exam.exam.phase == .gap(.init(turn: 0, clip: 0), until: .zero))
        #expect(exam.clock == .zero, "the clock stands at the moment at which the question was asked")
        #expect(exam.at(60.02) == [Timed(60.02, .play(question))])
        #expect(exam.at(63, .promptEnded("question-1")) == [Timed(63, .openTake(second))])
    }

    @Test func aTalkIsRestartedWithItsStartPromptAndFullTime() {
        var exam = Transcript(SmallExam.card())
        _ = exam.at(0, .begin)
        _ = exam.at(5, .promptEnded("card"))
        _ = exam.at(67, .promptEnded("start"))
        _ = exam.at(70, .voiceBegan(seconds(70)))
        #expect(exam.at(150, .deviceLost(.microphoneGone)) == [Timed(150, .closeTake(take, .deviceLost))])
        #expect(exam.at(200, .deviceBack) == [])
        #expect(exam.clock == seconds(65))
        #expect(exam.exam.view(at: seconds(200)).preparationLeft == nil, "the preparation is not repeated")
        #expect(exam.at(200.02) == [Timed(200.02, .play(SmallExam.clip("start")))])
        #expect(exam.at(202, .promptEnded("start")) == [Timed(202, .openTake(second))])
        _ = exam.at(205, .voiceBegan(seconds(205)))
        #expect(exam.at(324.98).map(\.command) == [.warn(.seconds(10)), .warn(.seconds(5))])
        #expect(exam.at(325).map(\.command) == [.closeTake(second, .timeUp(.answer)), .play(SmallExam.clip("stop"))])
    }

    @Test func aTalkWithoutAStartPromptIsRestartedWithoutOne() {
        var script = SmallExam.card()
        script.turns[0].preparation!.start = nil
        var exam = Transcript(script)
        _ = exam.at(0, .begin)
        _ = exam.at(5, .promptEnded("card"))
        #expect(exam.at(65).last == Timed(65, .openTake(take)))
        _ = exam.at(80, .deviceLost(.microphoneGone))
        #expect(exam.at(200, .deviceBack) == [])
        #expect(exam.clock == seconds(65))
        #expect(exam.at(200.02) == [Timed(200.02, .openTake(second))])
    }

    /// The nudge belonged to an answer that no longer counts, so the question is asked and not the nudge.
    @Test func aLossDuringANudgeRepeatsTheQuestion() {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        #expect(exam.at(8).last?.command == .play(SmallExam.clip("prompt")))
        #expect(
            exam.at(8.5, .deviceLost(.loudspeakerSuspended)).map(\.command) == [
                .stopPlaying, .closeTake(take, .deviceLost),
            ]
        )
        #expect(exam.at(60, .deviceBack) == [])
        #expect(exam.clock == .zero)
        #expect(exam.at(60.02) == [Timed(60.02, .play(question))])
        #expect(exam.at(63, .promptEnded("question-1")) == [Timed(63, .openTake(second))])
        #expect(exam.at(68).last?.command == .play(SmallExam.clip("prompt")), "the first nudge comes again")
    }

    @Test func aLossDuringARepeatedQuestionRepeatsIt() {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        _ = exam.at(5, .asked(.repeat))
        #expect(
            exam.at(6, .deviceLost(.noLoudspeaker)).map(\.command) == [.stopPlaying, .closeTake(take, .deviceLost)])
        _ = exam.at(60, .deviceBack)
        #expect(exam.clock == .zero)
        #expect(exam.at(60.02) == [Timed(60.02, .play(question))])
    }

    @Test func anInterruptionIsRepeatedAndItsAnswerStillCounts() {
        var exam = Transcript(SmallExam.oneQuestion(Self.tenSeconds))
        exam.ask()
        _ = exam.at(4, .voiceBegan(seconds(4)))
        #expect(exam.at(13).suffix(2).map(\.command) == [.closeTake(take, .timeUp(.answer)), .play(Self.thanks)])
        let interruption = exam.exam.phase
        #expect(exam.at(14, .deviceLost(.loudspeakerStalled)) == [Timed(14, .stopPlaying)])
        #expect(exam.at(60, .deviceBack) == [Timed(60, .play(Self.thanks))])
        #expect(exam.exam.phase == interruption)
        #expect(exam.clock == seconds(13))
        _ = exam.at(61, .promptEnded("thanks"))
        #expect(exam.at(61.5) == [Timed(61.5, .play(SmallExam.clip("goodbye")))])
        #expect(exam.exam.attempt == 1)
    }

    @Test func aLossDuringAPauseEndsTheHeldTakeAndRepeatsTheQuestion() {
        var exam = Transcript(SmallExam.oneQuestion(mode: .practice))
        exam.ask()
        _ = exam.at(4, .voiceBegan(seconds(4)))
        #expect(exam.at(10, .asked(.pause)) == [Timed(10, .holdTake(take))])
        #expect(exam.at(20, .deviceLost(.microphoneGone)) == [Timed(20, .closeTake(take, .deviceLost))])
        #expect(exam.at(30, .asked(.continue)) == [], "the microphone is still gone")
        #expect(exam.at(60, .deviceBack) == [], "the exam is still paused by the candidate")
        #expect(exam.at(70, .asked(.continue)) == [])
        #expect(exam.clock == .zero)
        #expect(exam.at(70.02) == [Timed(70.02, .play(question))])
    }

    @Test func aLossDuringAPausedPromptStopsNothingTwice() {
        var exam = Transcript(SmallExam.oneQuestion(mode: .practice))
        _ = exam.at(0, .begin)
        #expect(exam.at(2, .asked(.pause)) == [Timed(2, .stopPlaying)])
        #expect(exam.at(20, .deviceLost(.loudspeakerGone)) == [])
        #expect(exam.at(60, .deviceBack) == [])
        #expect(exam.at(70, .asked(.continue)) == [Timed(70, .play(question))])
        #expect(exam.clock == .zero)
    }

    @Test func aLossDuringAPausedNudgeRepeatsTheQuestion() {
        var exam = Transcript(SmallExam.oneQuestion(mode: .practice))
        exam.ask()
        _ = exam.at(8)
        #expect(exam.at(9, .asked(.pause)) == [Timed(9, .stopPlaying)])
        #expect(exam.at(20, .deviceLost(.noMicrophone)) == [Timed(20, .closeTake(take, .deviceLost))])
        #expect(exam.at(60, .deviceBack) == [])
        #expect(exam.at(70, .asked(.continue)) == [])
        #expect(exam.clock == .zero)
        #expect(exam.at(70.02) == [Timed(70.02, .play(question))])
    }

    @Test func aLossDuringAPausedPreparationKeepsTheTimeLeft() {
        var exam = Transcript(SmallExam.card(mode: .practice))
        _ = exam.at(0, .begin)
        _ = exam.at(5, .promptEnded("card"))
        _ = exam.at(25, .asked(.pause))
        #expect(exam.at(50, .deviceLost(.microphoneGone)) == [])
        #expect(exam.at(100, .deviceBack) == [])
        #expect(exam.at(100, .asked(.continue)) == [])
        #expect(exam.exam.view(at: seconds(100)).preparationLeft == .seconds(40))
    }

    @Test func aLossBeforeTheBeginningOrAfterTheEndChangesNothing() {
        var exam = Transcript(SmallExam.oneQuestion())
        nothingChanges(at: 1, &exam)
        exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        _ = exam.at(5, .asked(.withdraw))
        nothingChanges(at: 6, &exam)
        _ = exam.at(7, .takesStored)
        nothingChanges(at: 8, &exam)
    }

    private func nothingChanges(at second: Double, _ exam: inout Transcript) {
        let before = exam.exam
        #expect(exam.at(second, .deviceLost(.serverGone)) == [])
        #expect(exam.at(second, .deviceBack) == [])
        #expect(exam.exam == before)
    }

    // MARK: - More than once

    @Test func moreLossesDuringASuspensionChangeNothing() {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        _ = exam.at(5, .deviceLost(.microphoneGone))
        let before = exam.exam
        for trouble in Exam.Trouble.allCases { #expect(exam.at(10, .deviceLost(trouble)) == []) }
        #expect(exam.at(10, .asked(.pause)) == [])
        #expect(exam.exam == before)
    }

    @Test func aDeviceThatComesBackForAMomentCostsNoAttempt() {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        _ = exam.at(5, .deviceLost(.microphoneGone))
        _ = exam.at(10, .deviceBack)
        #expect(exam.at(10, .deviceLost(.microphoneGone)) == [])
        #expect(exam.at(60, .deviceBack) == [])
        #expect(exam.clock == .zero)
        #expect(exam.at(60.02) == [Timed(60.02, .play(question))])
        #expect(exam.at(63, .promptEnded("question-1")) == [Timed(63, .openTake(second))])
    }

    @Test func everyLossIsAnAttemptAndTheNextQuestionBeginsAtOne() {
        var exam = Transcript(Self.twoQuestions)
        exam.ask()
        for attempt in 1...4 {
            let began = Double(attempt * 100)
            let lost = Exam.Take(turn: 0, attempt: attempt)
            #expect(exam.at(began - 50, .deviceLost(.microphoneGone)).last?.command == .closeTake(lost, .deviceLost))
            _ = exam.at(began, .deviceBack)
            _ = exam.at(began + 3, .promptEnded("question-1"))
        }
        _ = exam.speech(from: 404, to: 406)
        #expect(exam.at(408).map(\.command) == [.closeTake(Exam.Take(turn: 0, attempt: 5), .finished(nil))])
        #expect(
            exam.at(411, .promptEnded("question-2")).last?.command == .openTake(Exam.Take(turn: 1, attempt: 1)))
    }

    // MARK: - Time

    /// The candidate loses no time of the part, except for one block of 20 ms before the question is repeated.
    @Test(arguments: [0.02, 1, 60, 10_000])
    func aLossOfAnyLengthKeepsThePartsTime(_ length: Double) {
        var exam = Transcript(Self.twoQuestions)
        exam.ask()
        _ = exam.at(4, .voiceBegan(seconds(4)))
        _ = exam.at(20, .deviceLost(.microphoneGone))
        _ = exam.at(20 + length, .deviceBack)
        let asked = 20 + length + 0.02
        #expect(exam.at(asked).map(\.command) == [.play(question)])
        _ = exam.at(asked + 3, .promptEnded("question-1"))
        #expect(exam.exam.view(at: seconds(asked + 3)).answerLeft == .milliseconds(26_980), "27 s before the loss")
        _ = exam.at(asked + 4, .voiceBegan(seconds(asked + 4)))
        #expect(exam.at(asked + 29.94).map(\.command) == [.warn(.seconds(10)), .warn(.seconds(5))])
        #expect(
            exam.at(asked + 29.98).map(\.command) == [
                .closeTake(Exam.Take(turn: 0, attempt: 2), .timeUp(.part)), .play(Self.thanks),
            ]
        )
    }

    @Test func aLossInThePartsSecondQuestionKeepsThePartsTime() {
        var exam = Transcript(Self.twoQuestions)
        exam.ask()
        _ = exam.speech(from: 4, to: 6)
        #expect(exam.at(8.5).last?.command == .play(SmallExam.clip("question-2")))
        _ = exam.at(10.5, .promptEnded("question-2"))
        _ = exam.at(25, .deviceLost(.microphoneGone))
        _ = exam.at(1_000, .deviceBack)
        #expect(exam.clock == seconds(8.5))
        _ = exam.at(1_002.02, .promptEnded("question-2"))
        #expect(exam.exam.view(at: seconds(1_002.02)).answerLeft == .milliseconds(19_480), "19.5 s before the loss")
    }

    @Test func aPartThatBeganWithTheLostQuestionBeginsAgain() {
        var script = Self.twoQuestions
        script.parts.append(.init(number: 2, title: "Part", hardEnd: .seconds(40)))
        script.turns[1].part = 1
        var exam = Transcript(script)
        exam.ask()
        _ = exam.speech(from: 4, to: 6)
        #expect(
            exam.at(9) == [Timed(8, .closeTake(take, .finished(nil))), Timed(9, .play(SmallExam.clip("question-2")))])
        _ = exam.at(12, .promptEnded("question-2"))
        _ = exam.at(30, .deviceLost(.microphoneGone))
        _ = exam.at(100, .deviceBack)
        _ = exam.at(103.02, .promptEnded("question-2"))
        #expect(exam.exam.view(at: seconds(103.02)).answerLeft == .seconds(37))
    }

    @Test func aLossDoesNotUseUpTheExamsLongestTime() {
        var rule = SmallExam.question
        rule.interruption = nil
        var exam = Transcript(SmallExam.script([SmallExam.turn("question-1", order: 1, rule)], hardCap: .seconds(60)))
        exam.ask()
        _ = exam.at(4, .voiceBegan(seconds(4)))
        _ = exam.at(40, .deviceLost(.noServer))
        #expect(exam.at(5_000) == [])
        #expect(exam.at(5_000, .deviceBack) == [])
        _ = exam.at(5_003.02, .promptEnded("question-1"))
        _ = exam.at(5_004, .voiceBegan(seconds(5_004)))
        _ = exam.at(5_049.98)
        #expect(exam.at(5_050) == [Timed(5_050, .closeTake(second, .timeUp(.exam)))])
    }

    @Test func finishedQuestionsAreNotAskedAgain() {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        _ = exam.at(5, .deviceLost(.roomClosed))
        #expect(exam.at(6, .asked(.withdraw)) == [], "the take is closed")
        #expect(exam.exam.phase == .processing(.withdrawn))
        #expect(exam.at(7, .deviceBack) == [])
    }

    // MARK: - The view

    @Test(arguments: Exam.Trouble.allCases)
    func theTroubleIsNamedUntilItIsOver(_ trouble: Exam.Trouble) {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        #expect(exam.exam.view(at: seconds(3)).trouble == nil)
        _ = exam.at(5, .deviceLost(trouble))
        #expect(exam.exam.view(at: seconds(5)).trouble == trouble)
        #expect(exam.exam.view(at: seconds(50)).activity == .suspended)
        _ = exam.at(60, .deviceBack)
        #expect(exam.exam.view(at: seconds(60)).trouble == nil)
    }

    @Test func aPauseHasNoTroubleUntilADeviceIsLost() {
        var exam = Transcript(SmallExam.oneQuestion(mode: .practice))
        exam.ask()
        _ = exam.at(5, .asked(.pause))
        #expect(exam.exam.view(at: seconds(6)).trouble == nil)
        _ = exam.at(7, .deviceLost(.microphoneMuted))
        #expect(exam.exam.view(at: seconds(7)).trouble == .microphoneMuted)
    }

    private static let thanks = SmallExam.clip("thanks")

    /// A question that is interrupted after 10 s.
    private static var tenSeconds: ExamScript.AnswerRule {
        var rule = SmallExam.question
        rule.maximum = .seconds(10)
        return rule
    }

    /// Two questions of a part that ends at 30 s.
    private static var twoQuestions: ExamScript {
        SmallExam.script(
            [
                SmallExam.turn("question-1", order: 1, SmallExam.question),
                SmallExam.turn("question-2", order: 2, SmallExam.question),
            ],
            parts: [.init(number: 1, title: "Part", hardEnd: .seconds(30))]
        )
    }
}
