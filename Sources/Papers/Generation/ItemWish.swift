public import ExamCore

/// One item that a model is to write.
public struct ItemWish: Codable, Equatable, Sendable {
    /// `topics`, `home-or-work`, or `ItemBank.cards`.
    public var section: String
    /// What it is to be about, in whatever words a person chose; nil: anything.
    public var topic: String?
    /// nil: any.
    public var difficulty: Paper.Difficulty?

    public init(section: String, topic: String? = nil, difficulty: Paper.Difficulty? = nil) {
        self.section = section
        self.topic = topic
        self.difficulty = difficulty
    }

    var isCard: Bool { section == ItemBank.cards }

    /// What the questions of a frame are for; a card has its own.
    var role: PaperBlueprint.Role {
        SectionKind(section).role
    }

    /// Whether words say that what bears them is about this: keywords of an item, and its id where a person chose it.
    func isMeant(by words: [String]) -> Bool { topic.map { Topic.isNamed($0, by: words) } ?? true }
}

package enum Topic {
    /// Whether one of the words is of the topic's kind: "rain" for "a rainy day".
    package static func isNamed(_ topic: String, by words: [String]) -> Bool {
        let wanted = topic.bankWords.filter { !Self.small.contains($0) }
        let words = words.flatMap(\.bankWords)
        return wanted.contains { want in words.contains { $0.hasPrefix(want.stem) || want.hasPrefix($0.stem) } }
    }

    /// Words that no topic is about.
    private static let small: Set<String> = [
        "a", "an", "the", "of", "in", "on", "at", "to", "and", "or", "for", "with", "my", "your", "about", "some",
    ]
}

extension String {
    /// What a word has in common with others of its kind: `cook` of `cooking`, `rain` of `rainy`.
    fileprivate var stem: String {
        let ending = ["ing", "ies", "es", "s", "y", "e"].first { hasSuffix($0) && count - $0.count >= 3 }
        return ending.map { String(dropLast($0.count)) } ?? self
    }
}

extension BankItem: Identifiable {}

extension ItemWish: GenerationWish {
    public func prompt(
        beside known: KnownItems, repairing faults: [ItemFinding], earlier: String?
    ) -> GenerationPrompt {
        ItemPrompt.of(self, beside: known, repairing: faults, earlier: earlier)
    }

    public func read(
        _ text: String, writtenBy: String, beside known: KnownItems
    ) -> Result<BankItem, DraftFault> {
        ItemDraft.read(text, for: self, writtenBy: writtenBy, isTaken: known.has)
    }

    public func findings(of item: BankItem, beside known: KnownItems) -> [ItemFinding] {
        item.findings(as: self, beside: known)
    }

    /// Those of the bank that are as was wished.
    public func standIns(in known: KnownItems, without used: Set<String>) -> [String] {
        known.bank.items.filter { item in
            item.section == section && difficulty ?? item.about.difficulty == item.about.difficulty
                && isMeant(by: item.about.keywords + [item.id]) && !used.contains(item.id)
        }.map(\.id)
    }
}
