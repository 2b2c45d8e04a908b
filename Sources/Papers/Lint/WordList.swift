/// Words to search for in texts: whole words, beginnings of words (`politic*`), and phrases (`last year`).
package struct WordList: Sendable {
    private let words: Set<String>
    private let beginnings: [String]
    /// The phrases by their first words.
    private let rows: [String: [[String]]]

    /// Creates a list.
    ///
    /// - Parameter entries: in lower case, separated by commas.
    package init(_ entries: String) {
        var (words, beginnings, rows): (Set<String>, [String], [[String]]) = ([], [], [])
        for entry in entries.split(separator: ",").map({
            $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }) {
            let parts = entry.split(separator: " ").map(String.init)
            if parts.count > 1 {
                rows.append(parts)
            } else if entry.hasSuffix("*") {
                beginnings.append(String(entry.dropLast()))
            } else {
                words.insert(entry)
            }
        }
        (self.words, self.beginnings) = (words, beginnings)
        self.rows = Dictionary(grouping: rows) { $0[0] }
    }

    /// Returns the first words in the text that match an entry. Nil if no entry occurs.
    package func first(in text: String) -> String? {
        let tokens = text.bankWords
        for (place, token) in tokens.enumerated() {
            if words.contains(token) || beginnings.contains(where: token.hasPrefix) { return token }
            for row in rows[token] ?? [] where tokens[place...].starts(with: row) { return row.joined(separator: " ") }
        }
        return nil
    }
}

extension String {
    /// The words in lower case, including apostrophes. In Chinese, each character is a word.
    package var bankWords: [String] {
        let small = lowercased()
        let plain = small.utf8.contains(0xE2) ? small.replacing("’", with: "'") : small
        return plain.split { !($0.isLetter || $0.isNumber || $0 == "'") }.flatMap { word in
            word.unicodeScalars.contains(where: \.properties.isIdeographic) ? word.map(String.init) : [String(word)]
        }
    }

    /// Whether the question can be answered with yes or no: it begins with a verb such as "do", and offers no choice.
    var asksYesOrNo: Bool {
        var words = bankWords[...]
        for opening in [
            ["in", "general"], ["in", "your", "opinion"], ["in", "your", "view"], ["generally"], ["overall"],
        ]
        where words.starts(with: opening) {
            words = words.dropFirst(opening.count)
        }
        guard let first = words.first, !words.contains("or") else { return false }
        return Self.verbs.contains(first.hasSuffix("n't") ? String(first.dropLast(3)) : first)
    }

    private static let verbs: Set<String> = [
        "do", "does", "did", "is", "are", "was", "were", "can", "could", "should", "would", "will", "has", "have",
        "had",
        "may", "might", "must", "shall",
    ]
}
