import Papers

extension QuestionRule {
    /// Finds right options that stand out by a word from the prompt.
    static let echo = QuestionRule(
        id: "echo", wish: "no rare word of the prompt that stands in the right option alone"
    ) { question, options, correct in
        let asked = Set(question.prompt.bankWords.filter { $0.count >= 7 })
        let own = Set(options[correct].bankWords).intersection(asked)
        let others = Set(options.indices.filter { $0 != correct }.flatMap { options[$0].bankWords })
        return own.subtracting(others).min().map {
            [("options[\(correct)]", "\"\($0)\" of the prompt occurs only in this option")]
        } ?? []
    }
}
