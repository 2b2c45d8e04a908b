extension ItemRule {
    /// Finds texts that are too long to be said in one breath, and so are hard to understand by ear.
    static let length = ItemRule(
        id: "length",
        wish:
            "no more words than can be said in one breath: the place's limit, 9 for a follow-up, 16 for a rephrasing, 14 for a lead"
    ) { text in
        let (count, most) = (text.text.bankWords.count, limit(of: text))
        return count > most ? "has \(count) words; at most \(most) are allowed here" : nil
    }

    private static func limit(of text: ItemText) -> Int {
        switch text.kind {
        case .question: text.maxWords
        case .followUp: 9
        case .rephrasing, .cardTopic: 16
        case .lead, .cardExplain: 14
        case .cardPoint, .alternativePoint: 10
        case .alternative: 6
        // A minute and a half at 150 words a minute. The rule `materials` checks each section's own limits.
        case .passage: 240
        case .description: 150
        }
    }
}
