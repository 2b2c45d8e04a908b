public import ExamCore

extension Exam.Outcome {
    /// The outcome in words, for a learner: "out of time".
    public var words: String {
        switch self {
        case .completed: "completed"
        case .withdrawn: "withdrawn"
        case .outOfTime: "out of time"
        }
    }
}
