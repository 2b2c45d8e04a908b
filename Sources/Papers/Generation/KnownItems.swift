/// The items that exist already, so that a model does not write one again: a bank, and drafts that were not reviewed
/// yet.
public struct KnownItems: KnownPieces {
    public let bank: ItemBank
    private var ids: Set<String> = []
    private var texts: [Text] = []
    /// The titles by section, to tell a model what exists.
    private var titles: [String: [String]] = [:]

    private struct Text: Sendable {
        var item: String
        var field: String
        var words: [String]
    }

    public init(bank: ItemBank, drafts: [BankItem] = []) {
        self.bank = bank
        for item in bank.items + drafts { add(item) }
    }

    public mutating func add(_ item: BankItem) {
        ids.insert(item.id)
        if case .card(let card) = item { ids.formUnion(card.discussions.map(\.id)) }
        titles[item.section, default: []].append(item.about.title)
        for text in item.texts where text.kind == .question || text.kind == .cardTopic {
            texts.append(Text(item: item.id, field: text.field, words: text.text.bankWords))
        }
    }

    public func has(_ id: String) -> Bool { ids.contains(id) }

    /// Returns the newest titles of a section, as many as fit into a prompt.
    func titles(of section: String) -> [String] { Array((titles[section] ?? []).suffix(60)) }

    /// Returns a finding for each text of an item that is nearly the same as a known one, or as another text of the
    /// item.
    func duplicates(of item: BankItem) -> [ItemFinding] {
        var before: [Text] = []
        var found: [ItemFinding] = []
        for text in item.texts where text.kind == .question || text.kind == .cardTopic {
            let own = Text(item: "its own", field: text.field, words: text.text.bankWords)
            if let twin = (texts + before).first(where: { TextLikeness.isDuplicate($0.words, own.words) }) {
                let whose = twin.item == own.item ? "its own" : "\(twin.item)'s"
                found.append(
                    ItemFinding(
                        rule: DraftRule.duplicate.rawValue, field: own.field,
                        what: "is nearly the same as \(whose) \(twin.field)"))
            }
            before.append(own)
        }
        return found
    }
}
