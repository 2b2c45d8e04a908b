public import ExamCore

/// What is wrong in a file that was to be imported: where, by which code, and what to do about it.
public struct ImportMistake: Error, Equatable, Sendable {
    /// Mistakes of tables and files; a rule's finding has the rule's id instead.
    public enum Code: String, Choice {
        case encoding, quotes, json
        case unknownColumn = "unknown-column"
        case missingColumn = "missing-column"
        case doubleColumn = "double-column"
        case extraCell = "extra-cell"
        case noRows = "no-rows"
        case emptyCell = "empty-cell"
        /// A cell is filled that nothing would come of.
        case noPlace = "no-place"
        /// What is said once for several rows is said twice, and differently.
        case contradiction
        case unknownDifficulty = "unknown-difficulty"
        case unknownBloom = "unknown-bloom"
        case unknownPart = "unknown-part"
        case missingPart = "missing-part"
        case doublePart = "double-part"
        /// Something else has this id.
        case taken
    }

    /// Counted from 1: where the row, or in JSON the item, begins.
    public var line: Int
    /// A table's column; in JSON a field: `questions[2].text`.
    public var column: String
    public var value: String
    public var code: String
    /// What to do, without a full stop.
    public var what: String

    package init(line: Int, column: String, value: String = "", _ code: Code, _ what: String) {
        self.init(line: line, column: column, value: value, rule: code.rawValue, what)
    }

    package init(line: Int, column: String, value: String = "", rule: String, _ what: String) {
        self.line = line
        self.column = column
        self.value = value
        self.code = rule
        self.what = what
    }

    /// `items.csv:3, difficulty, "Medum", unknown-difficulty: use Easy, Medium or Hard`
    public func sentence(in file: String) -> String {
        let shown = String(value.map { $0.isWhitespace || !$0.isShown ? " " : $0 }.prefix(Self.shownCharacters))
        return
            "\(file):\(line), \(column), \"\(shown)\(value.count > Self.shownCharacters ? "…" : "")\", \(code): \(what)"
    }

    private static let shownCharacters = 60
}

extension Character {
    /// Not what a terminal would obey.
    fileprivate var isShown: Bool {
        unicodeScalars.allSatisfy { ![.control, .format, .surrogate].contains($0.properties.generalCategory) }
    }
}

/// All that is wrong in a file, in the order of its lines: nothing of it was taken.
public struct ImportMistakes: Error, Equatable, Sendable {
    public var mistakes: [ImportMistake]

    package init(_ mistakes: [ImportMistake]) {
        self.mistakes = mistakes.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }
            .map(\.element)
    }
}
