import Papers

extension QuestionRule {
    /// Finds brands and years, which make a question grow old.
    static let timely = QuestionRule(id: "timely", wish: "no brands, and no years") { text in
        if let word = WordList.brands.first(in: text) { return "\"\(word)\" will be outdated" }
        return text.bankWords.first { $0.count == 4 && $0.allSatisfy(\.isNumber) && ("1900"..."2099").contains($0) }
            .map { "\"\($0)\" is a year" }
    }
}
