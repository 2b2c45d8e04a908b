import Papers

/// A statement that is true or false, as a choice of two.
enum TrueOrFalse {
    static func key(_ isTrue: Bool) -> AnswerKey {
        .multipleChoice(.init(options: ["True", "False"], correct: isTrue ? 0 : 1))
    }

    /// Returns the prompt for a statement. Moodle shows the two answers below it; here a statement alone would not be a
    /// question.
    static func prompt(_ statement: String) -> String {
        statement.contains("?") || statement.contains("___") ? statement : "True or false? \(statement)"
    }
}
