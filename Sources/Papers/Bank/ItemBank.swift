import ExamCore
public import SystemSupport

/// The items from which papers are made, in a fixed order, with indexes to find them.
public struct ItemBank: Sendable {
    /// The items, ordered by their ids.
    public let items: [BankItem]
    /// The SHA-256 of all items. Papers refer to the bank by it.
    public let version: String
    /// The indices in `items` by section and difficulty.
    let places: [Key: [Int]]
    /// Each item's keywords as numbers.
    let keywords: [[Int32]]
    /// The numbers of the keywords.
    let numbers: [String: Int32]

    struct Key: Hashable {
        var section: String
        var difficulty: Paper.Difficulty
    }

    /// The section of card items, regardless of the names of a format's parts.
    public static let cards = "card"

    /// Creates a bank.
    ///
    /// - Throws: `Problem.malformed` if two items have the same id.
    public init(_ items: [BankItem]) throws(Problem) {
        let items = items.sorted { $0.id < $1.id }
        for (one, next) in zip(items, items.dropFirst()) where one.id == next.id {
            throw Problem(.malformed, "item bank: two items have the id \"\(one.id)\"; give each its own id")
        }
        self.items = items
        version = SHA256.hexadecimal(of: JSONFile.encode(items))
        var places: [Key: [Int]] = [:]
        var numbers: [String: Int32] = [:]
        for (place, item) in items.enumerated() {
            places[Key(section: item.section, difficulty: item.about.difficulty), default: []].append(place)
            for word in item.about.keywords where numbers[word] == nil { numbers[word] = Int32(numbers.count) }
        }
        self.places = places
        self.numbers = numbers
        keywords = items.map { item in item.about.keywords.compactMap { numbers[$0] } }
    }

    public subscript(id: String) -> BankItem? { place(of: id).map { items[$0] } }

    func place(of id: String) -> Int? {
        let place = items.partitioningIndex { $0.id >= id }
        return place < items.count && items[place].id == id ? place : nil
    }

    /// Returns the indices of items with these ids or keywords, regardless of case.
    func places(about topics: [String]) -> Set<Int> {
        let words = Set(topics.map { $0.lowercased() })
        let numbers = Set(words.compactMap { self.numbers[$0] })
        return Set(
            items.indices.filter { place in
                words.contains(items[place].id) || keywords[place].contains(where: numbers.contains)
            })
    }

    /// Returns whether two items share a keyword.
    func share(_ one: Int, _ other: Int) -> Bool {
        keywords[one].contains(where: keywords[other].contains)
    }

    /// Reads an item from its file, strictly.
    ///
    /// - Throws: `Problem.malformed` with the line or field.
    public static func item(from bytes: [UInt8], name: String) throws(Problem) -> BankItem {
        try JSONFile.decode(BankItem.self, "bank item", version: BankItem.layoutVersion, from: bytes, name: name)
    }
}

extension BankItem {
    /// All prompts of the item, as the examiner says them.
    public var prompts: [String] {
        texts.compactMap { text in
            switch text.kind {
            case .cardPoint, .cardExplain, .description, .alternative, .alternativePoint: nil
            case .cardTopic: BankCard.prompt(text.text)
            case .lead, .question, .followUp, .rephrasing, .passage: text.text
            }
        }
    }

    /// The section of papers that the item is for.
    public var section: String {
        switch self {
        case .frame(let frame): frame.section
        case .card: ItemBank.cards
        }
    }
}

extension Array {
    /// Returns the first index from which on all elements fit. The elements that fit must be at the end.
    fileprivate func partitioningIndex(_ fits: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if fits(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
