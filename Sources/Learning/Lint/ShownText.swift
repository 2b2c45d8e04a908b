import Papers

/// Texts of any script, as terminals show them and screen readers read them.
enum ShownText {
    /// Returns whether a question may contain a character: letters, accents, digits, punctuation and signs of all
    /// scripts, and a space.
    ///
    /// Returns false for control characters, private and unassigned ones, line separators, the sign of an unreadable
    /// character, and emoji, which each system draws differently. Also for characters that change the direction of
    /// text, because they can make an option look like another one.
    static func holds(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x80 { return scalar.value >= 0x20 && scalar.value != 0x7F }
        // Joiners shape words in Hindi and Persian.
        if scalar.value == 0x200C || scalar.value == 0x200D { return true }
        // The signs of an unreadable character and of an embedded object.
        if scalar.value == 0xFFFD || scalar.value == 0xFFFC { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator:
            return false
        default: return !scalar.properties.isEmojiPresentation && scalar.value != 0xFE0F
        }
    }

    /// Returns the number of words. Scripts without spaces between words count three letters as a word.
    static func wordCount(_ text: String) -> Int {
        text.split(separator: " ").reduce(0) { sum, word in
            let unspaced = word.unicodeScalars.count { isUnspaced($0) }
            return sum + (unspaced == 0 ? 1 : (unspaced + 2) / 3)
        }
    }

    /// Returns whether a text is a question: it has a question mark of some script, or its script has none.
    static func hasQuestionMark(_ text: String) -> Bool {
        let marks = "?？؟՞⁇፧".unicodeScalars
        // Greek asks with a semicolon.
        let isGreek = text.last == ";" && text.unicodeScalars.contains { (0x0370...0x03FF).contains($0.value) }
        return isGreek || text.unicodeScalars.contains { marks.contains($0) || isThaiOrSimilar($0) }
    }

    private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
        isThaiOrSimilar(scalar) || scalar.properties.isIdeographic || (0x3040...0x30FF).contains(scalar.value)
    }

    /// Whether the letter is Thai, Lao, Burmese or Khmer.
    private static func isThaiOrSimilar(_ scalar: Unicode.Scalar) -> Bool {
        (0x0E00...0x0EFF).contains(scalar.value) || (0x1000...0x109F).contains(scalar.value)
            || (0x1780...0x17FF).contains(scalar.value)
    }
}
