/// An earlier exam of the learner, reduced to what comparisons need.
public struct EarlierExam: Equatable, Sendable {
    /// The session's id.
    public var session: String
    /// ISO 8601 in UTC.
    public var startedAt: String
    public var delivery: DeliveryProfile
    public var parts: [PartDelivery]
    /// The measures that are known, with their errors.
    package var values: [ProgressMeasure: ProgressValue] = [:]

    public init(session: String, startedAt: String, delivery: DeliveryProfile, parts: [PartDelivery]) {
        self.session = session
        self.startedAt = startedAt
        self.delivery = delivery
        self.parts = parts
    }
}

extension EarlierExam {
    /// Creates an exam to compare a later one with. Nil if its format is different (a talk cannot be compared with
    /// repeated sentences), if it did not begin earlier, or if its recordings say too little about delivery.
    ///
    /// - Parameter current: The format and the beginning of the later exam.
    public init?(
        session: String, startedAt: String, format: String?, of assessment: ExamAssessment,
        before current: (format: String?, startedAt: String)
    ) {
        self.init(
            session: session, startedAt: startedAt, delivery: assessment.delivery, parts: assessment.parts)
        guard format == current.format, isComparable(before: current.startedAt) else { return nil }
        values = ProgressValue.all(of: assessment)
    }

    /// Whether an exam of the same format that began at this time is compared with this one.
    package func isComparable(before startedAt: String) -> Bool {
        self.startedAt < startedAt && delivery.gates.isEmpty
    }
}

extension Sequence<EarlierExam> {
    /// Returns the share of the earlier exams that a value exceeds, 0 to 100. Equal values count as half. Nil if fewer
    /// than three exams have the measure.
    public func percentile(of value: Double, _ measure: (DeliveryProfile) -> Double?) -> Double? {
        let values = compactMap { measure($0.delivery) }
        guard values.count >= 3 else { return nil }
        let below = values.count { $0 < value }
        let equal = values.count { $0 == value }
        return 100 * (Double(below) + Double(equal) / 2) / Double(values.count)
    }
}
