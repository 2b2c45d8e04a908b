extension ItemRule {
    /// Finds characters that a voice cannot speak or a terminal cannot show.
    static let plainText = ItemRule(
        id: "plain-text", wish: "plain letters, digits and punctuation, one space between words, a capital letter first"
    ) { text in
        let words = text.text
        if words.isEmpty { return "is empty" }
        if words.first == " " || words.last == " " || words.contains("  ") { return "has too many spaces" }
        if let odd = words.unicodeScalars.first(where: { !isPlain($0) }) {
            return "has the character \(odd.debugDescription)"
        }
        let mayBeSmall = [.cardPoint, .cardExplain, .alternativePoint].contains(text.kind)
        if !mayBeSmall, words.first?.isLowercase == true { return "begins with a small letter" }
        return nil
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            ? scalar.properties.isAlphabetic || " 0123456789,.;:?!'\"-".unicodeScalars.contains(scalar)
            : "’–é，。？！：；、“”".unicodeScalars.contains(scalar) || scalar.properties.isIdeographic
    }
}
