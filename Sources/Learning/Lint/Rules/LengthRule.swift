extension QuestionRule {
    /// Finds texts that are too short, or too long to read on a phone within a minute.
    static let length = QuestionRule(
        id: "length", wish: "a prompt of 3 to 40 words, options of 24 at most, an explanation of 6 to 60"
    ) { question in
        question.texts.compactMap { field, text in
            let words = ShownText.wordCount(text)
            let allowed = field == "prompt" ? 3...40 : field == "explanation" ? 6...60 : 1...24
            return allowed.contains(words)
                ? nil : (field, "has \(words) words; \(allowed.lowerBound) to \(allowed.upperBound) are allowed here")
        }
    }
}
