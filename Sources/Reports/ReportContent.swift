public import Assessment

/// What a report tells: an exam, what was found in it, and its sound.
public struct ReportContent: Sendable {
    public var assessment: ExamAssessment

    public init(assessment: ExamAssessment) {
        self.assessment = assessment
    }
}
