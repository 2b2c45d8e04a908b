import Papers

/// A question of a file that cannot be taken as it is: what was read of it, and why it is not enough.
struct UnreadQuestion: Equatable {
    /// The number of its first line, from 1.
    var line: Int
    /// The question as far as it was read. Nil if nothing was.
    var read: ReadQuestion?
    /// The question as the file has it. Nil if what was read says the same.
    var original: String?
    /// At least one.
    var mistakes: [ImportMistake]
}

extension [UnreadQuestion] {
    /// Returns the mistakes of these questions and of their file, in the order of its lines.
    func mistakes(and others: [ImportMistake] = []) -> [ImportMistake] {
        ImportMistakes(others + flatMap(\.mistakes)).mistakes
    }
}
