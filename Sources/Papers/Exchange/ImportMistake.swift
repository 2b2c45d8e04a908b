public import ExamCore

/// A mistake in a file to be imported: its place, its code, and what to do about it.
public struct ImportMistake: Error, Equatable, Sendable {
    /// The codes of mistakes in tables and files. A rule's finding has the rule's id instead.
    public enum Code: String, Choice {
        case encoding, quotes, json
        case unknownColumn = "unknown-column"
        case missingColumn = "missing-column"
        case doubleColumn = "double-column"
        case extraCell = "extra-cell"
        case noRows = "no-rows"
        case emptyCell = "empty-cell"
        /// A filled cell that has no meaning in this row.
        case noPlace = "no-place"
        /// Rows that state a shared fact differently.
        case contradiction
        case unknownDifficulty = "unknown-difficulty"
        case unknownBloom = "unknown-bloom"
        case unknownPart = "unknown-part"
        case missingPart = "missing-part"
        case doublePart = "double-part"
        /// The id belongs to another item.
        case taken
    }

    /// The first line of the row or, in JSON, of the item, counted from 1.
    public var line: Int
    /// The column of a table or, in JSON, the field: `questions[2].text`.
    public var column: String
    public var value: String
    public var code: String
    /// The remedy, without a full stop.
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

    /// Returns the mistake in one line: `items.csv:3, difficulty, "Medum", unknown-difficulty: use Easy, Medium or
    /// Hard`
    public func sentence(in file: String) -> String {
        let shown = String(value.map { $0.isWhitespace || !$0.isShown ? " " : $0 }.prefix(Self.shownCharacters))
        return
            "\(file):\(line), \(column), \"\(shown)\(value.count > Self.shownCharacters ? "…" : "")\", \(code): \(what)"
    }

    private static let shownCharacters = 60
}

extension Character {
    /// Whether a terminal shows the character instead of obeying it.
    fileprivate var isShown: Bool {
        unicodeScalars.allSatisfy { ![.control, .format, .surrogate].contains($0.properties.generalCategory) }
    }
}

/// All mistakes in a file, in the order of its lines. No items were taken from the file.
public struct ImportMistakes: Error, Equatable, Sendable {
    public var mistakes: [ImportMistake]

    package init(_ mistakes: [ImportMistake]) {
        self.mistakes = mistakes.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }
            .map(\.element)
    }
}
