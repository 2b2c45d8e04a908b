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
    func isMeant(by words: [String]) -> Bool {
        guard let topic else { return true }
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
