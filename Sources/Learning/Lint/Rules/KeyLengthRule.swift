extension QuestionRule {
    /// Finds right options that stand out by their length. Of 2,026 questions by models, 1,730 had this flaw.
    static let keyLength = QuestionRule(
        id: "key-length", wish: "a right option that is less than 1.5 times as long as the others are on average"
    ) { _, options, correct in
        let others = options.indices.filter { $0 != correct }.map { options[$0] }
        guard let ratio = options[correct].lengthThatTells(beside: others) else { return [] }
        return [("options[\(correct)]", "is \((ratio * 10).rounded() / 10) times as long as the others")]
    }
}

extension String {
    /// Returns the ratio of an option's length to the average of the others, if it makes the option stand out.
    /// Otherwise nil.
    func lengthThatTells(beside others: [String]) -> Double? {
        guard !others.isEmpty, count > Self.shortest else { return nil }
        let mean = Double(others.reduce(0) { $0 + $1.count }) / Double(others.count)
        let ratio = Double(count) / max(1, mean)
        return ratio < 1.5 ? nil : ratio
    }

    /// Among words up to this length, such as "for" and "at", the longest does not stand out.
    private static let shortest = 12
}
