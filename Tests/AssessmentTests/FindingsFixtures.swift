import ExamCore

@testable import Assessment

// Profiles made by hand, with round figures.

extension DeliveryMeasures {
    /// Returns the measures of one or more answers.
    static func made(
        speech: Double, pauses: [Double] = [], rate: Double = 3, answers: Int = 1, latencies: [Double] = []
    ) -> DeliveryMeasures {
        var measures = DeliveryMeasures()
        measures.answers = answers
        measures.pauseTime = pauses.reduce(0, +)
        measures.pauses = pauses.count
        measures.longestPause = pauses.max() ?? 0
        measures.span = speech + measures.pauseTime
        measures.syllables = Int((rate * measures.span).rounded())
        measures.runs = pauses.count + 1
        measures.latency = latencies.reduce(0, +)
        measures.latencies = latencies.count
        return measures
    }
}

extension DeliveryProfile {
    static func made(
        _ measures: DeliveryMeasures, gates: [DeliveryGate] = [], word: DeliveryWord? = .steady
    ) -> DeliveryProfile {
        DeliveryProfile(
            calibration: "made/1 0000", measures: measures, gates: gates, index: gates.isEmpty ? 7 : nil,
            word: gates.isEmpty ? word : nil, reliability: 0.5)
    }
}

extension AnswerAssessment {
    /// Returns an answer whose pauses have the given places.
    static func made(
        part: Int = 1, order: Int = 1, speech: Double = 12, pauses: [TimeRange] = [], gates: [DeliveryGate] = [],
        end: String = "finished", latency: Double? = nil, thirds: (Double, Double)? = nil
    ) -> AnswerAssessment {
        var measures = DeliveryMeasures.made(
            speech: speech, pauses: pauses.map(\.length), latencies: latency.map { [$0] } ?? [])
        if let (first, last) = thirds {
            let seconds = measures.span / 3
            measures.firstThird = .init(syllables: Int(first * seconds), seconds: seconds)
            measures.lastThird = .init(syllables: Int(last * seconds), seconds: seconds)
        }
        let timeline = SoundTimeline(
            duration: measures.span + 1, span: speech > 0 ? TimeRange(0.5, 0.5 + measures.span) : nil, silences: pauses)
        return AnswerAssessment(
            record: AnswerRecord(question: "p\(part)-\(order)", part: part, order: order, end: end),
            recording: String(repeating: "a", count: 64),
            sound: MeasuredSound(timeline: timeline, speechOverNoise: 40, clippedShare: 0),
            delivery: .made(measures, gates: gates))
    }
}

extension ExamAssessment {
    static func made(_ answers: [AnswerAssessment], gates: [DeliveryGate] = []) -> ExamAssessment {
        let parts = Dictionary(grouping: answers, by: \.record.part).sorted { $0.key < $1.key }.map { part, answers in
            PartDelivery(part: part, delivery: .made(answers.map(\.delivery.measures).reduce(DeliveryMeasures(), +)))
        }
        return ExamAssessment(
            session: "exam-1", answers: answers, parts: parts,
            delivery: .made(answers.map(\.delivery.measures).reduce(DeliveryMeasures(), +), gates: gates))
    }
}
