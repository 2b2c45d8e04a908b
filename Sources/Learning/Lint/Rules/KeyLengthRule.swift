import Papers

extension QuestionRule {
    /// The right one is not known by its length (line 16; of 2,026 questions by models 1,730 had this flaw).
    static let keyLength = QuestionRule(
        id: "key-length", wish: "a right option that is less than 1.5 times as long as the others are on average"
    ) { _, options, correct in
        let others = options.indices.filter { $0 != correct }.map { options[$0] }
        guard let ratio = options[correct].lengthThatTells(beside: others) else { return [] }
        return [("options[\(correct)]", "is \((ratio * 10).rounded() / 10) times as long as the others")]
    }
}

extension String {
    /// How many times as long an option is as others are on average, where that makes it known; nil where it does not.
    func lengthThatTells(beside others: [String]) -> Double? {
        guard !others.isEmpty, count > Self.shortest else { return nil }
        let mean = Double(others.reduce(0) { $0 + $1.count }) / Double(others.count)
        let ratio = Double(count) / max(1, mean)
        return ratio < 1.5 ? nil : ratio
    }

    /// Of words so short nobody sees which is the longest: "for" beside "at".
    private static let shortest = 12
}
