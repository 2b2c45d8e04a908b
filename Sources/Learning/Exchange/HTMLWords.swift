import Papers

/// Extracts the words from a text that may be HTML.
enum HTMLWords {
    /// The tags that only format or separate words, as in QTI items.
    private static let known: Set<String> = ["p", "div", "span", "em", "strong", "b", "i", "br"]
    /// Returns the text without its tags.
    ///
    /// - Parameter decodes: whether to decode entities such as `&lt;`. True if the text is declared to be HTML.
    /// - Throws: `not-read` with the name of any other tag. Leaving out a picture, for example, would change the
    ///   question.
    static func plain(_ text: String, _ line: Int, decodes: Bool) throws(ImportMistake) -> String {
        var words = ""
        var rest = text[...]
        while let begin = rest.firstIndex(of: "<") {
            let inside = rest[begin...].dropFirst()
            let name = inside.drop { $0 == "/" }.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }.lowercased()
            // "3 < 5" does not contain a tag.
            guard !name.isEmpty, name.first?.isLetter == true, let end = inside.firstIndex(of: ">") else {
                words += rest[...begin]
                rest = inside
                continue
            }
            guard known.contains(name) else {
                throw ImportMistake(
                    line: line, "question", "<\(inside[..<end])>", .notRead,
                    "the HTML tag <\(name)> is not supported: write plain words")
            }
            words += rest[..<begin]
            // Text on separate lines stays separate words.
            if ["p", "div", "br"].contains(name), words.last?.isWhitespace == false { words += " " }
            rest = inside[end...].dropFirst()
        }
        words = String((words + rest)[...].trimmed)
        return decodes ? HTMLEntities.decoded(words).text : words
    }
}
