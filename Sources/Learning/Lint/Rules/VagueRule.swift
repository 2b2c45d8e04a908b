import Papers

extension QuestionRule {
    /// Finds options such as "probably", which cannot be wrong.
    static let vague = QuestionRule(id: "vague", wish: "no option that may mean anything: it depends, and so on") {
        _, options, _ in
        options.indices.compactMap { place in
            words.first(in: options[place]).map { ("options[\(place)]", "\"\($0)\" is too vague") }
        }
    }

    private static let words = WordList(
        "it depends on the situation, and so on, et cetera, something like that, maybe or maybe not")
}
