extension ItemRule {
    /// Finds questions that ask two things, because candidates then answer only one (item-writing flaws, arXiv
    /// 2307.08161).
    static let doubleQuestion = ItemRule(id: "double-question", wish: "one thing asked at a time") { text in
        let words = text.text.bankWords
        let isJoined = zip(words.dropFirst(), words.dropFirst(2)).contains { joins.contains($0) && asks.contains($1) }
        let mayJoin =
            text.kind == .lead || text.kind == .cardPoint || text.kind == .cardExplain
            || [.interview, .sentence, .task].contains(text.role)
        let mayAskTwice = text.role == .interview || text.role == .task
        return text.text.count { $0 == "?" } > 1 && !mayAskTwice || isJoined && !mayJoin ? "asks two things" : nil
    }

    private static let joins: Set<String> = ["and", "or"]
    private static let asks: Set<String> = [
        "what", "why", "how", "when", "where", "who", "which", "do", "does", "did", "is", "are", "can",
    ]
}
