import Testing

@testable import ExamCore

/// Tests of the wishes that the exam allows. Screens and clients show them without knowing formats and modes.
@Suite struct AllowedWishes {
    @Test func aTestAllowsWhatItsFormatDoes() {
        var exam = Transcript(SmallExam.oneQuestion())
        #expect(exam.allowed(at: 0) == [])
        _ = exam.at(0, .begin)
        #expect(exam.allowed(at: 1) == [.withdraw], "the examiner speaks")
        _ = exam.at(3, .promptEnded("question-1"))
        #expect(exam.allowed(at: 4) == [.repeat, .withdraw])
        _ = exam.at(5, .asked(.repeat))
        #expect(exam.allowed(at: 5) == [.withdraw])
        _ = exam.at(6, .asked(.withdraw))
        #expect(exam.allowed(at: 6) == [])
    }

    @Test func usedUpRequestsAreNotAllowed() {
        var rule = SmallExam.question
        rule.refusal = nil
        var exam = Transcript(SmallExam.oneQuestion(rule))
        _ = exam.at(0, .begin)
        _ = exam.at(3, .promptEnded("question-1"))
        _ = exam.at(4, .asked(.repeat))
        _ = exam.at(6, .promptEnded("question-1"))
        #expect(exam.allowed(at: 6) == [.withdraw], "its repeats are used up, and this format has no line that says so")
    }

    @Test func practiceCanBePausedAndContinued() {
        var exam = Transcript(SmallExam.oneQuestion(mode: .practice))
        _ = exam.at(0, .begin)
        #expect(exam.allowed(at: 1) == [.pause, .withdraw])
        _ = exam.at(1, .asked(.pause))
        #expect(exam.allowed(at: 2) == [.continue, .withdraw])
        _ = exam.at(3, .deviceLost(.microphoneGone))
        #expect(exam.allowed(at: 4) == [.withdraw], "no wish brings a microphone back")
        _ = exam.at(5, .deviceBack)
        #expect(exam.allowed(at: 5) == [.continue, .withdraw])
    }

    @Test func requestsThatTimeAllowsAreOfferedOnce() {
        var exam = Transcript(SmallExam.card(mode: .practice))
        _ = exam.at(0, .begin)
        _ = exam.at(5, .promptEnded("card"))
        #expect(exam.allowed(at: 14.98) == [.pause, .withdraw])
        #expect(exam.at(15).map(\.command) == [.offer(.skip)])
        #expect(exam.allowed(at: 15) == [.skip, .pause, .withdraw])
        #expect(exam.at(40) == [])

        var rule = SmallExam.question
        rule.finishableAfter = .seconds(2)
        var answer = Transcript(SmallExam.oneQuestion(rule))
        _ = answer.at(0, .begin)
        _ = answer.at(3, .promptEnded("question-1"))
        #expect(answer.at(4.98) == [])
        #expect(answer.at(5).map(\.command) == [.offer(.finish)])
        #expect(answer.allowed(at: 5) == [.repeat, .finish, .withdraw])
        #expect(answer.at(7) == [])
    }

    @Test func requestsAllowedFromTheBeginningAreNotOffered() {
        var rule = SmallExam.question
        rule.finishableAfter = .zero
        var exam = Transcript(SmallExam.oneQuestion(rule))
        _ = exam.at(0, .begin)
        _ = exam.at(3, .promptEnded("question-1"))
        #expect(exam.allowed(at: 3).contains(.finish))
        #expect(exam.at(7) == [])
    }
}

extension Transcript {
    /// Returns the wishes in the exam's view.
    fileprivate func allowed(at second: Double) -> Set<Wish> { exam.view(at: seconds(second)).allowed }
}
