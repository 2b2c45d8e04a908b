/// The errors in a format, in a paper or between the two, found before the exam starts.
public struct Validation: Equatable, Sendable {
    /// The errors that prevent the exam. Each is a plain sentence that begins with the field: `paper "x": question
    /// "home-2": has no text`.
    public private(set) var errors: [String] = []
    /// Problems that do not prevent the exam.
    public private(set) var warnings: [String] = []

    public var isValid: Bool { errors.isEmpty }

    public init() {}

    public mutating func error(_ sentence: String) { errors.append(sentence) }
    public mutating func warning(_ sentence: String) { warnings.append(sentence) }
}
