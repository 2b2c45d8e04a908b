import ExamCore
public import Papers

extension ImportMistake {
    /// Mistakes of questions with keys; those of tables and files are the same as for items (`Code`), and a rule's finding has the rule's id.
    enum QuestionCode: String, Choice {
        case xml
        /// A field that nobody reads.
        case unknownField = "unknown-field"
        /// A value of another kind than the field has: a text where a number should be.
        case wrongKind = "wrong-kind"
        case missing
        /// What another program has and this one does not: leaving it out would change what is asked.
        case notRead = "not-read"
        /// Marks of a format that do not come in pairs, or stand where they mean nothing.
        case marks
        /// A key that points at nothing, or at two things.
        case key
        case number
        case format
    }

    init(line: Int, _ column: String, _ value: String, _ code: QuestionCode, _ what: String) {
        self.init(line: line, column: column, value: value, rule: code.rawValue, what)
    }
}

/// All that is wrong in files of questions, in order: nothing of them was taken.
public struct PackMistakes: Error, Equatable, Sendable {
    /// Each with the name of its file.
    public var mistakes: [FileMistake]

    /// A mistake, and the file that has it.
    public struct FileMistake: Equatable, Sendable {
        public var file: String
        public var mistake: ImportMistake

        /// `quiz.gift:14, question, "Compare", not-read: an essay has no key: take it out`
        public var sentence: String { mistake.sentence(in: file) }
    }
}
