import ExamCore

/// Something that an exam shows to be good, with its figure. Like advice, it rests only on differences that are larger
/// than a measure's error.
public struct Strength: Codable, Equatable, Sendable {
    /// The rule that found it: `noLongPause`.
    public var rule: String
    /// One sentence that cites the figure.
    public var sentence: String
    public var figure: StepFigure

    /// Returns the most telling strength of an exam. Nil if nothing is known to be good.
    ///
    /// - Parameter earlier: the learner's earlier exams of the same format.
    public static func found(in assessment: ExamAssessment, earlier: [EarlierExam] = []) -> Strength? {
        let delivery = assessment.delivery
        guard delivery.gates.isEmpty else { return nil }
        let all = [
            moreSpeech(delivery, earlier), noLongPause(delivery.measures), speed(delivery.measures),
            fullAnswers(assessment),
        ]
        return all.compactMap(\.self).first { $0.figure.isTelling }
    }

    private static func moreSpeech(_ delivery: DeliveryProfile, _ earlier: [EarlierExam]) -> Strength? {
        guard let now = delivery.measures.phonationTimeRatio.map({ $0 * 100 }),
            let usual = earlier.median({ $0.measures.phonationTimeRatio.map { $0 * 100 } }), now > usual
        else { return nil }
        return Strength(
            rule: "moreSpeech",
            sentence: "You spoke \(now.figure(0)) % of the time; in earlier exams it was \(usual.figure(0)) %.",
            figure: StepFigure(
                "phonationTimeRatio", now, "%", from: .median, usual, error: MeasureError.phonation))
    }

    private static func noLongPause(_ measures: DeliveryMeasures) -> Strength? {
        guard measures.pauses > 0, measures.longestPause < Plateau.pause else { return nil }
        return Strength(
            rule: "noLongPause",
            sentence: "No pause lasted a second: the longest is \(measures.longestPause.figure(2)) s.",
            figure: StepFigure("longestPause", measures.longestPause, "s", Plateau.pause, error: MeasureError.pause))
    }

    private static func speed(_ measures: DeliveryMeasures) -> Strength? {
        guard let rate = measures.speechRate, rate > Plateau.speechRate else { return nil }
        return Strength(
            rule: "speed",
            sentence: "You speak as fast as listeners like: \(rate.figure(1)) syllables a second, pauses included.",
            figure: StepFigure(
                "speechRate", rate, "syllables a second", Plateau.speechRate,
                error: MeasureError.rate * Plateau.speechRate))
    }

    private static func fullAnswers(_ assessment: ExamAssessment) -> Strength? {
        let free = assessment.answers.counted.filter { $0.record.end == "finished" }
        guard free.count >= 3, free.allSatisfy({ $0.hasSpeech && !$0.record.isSilent }),
            let least = free.map(\.delivery.measures.speech).min(), least > StepRule.shortAnswer
        else { return nil }
        return Strength(
            rule: "fullAnswers",
            sentence: "You said enough each time: the shortest of \(free.count) answers has \(least.figure(1)) s of "
                + "speech.",
            figure: StepFigure("shortestAnswer", least, "s", StepRule.shortAnswer, error: MeasureError.speech))
    }
}

extension Sequence<EarlierExam> {
    /// Returns the median of a measure. Nil if fewer than three exams have it.
    func median(_ measure: (DeliveryProfile) -> Double?) -> Double? {
        let values = compactMap { $0.delivery.gates.isEmpty ? measure($0.delivery) : nil }.sorted()
        guard values.count >= 3 else { return nil }
        return (values[(values.count - 1) / 2] + values[values.count / 2]) / 2
    }
}
