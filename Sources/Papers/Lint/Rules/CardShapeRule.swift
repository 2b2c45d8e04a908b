extension ItemRule {
    /// Finds cards without the usual form: a topic line, points that help, and one aspect to explain.
    static let cardShape = ItemRule(
        id: "card-shape",
        wish:
            "a card whose topic is a sentence that begins with Describe, whose points begin with what, where, when, who, which, how or why, and whose last line begins with \"and explain\""
    ) { text in
        switch text.kind {
        case .cardTopic:
            return text.text.hasPrefix("Describe ") && text.text.hasSuffix(".")
                ? nil : "should be a sentence that begins with \"Describe\""
        case .cardPoint:
            let isPoint = openings.contains(text.text.bankWords.first ?? "") && !".?".contains(text.text.last ?? ".")
            return isPoint ? nil : "should begin with what, where, when, who, which, how or why, and have no full stop"
        case .cardExplain:
            let isThat = ["and explain why ", "and explain how ", "and explain what "].contains(
                where: text.text.hasPrefix)
            return isThat && text.text.hasSuffix(".") ? nil : "should be \"and explain why … .\""
        case .lead, .question, .followUp, .rephrasing, .passage, .description, .alternative, .alternativePoint:
            return nil
        }
    }

    private static let openings: Set<String> = [
        "what", "where", "when", "who", "whom", "which", "how", "why", "whether",
    ]
}
