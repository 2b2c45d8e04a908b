import ExamCore
import Papers

/// Reads tables of questions: those that `PackTable` wrote, and those that people wrote with the same columns.
struct PackTableReader {
    private(set) var questions: [ReadQuestion] = []
    private(set) var unread: [UnreadQuestion] = []
    /// The mistakes that concern no single question.
    private(set) var fileMistakes: [ImportMistake] = []
    /// The mistakes of the row that is being read.
    private var rowMistakes: [ImportMistake] = []
    private var numbers = TableNumbers([], pointsMayGroup: false)

    var mistakes: [ImportMistake] { unread.mistakes(and: fileMistakes) }

    init(_ bytes: [UInt8]) {
        let table = ImportTable(
            bytes, required: PackTable.required, optional: PackTable.optional, keepsLines: true,
            names: PackTable.name)
        let cells = table.rows.flatMap { row in PackTable.numbers.map { row[$0] } }
        numbers = TableNumbers(cells, pointsMayGroup: table.separator == ";")
        fileMistakes = table.mistakes.map { mistake in
            let heading = mistake.column.lowercased().replacing(" ", with: "_")
            guard let remedy = PackTable.contract.refused.first(where: { $0.name == heading }) else { return mistake }
            return ImportMistake(
                line: mistake.line, column: mistake.column, value: mistake.value, rule: mistake.code, remedy.reason)
        }
        guard fileMistakes.isEmpty else { return }
        for row in table.rows {
            rowMistakes = row.mistakes
            let question = question(row)
            // Leaves out a question with mistakes, because the rules of questions would report the same gaps again.
            if let question, rowMistakes.isEmpty {
                questions.append(question)
            } else {
                let original = row.cells.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
                unread.append(
                    UnreadQuestion(
                        line: row.line, read: question, original: original.joined(separator: "\n"),
                        mistakes: rowMistakes))
            }
        }
    }

    private mutating func question(_ row: ImportTable.Row) -> ReadQuestion? {
        if row["prompt"].isEmpty { complain(row, "prompt", .emptyCell, "write the question, or remove the row") }
        guard let kind = kind(of: row) else { return nil }
        for other in PackTable.Kind.allCases where other != kind {
            for column in other.columns where !row[column].isEmpty && !kind.columns.contains(column) {
                complain(row, column, .noPlace, "leave it empty: this row is a \(kind.rawValue)")
            }
        }
        let key: AnswerKey =
            switch kind {
            case .multipleChoice: .multipleChoice(choice(row))
            case .multipleResponse: .multipleResponse(responses(row))
            case .ordering: .ordering(order(row))
            case .matching: .matching(pairs(row))
            case .fillInTheBlank: .fillInTheBlank(.init(accepted: Variants.variants(in: row["accepted"])))
            case .calculation: .calculation(calculation(row))
            case .spoken:
                .spoken(.init(speech: needed(row, "speech", atLeast: 0, "write the number of seconds to speak")))
            }
        return ReadQuestion(
            line: row.line, id: row.cells["id"], topic: row.cells["topic"]?.lowercased(), difficulty: difficulty(row),
            bloom: bloom(row), prompt: row["prompt"], key: key, explanation: row.cells["explanation"],
            writtenBy: row.cells["written_by"])
    }

    /// Returns the kind that the row states or, if it states none, the kind whose columns are filled.
    private mutating func kind(of row: ImportTable.Row) -> PackTable.Kind? {
        let kinds = PackTable.Kind.allCases
        let known = kinds.map(\.rawValue).spoken
        if let word = row.cells["kind"] {
            let kind = kinds.first { $0.rawValue.lowercased() == word.lowercased() }
            if kind == nil { complain(row, "kind", .wrongKind, "use \(known), or leave it empty") }
            return kind
        }
        let kind = kinds.first { kind in kind.columns.contains { !row[$0].isEmpty } }
        let correct = row["correct"]
        if kind == .multipleChoice, Variants.variants(in: correct).count > 1,
            !PackTable.options.contains(where: { row[$0] == correct })
        {
            return .multipleResponse
        }
        if kind == nil {
            complain(row, "kind", .missing, "fill the options and correct, accepted, value or speech")
        }
        return kind
    }

    // MARK: - Keys

    private mutating func choice(_ row: ImportTable.Row) -> AnswerKey.MultipleChoice {
        let options = options(row)
        return .init(options: options, correct: correct(row, row["correct"], options))
    }

    private mutating func responses(_ row: ImportTable.Row) -> AnswerKey.MultipleResponse {
        let options = options(row)
        let cells = Variants.variants(in: row["correct"])
        let correct = (cells.isEmpty ? [""] : cells).map { self.correct(row, $0, options) }
        return .init(options: options, correct: Set(correct).sorted())
    }

    private mutating func order(_ row: ImportTable.Row) -> AnswerKey.Ordering {
        let options = options(row)
        return .init(options: options, correct: Array(options.indices))
    }

    private mutating func pairs(_ row: ImportTable.Row) -> AnswerKey.Matching {
        var pairs: [(premise: String, option: String)] = []
        var others: [String] = []
        for (column, cell) in zip(PackTable.options, options(row)) {
            let parts = Variants.variants(in: cell)
            switch parts.count {
            case 1: others.append(parts[0])
            case 2: pairs.append((parts[0], parts[1]))
            default: complain(row, column, .key, "write a pair as premise|option, and any other | as \\|")
            }
        }
        return .init(pairs: pairs, others: others)
    }

    private mutating func options(_ row: ImportTable.Row) -> [String] {
        let options = PackTable.options.map { row[$0] }
        let count = (options.lastIndex { !$0.isEmpty } ?? -1) + 1
        for place in 0..<count where options[place].isEmpty {
            complain(row, PackTable.options[place], .emptyCell, "write this option, or move the others up")
        }
        return Array(options[..<count])
    }

    private mutating func correct(_ row: ImportTable.Row, _ cell: String, _ options: [String]) -> Int {
        if let named = PackTable.options.firstIndex(of: cell.lowercased()), named < options.count { return named }
        let byNumber = Int(cell).flatMap { (1...max(1, options.count)).contains($0) ? $0 - 1 : nil }
        let byText = options.indices.filter { options[$0] == cell }
        let byLetter = Self.place(ofLetter: cell).flatMap { $0 < options.count ? $0 : nil }
        switch Set(byText + [byNumber, byLetter].compactMap(\.self)) {
        case let places where places.count == 1: return places.first ?? 0
        case let places where places.isEmpty:
            let isEmpty = cell.isEmpty
            complain(
                row, "correct", isEmpty ? .missing : .key,
                "write the number or letter of the right option, from 1 to \(options.count), or its text")
        default:
            // Guessing here could make a wrong option the right one.
            complain(
                row, "correct", .key,
                "can mean a number or letter, or an option's text: write the column's name, such as \(PackTable.options[0])"
            )
        }
        return Self.unknown
    }

    /// No option. A draft with this key has to be mended before it can be asked.
    private static let unknown = -1

    /// Returns the place of the option with a letter: `B`, `b)` or `(B)`. Nil if the cell is no letter.
    private static func place(ofLetter cell: String) -> Int? {
        let letters = cell.filter { !"().: ".contains($0) }.uppercased().unicodeScalars
        guard letters.count == 1, let letter = letters.first, ("A"..."I").contains(letter) else { return nil }
        return Int(letter.value) - 65
    }

    private mutating func calculation(_ row: ImportTable.Row) -> AnswerKey.Calculation {
        let units = Variants.variants(in: row["units"])
        return .init(
            value: needed(row, "value", "write the right number"),
            tolerance: number(row, "tolerance", atLeast: 0),
            units: units.isEmpty ? nil : units)
    }

    private mutating func needed(
        _ row: ImportTable.Row, _ column: String, atLeast least: Double? = nil, _ wish: String
    ) -> Double {
        if row[column].isEmpty { complain(row, column, .emptyCell, wish) }
        return number(row, column, atLeast: least) ?? .nan
    }

    /// Reads a number with a decimal point or comma. Nil if the cell is empty.
    private mutating func number(_ row: ImportTable.Row, _ column: String, atLeast least: Double? = nil) -> Double? {
        guard let cell = row.cells[column] else { return nil }
        switch numbers.reading(of: cell) {
        case .number(let number) where number >= least ?? number: return number
        case .either(let one, let other):
            complain(row, column, .number, "can mean \(one.plain) or \(other.plain): write one of them like this")
            return nil
        case .number, .none: break
        }
        complain(row, column, .number, "write a number\(least == nil ? "" : " that is not negative"), such as 1.5")
        return nil
    }

    // MARK: - Facts

    private mutating func difficulty(_ row: ImportTable.Row) -> Paper.Difficulty? {
        guard let word = row.cells["difficulty"] else { return nil }
        let difficulty = Paper.Difficulty(importWord: word)
        if difficulty == nil { complain(row, "difficulty", .unknownDifficulty, Paper.Difficulty.importWish) }
        return difficulty
    }

    private mutating func bloom(_ row: ImportTable.Row) -> Bloom? {
        guard let word = row.cells["bloom"] else { return nil }
        let bloom = Bloom(rawValue: word.lowercased())
        if bloom == nil {
            complain(row, "bloom", .unknownBloom, "use \(Bloom.allCases.map(\.rawValue).spoken), or leave it empty")
        }
        return bloom
    }

    private mutating func complain(
        _ row: ImportTable.Row, _ column: String, _ code: ImportMistake.Code, _ what: String
    ) {
        rowMistakes.append(ImportMistake(line: row.line, column: column, value: row[column], code, what))
    }

    private mutating func complain(
        _ row: ImportTable.Row, _ column: String, _ code: ImportMistake.QuestionCode, _ what: String
    ) {
        rowMistakes.append(ImportMistake(line: row.line, column, row[column], code, what))
    }
}
