import ExamCore
import SystemSupport
import TestSupport
import Testing

@testable import Assessment

/// The errors of a learner's measures, and the changes between exams that count as clear.
@Suite struct ProgressTests {
    /// An answer with a pause of a second in every six seconds of speech.
    private static func answer(_ number: Int, rate: Double, speech: Double = 20) -> AnswerAssessment {
        var answer = AnswerAssessment.made(order: number + 1, speech: speech)
        let pauses = [Double](repeating: 1, count: Int(speech / 6))
        answer.delivery.measures = .made(speech: speech, pauses: pauses, rate: rate)
        return answer
    }

    private static func exam(_ answers: [AnswerAssessment], day: Int = 1, gates: [DeliveryGate] = []) -> ProgressExam {
        ProgressExam(
            session: "s\(day)", startedAt: "2026-11-0\(day)T10:00:00Z", day: "2026-11-0\(day)",
            of: .made(answers, gates: gates))
    }

    private static func exam(rate: Double, day: Int = 1) -> ProgressExam {
        exam((0..<6).map { answer($0, rate: rate) }, day: day)
    }

    private static func drawn(_ rate: Double, answers: Int, by dice: inout SplitMix64) -> ProgressExam {
        exam(
            (0..<answers).map { number in
                // The sum of three draws is nearly normal.
                let luck = (0..<3).reduce(0.0) { sum, _ in sum + Double.random(in: -0.4...0.4, using: &dice) }
                return answer(number, rate: rate + luck, speech: .random(in: 12...40, using: &dice))
            })
    }

    /// About 95 in 100 exams of a candidate are within their error of the candidate's own rate.
    @Test func theErrorHoldsTheTrueRate() throws {
        var dice = SplitMix64(seed: Thoroughness.seed())
        let exams = Thoroughness.count(300, check: 5_000)
        var held = 0
        for _ in 0..<exams {
            let exam = Self.drawn(3, answers: 12, by: &dice)
            let value = try #require(exam.values[.speechRate])
            if value.range.contains(3) { held += 1 }
        }
        let share = Double(held) / Double(exams)
        #expect(share > 0.9 && share < 0.99, "\(share)")
    }

    @Test func fewAnswersHaveNoErrorButThatOfTheInstrument() {
        let three = Self.exam((0..<3).map { Self.answer($0, rate: 3) })
        #expect(three.values[.speechRate]?.error == nil && three.values[.phonationTimeRatio]?.error == nil)
        #expect(three.values[.longestPause]?.error == MeasureError.pause)
        #expect(three.errors.keys.sorted() == ["longestPause", "speech"])
        #expect(Self.exam([]).values.isEmpty)
    }

    /// Between equal answers nothing varies by chance. The instrument's error remains.
    @Test func equalAnswersHaveTheInstrumentsError() {
        let exam = Self.exam(rate: 3)
        #expect(exam.errors["speechRate"] == 0.15)
        #expect(exam.values[.phonationTimeRatio]?.error == 2.5)
    }

    @Test func onlyAChangeBeyondTheErrorsIsClear() throws {
        func change(_ exams: [ProgressExam]) throws -> ProgressChange {
            try #require(exams.changes.first { $0.measure == .speechRate })
        }
        let little = try change([Self.exam(rate: 3, day: 1), Self.exam(rate: 3.1, day: 2)])
        #expect(little.direction == .same)
        #expect(little.sentence == "speech rate: 3.1/s (± 0.2), before 3.0/s (± 0.2), no clear change.")
        let much = try change([Self.exam(rate: 3), Self.exam(rate: 2.9, day: 2), Self.exam(rate: 3.6, day: 3)])
        #expect(much.direction == .rose && much.exams == 2)
        #expect(much.sentence == "speech rate: 3.6/s (± 0.2), before 3.0/s (± 0.1), a clear rise.")
    }

    /// A single part beside whole exams says too little to be averaged with them.
    @Test func examsWithoutAnErrorCountOnlyAlone() throws {
        let part = Self.exam([Self.answer(0, rate: 2)])
        let beside = try #require(
            [Self.exam(rate: 3), part, Self.exam(rate: 3, day: 3)].changes.first { $0.measure == .speechRate })
        #expect(beside.exams == 1 && abs(beside.before.value - 3) < 0.1)
        let alone = try #require([part, Self.exam(rate: 3, day: 3)].changes.first { $0.measure == .speechRate })
        #expect(alone.direction == .same && alone.sentence.hasSuffix("too few answers to say more."))
    }

    @Test func nothingIsComparedWithoutASecondJudgedExam() {
        let answers = (0..<6).map { Self.answer($0, rate: 3) }
        #expect([Self.exam(answers)].changes.isEmpty)
        #expect([Self.exam(answers), Self.exam(answers, day: 2, gates: [.noisy])].changes.isEmpty)
        #expect([Self.exam(answers, gates: [.noisy]), Self.exam(answers, day: 2)].changes.isEmpty)
    }

    /// Learners who did not change are told of a clear change in one exam of twenty.
    @Test func chanceIsSeldomCalledAChange() {
        var dice = SplitMix64(seed: Thoroughness.seed())
        let histories = Thoroughness.count(200, check: 3_000)
        let wrong = (0..<histories).count { _ in
            let exams = (0..<4).map { _ in Self.drawn(3, answers: 12, by: &dice) }
            return exams.changes.contains { $0.measure == .speechRate && $0.direction != .same }
        }
        #expect(Double(wrong) / Double(histories) < 0.08, "\(wrong) of \(histories)")
    }
}
