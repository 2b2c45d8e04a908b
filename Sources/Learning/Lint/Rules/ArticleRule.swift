extension QuestionRule {
    /// Finds articles before a gap: "an ___" reveals which options begin with a vowel.
    static let article = QuestionRule(id: "article", wish: "no gap behind a or an that only some options fit") {
        question, options, _ in
        let words = question.prompt.lowercased().split(separator: " ")
        guard let gap = words.firstIndex(where: { $0.hasPrefix("___") }), gap > 0, ["a", "an"].contains(words[gap - 1])
        else { return [] }
        let fits = options.map { ("aeiou".contains($0.lowercased().first ?? "b")) == (words[gap - 1] == "an") }
        return fits.contains(true) && fits.contains(false)
            ? [("prompt", "\"\(words[gap - 1])\" before the gap does not fit each option")] : []
    }
}
