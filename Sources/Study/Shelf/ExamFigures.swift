public import Assessment
import ExamCore
import SystemSupport

/// A measured exam in figures: everything that plans, streaks and comparisons need of an exam that is not itself shown.
///
/// It is made of the exam's evidence. A shelf may keep it, so that one screen need not read a hundred exams.
public struct ExamFigures: Codable, Equatable, Sendable {
    /// The digest of the rules for marks and estimates. Empty if the figures come from the measurements alone.
    let rules: String
    /// The number of the only part that was held. Nil for a whole exam.
    public let part: Int?
    /// The numbers of the parts with an answer that counts, in order.
    public let parts: [Int]
    /// The delivery of all answers together.
    public let delivery: DeliveryProfile
    /// The delivery of the answers of each part.
    let deliveries: [PartDelivery]
    /// The measures that are known, with their errors.
    let values: [ProgressMeasure: ProgressValue]
    /// The marks of the criteria that have one.
    public let marks: [Criterion: Double]
    /// The number of mistakes of each kind that was found in the transcripts.
    public let mistakes: [String: Int]
    /// The topics of the exam: words that `--topic` takes.
    public let topics: [String]
    /// The estimates, the overall band first.
    public let estimates: [AspectEstimate]

    /// Makes the figures of an exam of which only the measurements can be read.
    init(_ assessment: ExamAssessment) {
        self.init(assessment, rules: "", part: nil, marks: [:], mistakes: [:], topics: [], estimates: [])
    }

    /// - Parameter rules: The digest of the rules for marks and estimates.
    init(
        _ assessment: ExamAssessment, rules: String, part: Int?, marks: [Criterion: Double], mistakes: [String: Int],
        topics: [String], estimates: [AspectEstimate]
    ) {
        self.rules = rules
        self.part = part
        parts = Set(assessment.answers.counted.map(\.record.part)).sorted()
        (delivery, deliveries) = (assessment.delivery, assessment.parts)
        values = ProgressValue.all(of: assessment)
        (self.marks, self.mistakes, self.topics, self.estimates) = (marks, mistakes, topics, estimates)
    }

    /// Returns the exam for comparison with a later one.
    func earlier(_ session: String, startedAt: String) -> EarlierExam {
        var exam = EarlierExam(session: session, startedAt: startedAt, delivery: delivery, parts: deliveries)
        exam.values = values
        return exam
    }
}

extension ResultRules {
    /// The SHA-256 of the rules. Other rules give other marks and estimates.
    var digest: String { SHA256.hexadecimal(of: JSONFile.encode(self)) }
}
