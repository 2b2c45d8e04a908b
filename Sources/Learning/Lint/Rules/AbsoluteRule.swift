import Papers

extension QuestionRule {
    /// Finds wrong options with words such as "always". Such options are mostly wrong, and experienced test takers know
    /// it.
    static let absolute = QuestionRule(
        id: "absolute", wish: "no words like always, never or everyone in wrong options alone"
    ) { _, options, correct in
        guard words.first(in: options[correct]) == nil else { return [] }
        let wrong = options.indices.filter { $0 != correct && words.first(in: options[$0]) != nil }
        // If several options have such a word, it gives nothing away.
        return wrong.count == 1 ? wrong.map { ("options[\($0)]", "is the one with an absolute word") } : []
    }

    private static let words = WordList(
        "always, never, everyone, everybody, nobody, no one, completely, totally, impossible")
}
