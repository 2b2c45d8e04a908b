/// A group of words that was said twice in a row.
package struct SaidAgain: Codable, Equatable, Sendable {
    /// The place of its first word among those that are written once.
    package var first: Int
    /// The number of its words.
    package var count: Int

    package init(first: Int, count: Int) {
        self.first = first
        self.count = count
    }
}

extension [SaidAgain] {
    /// Returns words with each group a second time. Nil if the groups are not groups of these words, in order.
    package func applied<Word>(to words: [Word]) -> [Word]? {
        var (said, next) = ([Word](), 0)
        for group in self {
            guard group.first >= next, group.count > 0, group.count <= words.count - group.first else { return nil }
            let end = group.first + group.count
            said += words[next..<end] + words[group.first..<end]
            next = end
        }
        return said + words[next...]
    }
}
