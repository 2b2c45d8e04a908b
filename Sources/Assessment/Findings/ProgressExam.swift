import ExamCore

/// An exam as a point of a learner's progress: its measures with their errors, and its estimates.
public struct ProgressExam: Equatable, Sendable {
    /// The session's id.
    public var session: String
    /// ISO 8601 in UTC.
    public var startedAt: String
    /// The date on which the exam began, in the learner's time zone: `2026-11-20`.
    public var day: String
    public var delivery: DeliveryProfile
    /// The measures that are known, with their errors.
    package var values: [ProgressMeasure: ProgressValue]
    /// The estimates in the order in which they are shown. Empty if nothing was judged.
    public var estimates: [AspectEstimate]

    public init(
        session: String, startedAt: String, day: String, of assessment: ExamAssessment,
        estimates: [AspectEstimate] = []
    ) {
        self.session = session
        self.startedAt = startedAt
        self.day = day
        delivery = assessment.delivery
        values = ProgressValue.all(of: assessment)
        self.estimates = estimates
    }

    /// Creates the point of an earlier exam, without estimates. Its day is that of UTC.
    package init(_ exam: EarlierExam) {
        (session, startedAt, delivery) = (exam.session, exam.startedAt, exam.delivery)
        (values, estimates) = (exam.values, [])
        day = String(exam.startedAt.prefix(10))
    }

    /// The known measures by their names and in their units, to a hundredth.
    public var figures: [String: Double] { named { $0.value } }

    /// The known errors by the names of their measures, in the measures' units, to a hundredth.
    public var errors: [String: Double] { named(\.error) }

    private func named(_ figure: (ProgressValue) -> Double?) -> [String: Double] {
        values.reduce(into: [:]) { named, entry in
            named[entry.key.rawValue] = figure(entry.value).map { ($0 * 100).rounded() / 100 }
        }
    }
}

/// The value of a measure in one exam, with its error.
package struct ProgressValue: Codable, Equatable, Sendable {
    /// In the measure's unit.
    package var value: Double
    /// With other questions, the value would have differed by at most this much in 95 of 100 exams. Nil if the exam has
    /// too few answers to tell.
    package var error: Double?

    package init(_ value: Double, error: Double?) {
        self.value = value
        self.error = error
    }

    /// The lowest and the highest value within the error. The lowest is never below 0.
    package var range: ClosedRange<Double> { max(0, value - (error ?? 0))...(value + (error ?? 0)) }

    /// The fewest answers from which an error is computed. The spread of two or three is too much a matter of chance.
    static let fewestAnswers = 4

    /// Returns the measures of an exam that are known.
    package static func all(of assessment: ExamAssessment) -> [ProgressMeasure: ProgressValue] {
        let answers = assessment.answers.counted.clear.map(\.delivery.measures).filter { $0.span > 0 }
        var values: [ProgressMeasure: ProgressValue] = [:]
        for measure in ProgressMeasure.allCases {
            guard let value = measure.value(assessment.delivery) else { continue }
            values[measure] = ProgressValue(value, error: measure.error(of: answers))
        }
        return values
    }
}

extension ProgressMeasure {
    /// Returns the error of the measure over answers: the standard error by the jackknife, times Student's factor. If
    /// the instrument's error is larger, returns that. The instrument is this program, which does not measure exactly.
    ///
    /// The jackknife leaves out each answer in turn (B. Efron, *The Jackknife, the Bootstrap and Other Resampling
    /// Plans*, 1982). The parts of an exam ask different kinds of questions, so this error is too large rather than too
    /// small. The longest pause and the sum of speech depend on the number of questions, so they have only the
    /// instrument's error.
    ///
    /// - Returns: Nil if there are too few answers.
    func error(of answers: [DeliveryMeasures]) -> Double? {
        let own = instrumentError(at: value(of: answers.reduce(DeliveryMeasures(), +)) ?? 0)
        guard self != .longestPause, self != .speech else { return own }
        guard answers.count >= ProgressValue.fewestAnswers else { return nil }
        let left = answers.indices.compactMap { index -> Double? in
            var others = answers
            others.remove(at: index)
            return value(of: others.reduce(DeliveryMeasures(), +))
        }
        guard left.count == answers.count else { return nil }
        let mean = left.reduce(0, +) / Double(left.count)
        let squares = left.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let others = Double(left.count - 1)
        return max(own, Self.studentsFactor(others) * (squares * others / Double(left.count)).squareRoot())
    }

    /// The number of standard errors around the mean that contain 95 of 100 values: Student's t with this many degrees
    /// of freedom, by the expansion of Cornish and Fisher (Abramowitz and Stegun 26.7.5). For three degrees it gives
    /// 3.1 instead of 3.2.
    static func studentsFactor(_ freedom: Double) -> Double { 1.960 + 2.372 / freedom + 2.823 / (freedom * freedom) }

    /// Returns the error with which the program itself measures a value, in the measure's unit.
    private func instrumentError(at value: Double) -> Double {
        switch self {
        case .phonationTimeRatio: MeasureError.phonation / 2
        case .longestPause: MeasureError.pause
        // A silence that is about as long as the shortest pause may or may not count as one.
        case .pausesPerMinute: value / 20
        // Half of the smallest difference that counts as a change of the rate.
        case .speechRate, .meanLengthOfRun: MeasureError.rate / 2 * value
        case .speech: MeasureError.speech
        }
    }
}
