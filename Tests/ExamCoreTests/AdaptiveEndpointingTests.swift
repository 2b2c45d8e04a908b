import Testing

@testable import ExamCore

/// Tests of the silence that ends an answer, which adapts to the candidate's own pauses.
@Suite struct AdaptiveEndpointingTests {
    /// A silence of 2 s that may become 1.4 to 3.5 s.
    static var rule: ExamScript.AnswerRule {
        var rule = SmallExam.question
        rule.patience = .init(floor: .milliseconds(1_400), ceiling: .milliseconds(3_500))
        return rule
    }

    /// A silence of 2 s that may become up to 3.5 s and never less.
    static var patientRule: ExamScript.AnswerRule {
        var rule = rule
        rule.patience = .init(floor: .seconds(2), ceiling: .milliseconds(3_500))
        return rule
    }

    @Test(arguments: [
        Pauses([], 2, "the format's own at first"),
        Pauses([0.9], 2, "a short pause does not shorten it yet"),
        Pauses([1.2], 2.4, "one long pause lengthens it at once"),
        Pauses([1.75], 3.5, "as far as the ceiling"),
        Pauses([6], 3.5, "and no farther"),
        Pauses([6, 0.5], 2, "one outlier does not decide"),
        Pauses([0.5, 6], 2, "whenever it comes"),
        Pauses([1.2, 6], 2.4, "the second longest decides"),
        Pauses([6, 6], 3.5, "two equal pauses are not outliers"),
        Pauses(7 * [0.5], 2, "seven pauses are too few to shorten it"),
        Pauses(8 * [0.8], 1.6, "eight are enough"),
        Pauses(8 * [0.7], 1.4, "as far as the floor"),
        Pauses(8 * [0.25], 1.4, "and no farther"),
        Pauses(7 * [0.8] + [6], 1.6, "not even then does one outlier decide"),
        Pauses(20 * [0.249], 2, "shorter pauses lie within a phrase"),
        Pauses(7 * [0.8] + 9 * [0.1], 2, "and does not make up the number"),
        Pauses([3, 3] + 14 * [0.8], 3.5, "sixteen pauses are remembered"),
        Pauses([3, 3] + 15 * [0.8], 1.6, "and older ones forgotten"),
    ])
    func aSilenceFollowsFromPauses(_ row: Pauses) {
        #expect(
            row.endpointing.silence(for: Self.rule, speech: .seconds(10))?.length == seconds(row.silence).sinceBegin)
    }

    /// Openers are "Well", "Erm", or a laugh.
    @Test(arguments: [Pauses([]), Pauses([1.5, 1.5]), Pauses(8 * [0.8])])
    func anOpenerIsWaitedForAsLongAsTheFormatAllows(_ pauses: Pauses) {
        let opener = pauses.endpointing.silence(for: Self.patientRule, speech: .milliseconds(999))
        #expect(opener?.length == .milliseconds(3_500) && opener?.isOwn == false)
        let more = pauses.endpointing.silence(for: Self.patientRule, speech: .seconds(1))
        #expect(more.map { $0.length < .milliseconds(3_500) } == true)
    }

    /// A format with a shorter floor wants an answer to end as soon as possible.
    @Test func withAShorterFloorAnOpenerIsAnAnswer() {
        let quick = Pauses(8 * [0.8]).endpointing
        #expect(quick.silence(for: Self.rule, speech: .milliseconds(500))?.length == .milliseconds(1_600))
        let slow = Pauses([1.5, 1.5]).endpointing
        #expect(slow.silence(for: Self.rule, speech: .milliseconds(500))?.length == .seconds(2))
    }

    /// A fluent candidate may stop once to think. Nothing learned makes the silence shorter than the format's.
    @Test(arguments: [1, 8, 16, 100])
    func withoutAFloorPausesOnlyLengthenTheSilence(_ count: Int) {
        for pause in stride(from: 0.25, through: 1, by: 0.05) {
            let silence = Pauses(count * [pause]).endpointing.silence(for: Self.patientRule, speech: .seconds(10))
            // 0.3 s are added for the detector.
            #expect(silence?.length == .milliseconds(2_300), "\(count) pauses of \(pause) s")
        }
    }

    @Test(arguments: [Pauses([]), Pauses([6, 6]), Pauses(9 * [0.3])])
    func withoutPatienceTheFormatsSilenceStays(_ pauses: Pauses) {
        #expect(pauses.endpointing.silence(for: SmallExam.question, speech: .seconds(10))?.length == .seconds(2))
    }

    @Test(arguments: [Pauses([]), Pauses([6, 6]), Pauses(9 * [0.3])])
    func patienceEndsNoAnswerIfSilenceDoesNot(_ pauses: Pauses) {
        var rule = Self.rule
        rule.silence = nil
        #expect(pauses.endpointing.silence(for: rule, speech: .seconds(10)) == nil)
    }

    // MARK: - In an exam

    @Test func anAnswerWithoutPausesEndsAfterTheFormatsSilence() {
        var exam = Transcript(SmallExam.oneQuestion(Self.rule))
        exam.ask()
        _ = exam.speech(from: 4, to: 10)
        #expect(exam.at(12) == [Timed(12, .closeTake(take, .finished(nil)))])
    }

    @Test func aLongPauseLengthensTheSilenceOfItsOwnAnswer() {
        var exam = Transcript(SmallExam.oneQuestion(Self.rule))
        exam.ask()
        _ = exam.speech(from: 4, to: 6)
        #expect(exam.speech(from: 7.5, to: 10) == [])
        #expect(exam.at(12.98) == [])
        #expect(exam.at(13) == [Timed(13, .closeTake(take, .finished(nil)))])
    }

    @Test func withoutPatienceALongPauseLengthensNothing() {
        var exam = Transcript(SmallExam.oneQuestion())
        exam.ask()
        _ = exam.speech(from: 4, to: 6)
        _ = exam.speech(from: 7.5, to: 10)
        #expect(exam.at(12) == [Timed(12, .closeTake(take, .finished(nil)))])
    }

    @Test func pausesOfOneAnswerAreRememberedInTheNext() {
        var exam = Self.secondQuestion(afterPausesOf: 1.5, 1.5)
        _ = exam.speech(from: 104, to: 106)
        #expect(exam.at(109) == [Timed(109, .closeTake(Self.second, .finished(nil)))])
    }

    @Test func anOpenerInTheNextAnswerIsNotItsEnd() {
        var exam = Self.secondQuestion(Self.patientRule, afterPausesOf: 0.5, 0.5)
        _ = exam.speech(from: 104, to: 104.9)
        #expect(exam.at(108.38) == [])
        #expect(exam.at(108.4) == [Timed(108.4, .closeTake(Self.second, .finished(nil)))])
    }

    // MARK: - The talk

    /// A silence of 3 s that may become 5 s, for a talk of one to two minutes.
    private static var patientTalk: ExamScript.AnswerRule {
        var rule = SmallExam.talk
        rule.patience = .init(floor: .seconds(3), ceiling: .seconds(5))
        return rule
    }

    /// Both prompts fail. When the minute is over, so is the talk.
    @Test func aTalkEndsAfterUnansweredPrompts() {
        var exam = Transcript(SmallExam.oneQuestion(Self.patientTalk))
        exam.ask()
        _ = exam.speech(from: 4, to: 20)
        #expect(exam.at(27).map(\.command) == [.holdTake(take), .play(SmallExam.clip("go-on"))])
        _ = exam.at(29, .promptEnded("go-on"))
        #expect(exam.at(63.98) == [])
        #expect(exam.at(64) == [Timed(64, .runOn(take))])
    }

    /// In a pause after the minimum, the examiner asks for more. Only the silence after that ends the talk.
    @Test func theTalkIsPromptedOnceBeforeASilenceEndsIt() {
        var exam = Transcript(SmallExam.oneQuestion(Self.patientTalk))
        exam.ask()
        _ = exam.speech(from: 4, to: 80)
        #expect(exam.at(83.28) == [])
        #expect(exam.at(83.3).map(\.command) == [.holdTake(take), .play(SmallExam.clip("go-on"))])
        _ = exam.at(85.3, .promptEnded("go-on"))
        #expect(exam.speech(from: 86, to: 95) == [])
        #expect(exam.at(98.28) == [])
        #expect(exam.at(98.3) == [Timed(98.3, .runOn(take))])
    }

    /// A pause for thought that began in the talk's 57th second used to end it at 61 s.
    @Test func aPauseThatBeganInTheTalksFirstMinuteDoesNotEndIt() {
        var exam = Transcript(SmallExam.oneQuestion(Self.patientTalk))
        exam.ask()
        _ = exam.speech(from: 4, to: 61)
        #expect(exam.at(67.4) == [])
        #expect(exam.speech(from: 67.5, to: 90) == [], "the rung of the ladder is at seven seconds")
        #expect(exam.at(94.98) == [], "such a pause lengthens the silence")
        #expect(exam.at(95).map(\.command) == [.holdTake(take), .play(SmallExam.clip("go-on"))])
    }

    @Test func eightQuickPausesShortenTheSilence() {
        var exam = Self.secondQuestion(afterPausesOf: 0.6, 0.7, 0.8, 0.8, 0.7, 0.7, 0.6, 0.5)
        _ = exam.speech(from: 104, to: 106)
        #expect(exam.at(107.6) == [Timed(107.6, .closeTake(Self.second, .finished(nil)))])
    }

    /// Each question keeps the range of its own rule, regardless of earlier pauses.
    @Test func everyRuleKeepsItsOwnFloorAndCeiling() {
        var rule = SmallExam.question
        rule.patience = .init(floor: .milliseconds(1_900), ceiling: .milliseconds(2_200))
        var slow = Self.secondQuestion(rule, afterPausesOf: 1.5, 1.5)
        _ = slow.speech(from: 104, to: 106)
        #expect(slow.at(108.2) == [Timed(108.2, .closeTake(Self.second, .finished(nil)))])
        var quick = Self.secondQuestion(rule, afterPausesOf: 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5)
        _ = quick.speech(from: 104, to: 106)
        #expect(quick.at(107.9) == [Timed(107.9, .closeTake(Self.second, .finished(nil)))])
    }

    @Test func aSilenceThatTheExaminerBrokeIsNotTheCandidatesOwn() {
        var rule = SmallExam.talk
        rule.patience = .init(floor: .seconds(2), ceiling: .seconds(6))
        var exam = Transcript(SmallExam.oneQuestion(rule))
        exam.ask()
        _ = exam.speech(from: 4, to: 20)
        #expect(exam.at(27).map(\.command) == [.holdTake(take), .play(SmallExam.clip("go-on"))])
        _ = exam.at(29, .promptEnded("go-on"))
        _ = exam.speech(from: 33, to: 70)
        #expect(exam.at(73) == [Timed(73, .closeTake(take, .finished(nil)))])
    }

    @Test func thinkingAfterARepeatIsNotAPause() {
        var exam = Transcript(SmallExam.oneQuestion(Self.rule))
        exam.ask()
        _ = exam.speech(from: 4, to: 5)
        _ = exam.at(5.5, .asked(.repeat))
        _ = exam.at(8, .promptEnded("question-1"))
        _ = exam.speech(from: 11, to: 14)
        #expect(exam.at(16) == [Timed(16, .closeTake(take, .finished(nil)))])
    }

    @Test func aPauseOfTheExamIsNotAPauseInAnAnswer() {
        var exam = Transcript(SmallExam.oneQuestion(Self.rule, mode: .practice))
        exam.ask()
        _ = exam.speech(from: 4, to: 6)
        _ = exam.at(7, .asked(.pause))
        _ = exam.at(50, .asked(.continue))
        _ = exam.speech(from: 51.5, to: 54)
        #expect(exam.at(56) == [Timed(56, .closeTake(take, .finished(nil)))])
    }

    /// The detector reports some tenths of a second late. The time that it states counts, not the time of the report.
    @Test func pausesAreMeasuredFromTheDetectorsDates() {
        var exam = Transcript(SmallExam.oneQuestion(Self.rule))
        exam.ask()
        _ = exam.at(4.04, .voiceBegan(seconds(4)))
        _ = exam.at(6.26, .voiceEnded(seconds(6)))
        _ = exam.at(7.54, .voiceBegan(seconds(7.5)))
        _ = exam.at(10.26, .voiceEnded(seconds(10)))
        #expect(exam.at(13) == [Timed(13, .closeTake(take, .finished(nil)))])
    }

    @Test func learnedPausesOutliveALostMicrophone() {
        var exam = Transcript(SmallExam.oneQuestion(Self.rule))
        exam.ask()
        _ = exam.speech(from: 4, to: 6)
        _ = exam.speech(from: 7.5, to: 8)
        _ = exam.at(8.5, .deviceLost(.microphoneGone))
        _ = exam.at(60, .deviceBack)
        _ = exam.at(63, .promptEnded("question-1"))
        _ = exam.speech(from: 64, to: 66)
        #expect(exam.at(69).map(\.command) == [.closeTake(Exam.Take(turn: 0, attempt: 2), .finished(nil))])
    }

    private static let second = Exam.Take(turn: 1, attempt: 1)

    /// Returns an exam whose second question was asked at 103 s, after a first answer with these pauses.
    private static func secondQuestion(_ next: ExamScript.AnswerRule = rule, afterPausesOf pauses: Double...)
        -> Transcript
    {
        let first = SmallExam.turn("question-1", order: 1, rule)
        var exam = Transcript(SmallExam.script([first, SmallExam.turn("question-2", order: 2, next)]))
        exam.ask()
        var now = 4.0
        for pause in pauses {
            _ = exam.speech(from: now, to: now + 1)
            now += 1 + pause
        }
        _ = exam.speech(from: now, to: now + 1)
        _ = exam.at(103, .promptEnded("question-2"))
        return exam
    }
}

/// A candidate's pauses, and the silence that must follow from them.
struct Pauses: Sendable, CustomTestStringConvertible {
    var pauses: [Double]
    var silence: Double
    var why: String

    init(_ pauses: [Double], _ silence: Double = 0, _ why: String = "") {
        self.pauses = pauses
        self.silence = silence
        self.why = why
    }

    var testDescription: String { why.isEmpty ? "\(pauses)" : why }

    var endpointing: AdaptiveEndpointing {
        var endpointing = AdaptiveEndpointing()
        for pause in pauses { endpointing.learn(seconds(pause).sinceBegin) }
        return endpointing
    }
}

private func * (count: Int, pauses: [Double]) -> [Double] { Array(repeatElement(pauses, count: count).joined()) }

extension Transcript {
    /// Asks the first question from 0 to 3 s.
    mutating func ask() {
        _ = at(0, .begin)
        _ = at(3, .promptEnded("question-1"))
    }
}
