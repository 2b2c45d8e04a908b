import ExamCore
import Testing

@testable import Assessment

/// Advice for thousands of random exams: none of it contradicts a figure that is shown beside it.
@Suite struct AdviceTests {
    private func answer(_ order: Int, _ dice: inout SplitMix64) -> AnswerAssessment {
        let pauses = (0..<Int.random(in: 0...4, using: &dice)).map { number in
            let start = 2 + Double(number) * 6
            return TimeRange(start, start + Double.random(in: 0.25...3.5, using: &dice))
        }
        let rates = (Double.random(in: 1.5...5, using: &dice), Double.random(in: 1.5...5, using: &dice))
        return .made(
            part: 1 + order % 3, order: order, speech: Double.random(in: 1...60, using: &dice), pauses: pauses,
            gates: Int.random(in: 0..<8, using: &dice) == 0 ? [.noisy] : [],
            end: ["finished", "timeUp.answer", "declared"].randomElement(using: &dice)!,
            latency: Double.random(in: 0.2...4, using: &dice), thirds: rates)
    }

    @Test func noAdviceContradictsItsFigure() {
        var dice = SplitMix64(seed: 4)
        var rules: [String: Int] = [:]
        for round in 0..<3_000 {
            let exam = ExamAssessment.made(
                (1...Int.random(in: 1...12, using: &dice)).map { answer($0, &dice) })
            let steps = NextStep.steps(for: exam)
            #expect(steps.count <= NextStep.most && Set(steps.map(\.rule)).count == steps.count)
            let measures = exam.delivery.measures
            for step in steps {
                rules[step.rule, default: 0] += 1
                let figure = step.figure
                #expect(abs(figure.value - figure.referenceValue) > figure.error, "\(step.rule), exam \(round)")
                switch step.rule {
                case "longPauses":
                    let clear = exam.answers.filter { !$0.delivery.gates.contains(.noisy) }
                    #expect(clear.contains { $0.delivery.measures.longestPause == figure.value })
                case "shortAnswers":
                    #expect(figure.value < figure.referenceValue)
                case "slowerEnd":
                    let (first, last) = (measures.firstThird.rate ?? 0, measures.lastThird.rate ?? 0)
                    #expect(last < first, "an end that is not slower asks for no example: exam \(round)")
                case "lateStarts":
                    #expect(figure.value > figure.referenceValue)
                default: break
                }
                if let name = step.answer {
                    let record = exam.answers.first { $0.record.name == name }?.record
                    #expect(record?.counts == true && record?.isSilent == false, "\(step.rule) of \(name)")
                }
            }
        }
        for rule in ["longPauses", "shortAnswers", "slowerEnd", "lateStarts"] {
            #expect(rules[rule, default: 0] > 20, "\(rule) was hardly tried")
        }
    }
}
