import Papers

extension QuestionRule {
    /// Finds negative prompts, because a learner may overlook a "not".
    static let negative = QuestionRule(id: "negative", wish: "no prompt that asks what is not so, or is so except one")
    {
        question in
        words.first(in: question.prompt).map { [("prompt", "\"\($0)\" asks for what is not so")] } ?? []
    }

    private static let words = WordList(
        "which is not, which are not, is not a, is not an, are not a, except, which of these is not, does not mean, least likely, not true, incorrect"
    )
}
