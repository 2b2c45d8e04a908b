public import ExamCore

/// An item that a model is asked to write.
public struct ItemWish: Codable, Equatable, Sendable {
    /// `topics`, `home-or-work`, or `ItemBank.cards`.
    public var section: String
    /// The wanted topic in a person's own words. Nil for any topic.
    public var topic: String?
    /// Nil for any difficulty.
    public var difficulty: Paper.Difficulty?

    public init(section: String, topic: String? = nil, difficulty: Paper.Difficulty? = nil) {
        self.section = section
        self.topic = topic
        self.difficulty = difficulty
    }

    var isCard: Bool { section == ItemBank.cards }

    /// The role of a frame's questions. A card has its own.
    var role: PaperBlueprint.Role {
        SectionKind(section).role
    }

    /// Returns whether an item is on the wanted topic.
    ///
    /// - Parameter words: the item's keywords, and its id if a person chose it.
    func isMeant(by words: [String]) -> Bool { topic.map { Topic.isNamed($0, by: words) } ?? true }
}

package enum Topic {
    /// Returns whether one of the words is related to the topic: "rain" for "a rainy day".
    package static func isNamed(_ topic: String, by words: [String]) -> Bool {
        let wanted = topic.bankWords.filter { !Self.small.contains($0) }
        let words = words.flatMap(\.bankWords)
        return wanted.contains { want in words.contains { $0.hasPrefix(want.stem) || want.hasPrefix($0.stem) } }
    }

    /// Words without a meaning of their own.
    private static let small: Set<String> = [
        "a", "an", "the", "of", "in", "on", "at", "to", "and", "or", "for", "with", "my", "your", "about", "some",
    ]
}

extension String {
    /// The part of a word that related words share: `cook` in `cooking`, `rain` in `rainy`.
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

    /// Returns the ids of the bank's items that match the wish.
    public func standIns(in known: KnownItems, without used: Set<String>) -> [String] {
        known.bank.items.filter { item in
            item.section == section && difficulty ?? item.about.difficulty == item.about.difficulty
                && isMeant(by: item.about.keywords + [item.id]) && !used.contains(item.id)
        }.map(\.id)
    }
}
