extension ItemRule {
    /// Finds rephrasings that are missing, longer, or nearly the same as the question.
    static let rephrasing = ItemRule(
        id: "rephrasing", wish: "for each question of a discussion the same in easier and no more words"
    ) { item in
        item.questions.compactMap { field, question, role in
            guard role == .discussion else { return nil }
            guard let easier = question.rephrased else { return ("\(field).rephrased", "is missing") }
            let (words, own) = (easier.bankWords, question.text.bankWords)
            if words.count >= own.count + 3 {
                return ("\(field).rephrased", "is longer than the question it makes easier")
            }
            return TextLikeness.rougeL(words, own) > 0.85
                ? ("\(field).rephrased", "is nearly the same as the question") : nil
        }
    }
}
