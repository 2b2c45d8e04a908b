import Papers

/// Extracts the words from a text that may be HTML.
enum HTMLWords {
    /// Returns the text without its tags.
    ///
    /// - Parameter decodes: whether to decode entities such as `&lt;`. True if the text is declared to be HTML.
    /// - Throws: `not-read` with the name of what is neither understood nor harmless. Leaving out a picture, for
    ///   example, would change the question.
    static func plain(_ text: String, _ line: Int, decodes: Bool) throws(ImportMistake) -> String {
        for mark in HTMLContract.marks where mark.pair.allSatisfy(text.contains) {
            throw mistake(mark.name, line)
        }
        var words = ""
        var rest = text[...]
        while let begin = rest.firstIndex(of: "<") {
            words += rest[..<begin]
            rest = rest[begin...]
            if rest.hasPrefix("<!--") {
                // A comment that doesn't end hides the rest.
                guard let end = rest.firstRange(of: "-->") else { throw mistake("<!--", line) }
                rest = rest[end.upperBound...]
            } else if let tag = HTMLTag(&rest) {
                if let feature = HTMLContract.refused(tag) { throw mistake(feature, line) }
                // Text on separate lines stays separate words.
                if HTMLContract.blocks.contains(tag.name), words.last?.isWhitespace == false { words += " " }
            } else {
                // "3 < 5" does not contain a tag.
                words.append(rest.removeFirst())
            }
        }
        words += rest
        if decodes, let name = unknownEntity(in: words) { throw mistake(name, line) }
        words = String(words[...].trimmed)
        return decodes ? HTMLEntities.decoded(words).text : words
    }

    private static func mistake(_ feature: String, _ line: Int) -> ImportMistake {
        let remedy = HTMLContract.contract.remedy(feature) ?? "is not supported: write plain words"
        let isTag = feature.allSatisfy { $0.isLetter || $0.isNumber || "-:@".contains($0) } && feature.first != "@"
        let shown = isTag && !feature.hasPrefix("style:") ? "<\(feature.replacing("@", with: " "))>" : feature
        return ImportMistake(line: line, "HTML", shown, .notRead, remedy)
    }

    /// Returns the first `&name;` that names no character. Nil if each names one.
    private static func unknownEntity(in text: String) -> String? {
        for piece in text.split(separator: "&", omittingEmptySubsequences: false).dropFirst() {
            let name = piece.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
            guard name.first?.isLetter == true, piece[name.endIndex...].first == ";" else { continue }
            if HTMLEntities.decoded("&\(name);").count == 0 { return "&\(name);" }
        }
        return nil
    }
}

/// An opening or closing tag of HTML.
struct HTMLTag {
    /// The name in small letters, without a namespace's brackets: `o:p`.
    private(set) var name = ""
    /// The attributes in their order, with names in small letters.
    private(set) var attributes: [(name: String, value: String)] = []

    /// Reads the tag with which a text begins, and removes it from the text.
    ///
    /// - Returns: nil if no tag begins here, and leaves the text as it is.
    init?(_ text: inout Substring) {
        var rest = text.dropFirst()
        if rest.first == "/" { rest.removeFirst() }
        name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-:".contains($0)) }.lowercased()
        guard let first = name.first, first.isLetter else { return nil }
        rest = rest.dropFirst(name.count)
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "/" }
            guard let next = rest.first else { return nil }
            if next == ">" { break }
            let own = rest.prefix { !$0.isWhitespace && !"=>/".contains($0) }
            guard !own.isEmpty else { return nil }
            rest = rest[own.endIndex...].drop(while: \.isWhitespace)
            var value = ""
            if rest.first == "=" {
                rest = rest.dropFirst().drop(while: \.isWhitespace)
                if let quote = rest.first, "\"'".contains(quote) {
                    guard let end = rest.dropFirst().firstIndex(of: quote) else { return nil }
                    value = String(rest[..<end].dropFirst())
                    rest = rest[end...].dropFirst()
                } else {
                    value = String(rest.prefix { !$0.isWhitespace && $0 != ">" })
                    rest = rest.dropFirst(value.count)
                }
            }
            attributes.append((own.lowercased(), value))
        }
        text = rest.dropFirst()
    }
}
