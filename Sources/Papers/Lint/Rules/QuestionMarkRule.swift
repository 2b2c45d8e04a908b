extension ItemRule {
    static let questionMark = ItemRule(id: "question-mark", wish: "a question mark at the end of what asks") { text in
        guard [.question, .followUp, .rephrasing].contains(text.kind), text.role != .sentence, text.role != .task else {
            return nil
        }
        return text.text.hasSuffix("?") ? nil : "does not end with a question mark"
    }
}
