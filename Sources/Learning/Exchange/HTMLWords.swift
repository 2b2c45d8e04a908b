import Papers

/// Words out of a text that may be HTML.
enum HTMLWords {
    /// Tags that only set words off, or part them: as in items of QTI.
    private static let known: Set<String> = ["p", "div", "span", "em", "strong", "b", "i", "br"]
    private static let entities = [
        "&nbsp;": " ", "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'", "&apos;": "'", "&amp;": "&",
    ]

    /// - Parameter decodes: whether `&lt;` is `<`: a text that says it is HTML.
    /// - Throws: `not-read` with a tag's name: a picture that is left out would change what is asked.
    static func plain(_ text: String, _ line: Int, decodes: Bool) throws(ImportMistake) -> String {
        var words = ""
        var rest = text[...]
        while let begin = rest.firstIndex(of: "<") {
            let inside = rest[begin...].dropFirst()
            let name = inside.drop { $0 == "/" }.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }.lowercased()
            // "3 < 5" is no tag.
            guard !name.isEmpty, name.first?.isLetter == true, let end = inside.firstIndex(of: ">") else {
                words += rest[...begin]
                rest = inside
                continue
            }
            guard known.contains(name) else {
                throw ImportMistake(
                    line: line, "question", "<\(inside[..<end])>", .notRead,
                    "<\(name)> is HTML that is not read here: a question is plain words")
            }
            words += rest[..<begin]
            // What stood on lines of its own is a word of its own.
            if ["p", "div", "br"].contains(name), words.last?.isWhitespace == false { words += " " }
            rest = inside[end...].dropFirst()
        }
        words = String((words + rest)[...].trimmed)
        guard decodes else { return words }
        // The ampersand last: "&amp;lt;" is "&lt;".
        for (entity, own) in entities where entity != "&amp;" { words = words.replacing(entity, with: own) }
        return words.replacing("&amp;", with: "&")
    }
}
