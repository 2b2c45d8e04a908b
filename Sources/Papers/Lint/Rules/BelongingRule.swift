extension ItemRule {
    /// Finds discussions that do not belong to their card. Part 3 continues the card's topic, so two questions of each
    /// discussion must have one of the card's keywords.
    static let belonging = ItemRule(
        id: "belonging", wish: "discussions that belong to their card: two questions of each have one of its keywords"
    ) { item in
        guard case .card(let card) = item else { return [] }
        return card.discussions.enumerated().compactMap { number, discussion in
            let count = discussion.questions.count { question in
                question.text.bankWords.contains { word in card.about.keywords.contains(where: word.hasPrefix) }
            }
            return count < 2
                ? (
                    "discussions[\(number)]",
                    "only \(count) of its questions have one of the card's keywords; at least two should"
                )
                : nil
        }
    }
}
