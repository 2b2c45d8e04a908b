import ExamCore
public import Papers

extension ImportMistake {
    /// The codes of mistakes in questions with keys. Mistakes of tables and files have the codes for items (`Code`),
    /// and a rule's finding has the rule's id.
    enum QuestionCode: String, Choice {
        case xml
        /// A field that Oracy does not read.
        case unknownField = "unknown-field"
        /// A value of the wrong type, such as text for a number.
        case wrongKind = "wrong-kind"
        case missing
        /// A feature of another program that Oracy lacks. Leaving it out would change the question.
        case notRead = "not-read"
        /// Marks of a format that are not in pairs or are misplaced.
        case marks
        /// A key that points at no option, or at two.
        case key
        case number
        case format
    }

    init(line: Int, _ column: String, _ value: String, _ code: QuestionCode, _ what: String) {
        self.init(line: line, column: column, value: value, rule: code.rawValue, what)
    }
}

/// All mistakes in files of questions, in order. No questions were taken from the files.
public struct PackMistakes: Error, Equatable, Sendable {
    /// The mistakes, each with the name of its file.
    public var mistakes: [FileMistake]

    /// A mistake and the name of its file.
    public struct FileMistake: Equatable, Sendable {
        public var file: String
        public var mistake: ImportMistake

        /// For example, `quiz.gift:14, question, "Compare", not-read: an essay has no key: take it out`.
        public var sentence: String { mistake.sentence(in: file) }
    }
}
