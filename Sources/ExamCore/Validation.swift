/// What is wrong with a format, a paper or the two together, found before the exam starts (A5, A20).
public struct Validation: Equatable, Sendable {
    /// Each forbids the exam. One plain sentence that begins with the field: `paper "x": question "home-2": has no text`.
    public private(set) var errors: [String] = []
    /// Each is worth knowing; the exam can be held.
    public private(set) var warnings: [String] = []

    public var isValid: Bool { errors.isEmpty }

    public init() {}

    public mutating func error(_ sentence: String) { errors.append(sentence) }
    public mutating func warning(_ sentence: String) { warnings.append(sentence) }
}
