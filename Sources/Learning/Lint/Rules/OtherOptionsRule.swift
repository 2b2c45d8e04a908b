extension QuestionRule {
    /// Finds options that refer to other options.
    static let otherOptions = QuestionRule(
        id: "other-options", wish: "no option that speaks of others: all of the above, none of these"
    ) { _, options, _ in
        options.indices.filter { PracticeQuestion.speaksOfOthers(options[$0]) }.map {
            ("options[\($0)]", "refers to other options")
        }
    }
}
