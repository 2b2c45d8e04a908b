public import Assessment
public import SystemSupport

/// The exams with which an exam is compared: the learner's earlier ones of the same format that say enough.
public enum EarlierExams {
    /// The number of recent exams, of all formats, to search for comparable ones: enough to show a change.
    public static let most = 30

    /// Returns the earlier exams, the newest first. Empty for an exam whose beginning is unknown.
    ///
    /// Formats are compared first, so exams of other formats are neither measured nor read.
    ///
    /// - Throws: The shelf's errors.
    public static func of(
        _ entry: ExamEntry, on shelf: some LearnerShelf
    ) async throws(Problem) -> [EarlierExam] {
        guard let began = entry.startedAt else { return [] }
        var earlier: [EarlierExam] = []
        for other in try await shelf.exams(limit: most, before: entry) where other.format == entry.format {
            guard let startedAt = other.startedAt else { continue }
            if let figures = await shelf.keptFigures(of: other.id) {
                let exam = figures.earlier(other.id, startedAt: startedAt)
                if exam.isComparable(before: began) { earlier.append(exam) }
                continue
            }
            guard let measured = try await shelf.assessment(of: other.id),
                let exam = EarlierExam(
                    session: other.id, startedAt: startedAt, format: other.format, of: measured,
                    before: (entry.format, began))
            else { continue }
            earlier.append(exam)
        }
        return earlier
    }
}

/// A measure of an exam, compared with the learner's earlier exams.
public struct ComparedMeasure: Equatable, Sendable {
    package var measure: ProgressMeasure
    /// The value in the measure's unit.
    public var value: Double
    /// The share of the earlier exams that it exceeds, 0 to 100.
    public var percentile: Double
    /// The number of earlier exams that have the measure.
    public var exams: Int
}

extension Sequence<EarlierExam> {
    /// Returns the measures of an exam that can be compared. Empty if the exam says too little, or fewer than three
    /// earlier exams have a measure.
    func compared(with delivery: DeliveryProfile) -> [ComparedMeasure] {
        guard delivery.gates.isEmpty else { return [] }
        // The amount of speech depends on the questions, not on the learner.
        return ProgressMeasure.allCases.filter { $0 != .speech }.compactMap { measure in
            guard let value = measure.value(delivery), let percentile = percentile(of: value, measure.value) else {
                return nil
            }
            return ComparedMeasure(
                measure: measure, value: value, percentile: percentile,
                exams: reduce(0) { $0 + (measure.value($1.delivery) == nil ? 0 : 1) })
        }
    }
}
