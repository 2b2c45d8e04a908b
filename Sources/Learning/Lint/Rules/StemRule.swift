import Papers

extension QuestionRule {
    /// Finds prompts that are not clear without their options.
    static let stem = QuestionRule(
        id: "stem", wish: "a prompt that is a whole question, or a sentence with a gap (___), and asks for one thing"
    ) { question in
        let prompt = question.prompt
        if case .multipleChoice = question.key, !ShownText.hasQuestionMark(prompt), !prompt.contains("___") {
            return [("prompt", "is neither a question nor a sentence with a gap")]
        }
        return unfocused.first(in: prompt).map { [("prompt", "\"\($0)\" does not say what is asked")] } ?? []
    }

    private static let unfocused = WordList(
        """
        which of the following is true, which of the following is correct, which of these is true, which of these is correct, \
        which statement is true, which statement is correct, which is true, which is correct
        """)
}
