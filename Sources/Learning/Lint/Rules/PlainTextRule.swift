extension QuestionRule {
    /// Finds characters that some terminals cannot show or screen readers cannot read.
    static let plainText = QuestionRule(
        id: "plain-text", wish: "letters, digits, punctuation and signs without pictures, and one space between words"
    ) { text in
        if text.isEmpty { return "is empty" }
        if text.first == " " || text.last == " " || text.contains("  ") { return "has too many spaces" }
        let odd = text.unicodeScalars.first { !ShownText.holds($0) }
        return odd.map { "has the character \($0.debugDescription)" }
    }
}
