import Papers

extension QuestionRule {
    /// What is asked this year can be asked in ten.
    static let timely = QuestionRule(id: "timely", wish: "no brands, and no years") { text in
        if let word = WordList.brands.first(in: text) { return "\"\(word)\" grows old" }
        return text.bankWords.first { $0.count == 4 && $0.allSatisfy(\.isNumber) && ("1900"..."2099").contains($0) }
            .map { "\"\($0)\" is a year" }
    }
}
