import Papers

extension QuestionRule {
    /// What says "always" is mostly wrong, and whoever takes tests knows it.
    static let absolute = QuestionRule(
        id: "absolute", wish: "no always, never, everyone or nobody in wrong options alone"
    ) { _, options, correct in
        guard words.first(in: options[correct]) == nil else { return [] }
        let wrong = options.indices.filter { $0 != correct && words.first(in: options[$0]) != nil }
        // Where several have one, it is no sign.
        return wrong.count == 1 ? wrong.map { ("options[\($0)]", "is the one with an absolute word") } : []
    }

    private static let words = WordList(
        "always, never, everyone, everybody, nobody, no one, completely, totally, impossible")
}
