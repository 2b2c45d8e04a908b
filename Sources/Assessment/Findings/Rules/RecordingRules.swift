import ExamCore

// Faults of the recording come first: they make all other findings unreliable, and they are easy to fix.

extension StepRule {
    static let clipped = StepRule(id: "clipped") { known in
        spoilt(
            .clipped, in: known, weight: 90, what: "clipped",
            advice: "Turn the microphone down or move away from it, and check it before the next exam.")
    }

    static let noisy = StepRule(id: "noisy") { known in
        spoilt(
            .noisy, in: known, weight: 85, what: "noisy",
            advice: "Find a quieter place or move closer to the microphone, and check it before the next exam.")
    }

    /// Returns the finding that some answers have this fault. Nil if none has it. If only one answer of many has it,
    /// the finding gets about half of the weight.
    private static func spoilt(
        _ gate: DeliveryGate, in known: KnownOfExam, weight: Double, what: String, advice: String
    ) -> Found? {
        let answers = known.answers
        let spoilt = answers.filter { $0.delivery.gates.contains(gate) }
        guard let first = spoilt.first else { return nil }
        let share = Double(spoilt.count) / Double(answers.count)
        return Found(
            weight: weight * (0.5 + share / 2), advice: advice,
            evidence:
                "\(spoilt.count) of \(answers.count.counted("answer")) \(spoilt.count == 1 ? "is" : "are") \(what), "
                + "the first in \(known.words(for: first)).",
            figure: StepFigure("\(what)Answers", Double(spoilt.count), "answers", 0, error: MeasureError.count),
            answer: first.record.name, at: first.sound.timeline.span?.start ?? 0, action: .checkSound)
    }
}
