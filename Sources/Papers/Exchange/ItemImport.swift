/// The items of a file that may go into a bank. Either all items are taken or none.
///
/// ```
/// let new = try ItemImport(bytes, into: bank, own: ["my-town"], replacing: false).items
/// ```
public struct ItemImport: Sendable {
    public let items: [BankItem]

    /// Reads and checks the items.
    ///
    /// - Parameters:
    ///   - bytes: a table (`ItemTable`), or JSON with an item or a list of items.
    ///   - bank: the present bank, including the items of `own`.
    ///   - own: the ids that may be overwritten if `replacing` is true.
    public init(
        _ bytes: [UInt8], into bank: ItemBank, own: Set<String> = [], replacing: Bool = false
    ) throws(ImportMistakes) {
        let read: [ImportedItem]
        var mistakes: [ImportMistake]
        if ItemFile.isJSON(bytes) {
            let file = ItemFile(bytes)
            (read, mistakes) = (file.items, file.mistakes)
        } else {
            let table = ItemTableReader(bytes)
            (read, mistakes) = (table.items, table.mistakes)
        }
        for item in read { mistakes += item.item.findings.map(item.mistake) }
        mistakes += Self.takenIDs(of: read, in: bank, replaceable: replacing ? own : [], own: own)
        if mistakes.isEmpty { mistakes = Self.duplicates(of: read, in: bank) }
        guard mistakes.isEmpty else { throw ImportMistakes(mistakes) }
        items = read.map(\.item)
    }

    private static func takenIDs(
        of read: [ImportedItem], in bank: ItemBank, replaceable: Set<String>, own: Set<String>
    ) -> [ImportMistake] {
        let replaced = Set(read.map(\.item.id)).intersection(replaceable)
        var mistakes: [ImportMistake] = []
        var taken: Set<String> = []
        for item in bank.items where !replaced.contains(item.id) { taken.formUnion(item.ids) }
        for item in read {
            for (number, id) in item.item.ids.enumerated() where !taken.insert(id).inserted {
                let isOwn = number == 0 && own.contains(id) && !replaced.contains(id)
                mistakes.append(
                    ImportMistake(
                        line: item.line(of: number == 0 ? "id" : "discussions[\(number - 1)]"),
                        column: number == 0 ? "item" : "part", value: id, .taken,
                        isOwn
                            ? "is already the id of your own item: choose another id, or add --replace"
                            : "this id is already used: choose another one"))
            }
        }
        return mistakes
    }

    private static func duplicates(of read: [ImportedItem], in bank: ItemBank) -> [ImportMistake] {
        let new = Dictionary(read.map { ($0.item.id, $0) }) { first, _ in first }
        // All ids are different at this point.
        guard let all = try? ItemBank(bank.items.filter { new[$0.id] == nil } + read.map(\.item)) else { return [] }
        return all.duplicates(of: Set(new.keys)).compactMap { twin in
            let isLater = new[twin.item] != nil
            guard let item = new[isLater ? twin.item : twin.otherItem] else { return nil }
            let (field, other) = isLater ? (twin.field, twin.otherItem) : (twin.otherField, twin.item)
            return item.mistake(
                ItemFinding(
                    rule: "duplicate", field: field,
                    what: "is nearly the same as in \(other): change or remove it"))
        }
    }
}

extension BankItem {
    /// The ids of the item and its discussions, which are unique in a bank.
    fileprivate var ids: [String] {
        switch self {
        case .frame: [id]
        case .card(let card): [id] + card.discussions.map(\.id)
        }
    }
}

extension ImportedItem {
    /// Returns a rule's finding as a mistake with its place in the file.
    func mistake(_ finding: ItemFinding) -> ImportMistake {
        let last = finding.field.split(separator: ".").last.map(String.init) ?? finding.field
        let column = lines.isEmpty ? finding.field : Self.columns[last] ?? "question"
        return ImportMistake(
            line: line(of: finding.field), column: column, value: value(of: finding.field), rule: finding.rule,
            finding.what)
    }

    /// Returns the line of a field, or of the nearest field that contains it.
    func line(of field: String) -> Int {
        var field = field[...]
        while !field.isEmpty {
            if let line = lines[String(field)] { return line }
            field = field.lastIndex(of: ".").map { field[..<$0] } ?? ""
        }
        return line
    }

    private static let columns = [
        "id": "item", "title": "title", "keywords": "keywords", "lead": "lead", "bloom": "bloom",
        "followUp": "follow_up", "rephrased": "easier",
    ]

    private func value(of field: String) -> String {
        switch field {
        case "id": item.id
        case "title": item.about.title
        case "keywords": item.about.keywords.joined(separator: ", ")
        default:
            item.texts.first { $0.field == field }?.text
                ?? item.questions.first { $0.field + ".bloom" == field }?.question.bloom.rawValue ?? ""
        }
    }
}
