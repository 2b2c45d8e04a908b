import ExamCore

/// An item from a file, with the lines of its parts: `questions[2]` → 14.
struct ImportedItem: Equatable {
    var item: BankItem
    var line: Int
    var lines: [String: Int] = [:]
}

/// Reads tables of items: those that `ItemTable` wrote, and those that people wrote with the same columns.
struct ItemTableReader {
    private(set) var items: [ImportedItem] = []
    private(set) var mistakes: [ImportMistake]

    init(_ bytes: [UInt8]) {
        let table = ImportTable(bytes, required: ItemTable.required, optional: ItemTable.optional)
        mistakes = table.mistakes + table.rows.flatMap(\.mistakes)
        guard mistakes.isEmpty else { return }
        var order: [String] = []
        var groups: [String: [ImportTable.Row]] = [:]
        for row in table.rows {
            let id = row["item"].isEmpty ? order.last ?? "" : row["item"]
            if id.isEmpty {
                complain(row, "item", .emptyCell, "give the item of this question an id, such as green-parks")
                continue
            }
            if groups[id] == nil {
                order.append(id)
            } else if id != order.last {
                complain(row, "item", .contradiction, "put all rows of an item together")
            }
            groups[id, default: []].append(row)
        }
        for id in order { read(id, groups[id] ?? []) }
    }

    private mutating func read(_ id: String, _ rows: [ImportTable.Row]) {
        let before = mistakes.count
        let section = fact("section", of: rows, "name the section, such as topics or card")
        let title = fact("title", of: rows, "give the item a title")
        let difficulty = difficulty(of: rows)
        let keywords = fact("keywords", of: rows, "give 3 to 8 keywords for the item, separated by commas")
        let about = BankLabel(
            id: id, title: title, difficulty: difficulty ?? .medium, keywords: Self.keywords(keywords),
            writtenBy: fact("written_by", of: rows, nil).nilIfEmpty)
        var read = ImportedItem(
            item: .frame(BankFrame(about: about, section: section, questions: [])), line: rows[0].line)
        if section == ItemBank.cards {
            read.item = .card(card(about, rows, &read.lines))
        } else {
            for row in rows where !row["part"].isEmpty {
                complain(row, "part", .noPlace, "leave it empty: only a card has parts")
            }
            let lead = fact("lead", of: rows, nil).nilIfEmpty
            read.item = .frame(
                BankFrame(
                    about: about, section: section, lead: lead, questions: questions(rows, "questions", &read.lines)))
        }
        // Leaves out an item with mistakes, because the item's findings would report the same gaps again.
        if mistakes.count == before { items.append(read) }
    }

    // MARK: - Cards

    private mutating func card(
        _ about: BankLabel, _ rows: [ImportTable.Row], _ lines: inout [String: Int]
    ) -> BankCard {
        var texts: [ItemTable.Part: [String]] = [:]
        var order: [String] = []
        var discussions: [String: [ImportTable.Row]] = [:]
        for row in rows {
            guard let (part, id) = part(of: row, about.id) else { continue }
            if let id {
                if discussions[id] == nil { order.append(id) }
                discussions[id, default: []].append(row)
                continue
            }
            for column in ["lead", "bloom", "follow_up", "easier"] where !row[column].isEmpty {
                complain(row, column, .noPlace, "leave it empty: only a discussion's questions have one")
            }
            let number = texts[part]?.count ?? 0
            if number > 0, part == .card || part == .explain {
                complain(row, "part", .doublePart, "keep only one row of this part")
            }
            lines[Self.field(of: part, number)] = row.line
            texts[part, default: []].append(question(of: row))
        }
        for part in [ItemTable.Part.card, .explain] where texts[part] == nil {
            mistakes.append(
                ImportMistake(
                    line: rows[0].line, column: "part", value: about.id, .missingPart,
                    "add a row whose part is \(part.rawValue)"))
        }
        return BankCard(
            about: about,
            card: Paper.Card(
                topic: texts[.card]?.first ?? "", points: texts[.point] ?? [], explain: texts[.explain]?.first ?? ""),
            roundingOff: texts[.after] ?? [],
            discussions: order.enumerated().map { number, id in
                let (rows, field) = (discussions[id] ?? [], "discussions[\(number)]")
                lines[field] = rows[0].line
                return BankCard.Discussion(
                    id: id, lead: fact("lead", of: rows, "write the lead of this discussion in its first row"),
                    questions: questions(rows, "\(field).questions", &lines))
            })
    }

    /// Returns the kind of a row, and the discussion that it belongs to. `discussion 2` in the item `parks` means the
    /// discussion `parks-2`.
    private mutating func part(of row: ImportTable.Row, _ item: String) -> (ItemTable.Part, discussion: String?)? {
        let words = row["part"].split(whereSeparator: \.isWhitespace)
        let part = words.first.flatMap { ItemTable.Part(rawValue: $0.lowercased()) }
        switch (part, words.count) {
        case (.discussion?, 2):
            return (.discussion, words[1].allSatisfy(\.isNumber) ? "\(item)-\(words[1])" : "\(words[1])")
        case (let part?, 1) where part != .discussion: return (part, nil)
        default:
            complain(
                row, "part", .unknownPart, "use card, point, explain, after, or discussion with a number: discussion 1")
            return nil
        }
    }

    private static func field(of part: ItemTable.Part, _ number: Int) -> String {
        switch part {
        case .card: "card.topic"
        case .point: "card.points[\(number)]"
        case .explain: "card.explain"
        case .after: "roundingOff[\(number)]"
        case .discussion: "discussions[\(number)]"
        }
    }

    // MARK: - Questions and facts

    private mutating func questions(
        _ rows: [ImportTable.Row], _ field: String, _ lines: inout [String: Int]
    ) -> [BankQuestion] {
        rows.enumerated().map { number, row in
            lines["\(field)[\(number)]"] = row.line
            return BankQuestion(
                text: question(of: row), bloom: bloom(of: row), rephrased: row["easier"].nilIfEmpty,
                followUp: row["follow_up"].nilIfEmpty)
        }
    }

    private mutating func question(of row: ImportTable.Row) -> String {
        if row["question"].isEmpty { complain(row, "question", .emptyCell, "write the question, or remove the row") }
        return row["question"]
    }

    private mutating func bloom(of row: ImportTable.Row) -> Bloom {
        let known = Bloom.allCases.map(\.rawValue).spoken
        if let bloom = Bloom(rawValue: row["bloom"].lowercased()) { return bloom }
        complain(row, "bloom", row["bloom"].isEmpty ? .emptyCell : .unknownBloom, "use \(known)")
        return .remember
    }

    private mutating func difficulty(of rows: [ImportTable.Row]) -> Paper.Difficulty? {
        let known = Paper.Difficulty.allCases.map(\.rawValue).spoken
        let word = fact("difficulty", of: rows, "use \(known)")
        let difficulty = Paper.Difficulty.allCases.first { $0.rawValue.lowercased() == word.lowercased() }
        if !word.isEmpty, difficulty == nil, let row = rows.first(where: { $0["difficulty"] == word }) {
            complain(row, "difficulty", .unknownDifficulty, "use \(known)")
        }
        return difficulty
    }

    private static func keywords(_ cell: String) -> [String] {
        cell.split { ",;".contains($0) }.map { String($0.trimmed) }.filter { !$0.isEmpty }
    }

    /// Returns a fact that several rows share. It is usually in the first row.
    ///
    /// - Parameter wish: the advice to the table's author if no row states the fact. If nil, the fact may be absent.
    private mutating func fact(_ column: String, of rows: [ImportTable.Row], _ wish: String?) -> String {
        let told = rows.filter { !$0[column].isEmpty }
        guard let first = told.first else {
            if let wish { complain(rows[0], column, .emptyCell, wish) }
            return ""
        }
        for row in told where row[column] != first[column] {
            complain(
                row, column, .contradiction,
                "line \(first.line) has \"\(first[column])\": write it only once, or the same")
        }
        return first[column]
    }

    private mutating func complain(
        _ row: ImportTable.Row, _ column: String, _ code: ImportMistake.Code, _ what: String
    ) {
        mistakes.append(ImportMistake(line: row.line, column: column, value: row[column], code, what))
    }
}

extension String {
    fileprivate var nilIfEmpty: String? { isEmpty ? nil : self }
}
