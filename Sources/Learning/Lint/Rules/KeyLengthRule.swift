import Papers

extension QuestionRule {
    /// The right one is not known by its length (line 16; of 2,026 questions by models 1,730 had this flaw).
    static let keyLength = QuestionRule(
        id: "key-length", wish: "a right option that is less than 1.5 times as long as the others are on average"
    ) { question, options, correct in
        let others = options.indices.filter { $0 != correct }.map { options[$0].count }
        guard !others.isEmpty, options[correct].count > shortest else { return [] }
        let mean = Double(others.reduce(0, +)) / Double(others.count)
        let ratio = Double(options[correct].count) / max(1, mean)
        return ratio < 1.5 ? [] : [("options[\(correct)]", "is \(ratio.oneDecimal) times as long as the others")]
    }

    /// Of words so short nobody sees which is the longest: "for" beside "at".
    private static let shortest = 12
}

extension Double {
    fileprivate var oneDecimal: Double { (self * 10).rounded() / 10 }
}
