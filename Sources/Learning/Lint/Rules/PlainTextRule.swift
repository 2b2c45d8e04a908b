extension QuestionRule {
    /// Finds characters that some terminals cannot show or screen readers cannot read.
    static let plainText = QuestionRule(
        id: "plain-text", wish: "plain letters, digits and punctuation, and one space between words"
    ) { text in
        if text.isEmpty { return "is empty" }
        if text.first == " " || text.last == " " || text.contains("  ") { return "has too many spaces" }
        let odd = text.unicodeScalars.first {
            !($0.properties.isAlphabetic || " 0123456789,.;:?!'\"-_()/%+=£$€’–".unicodeScalars.contains($0))
        }
        return odd.map { "has the character \($0.debugDescription)" }
    }
}
