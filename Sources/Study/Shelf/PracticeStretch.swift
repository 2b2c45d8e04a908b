public import Learning

/// A place in a practice log, after one of its lines.
public struct PracticePlace: Equatable, Sendable {
    /// The number of the line, from 1. 0 at the beginning of the log.
    public var number: Int
    /// The line's text. If the log has another text there, it was erased meanwhile. Nil at the beginning of the log.
    public var line: String?

    public init(number: Int = 0, line: String? = nil) {
        self.number = number
        self.line = line
    }
}

/// The lines of a practice log after a place.
public struct PracticeStretch: Equatable, Sendable {
    /// The lines in order.
    public var lines: [PracticeLine]
    /// The place in the log after these lines.
    public var end: PracticePlace
    /// Whether the log had no further lines when it was read.
    public var isWhole: Bool

    public init(_ lines: [PracticeLine], end: PracticePlace, isWhole: Bool) {
        self.lines = lines
        self.end = end
        self.isWhole = isWhole
    }
}
