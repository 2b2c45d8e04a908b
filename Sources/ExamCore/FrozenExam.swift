/// The format, paper and options of an exam, as they were when it began.
public struct FrozenExam: Codable, Sendable {
    /// The whole format.
    public var format: ExamFormat
    /// The whole paper.
    public var paper: Paper
    /// The options of this sitting.
    public var options: ExamOptions

    public init(format: ExamFormat, paper: Paper, options: ExamOptions) {
        self.format = format
        self.paper = paper
        self.options = options
    }
}
