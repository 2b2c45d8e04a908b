/// Measures the similarity of two texts.
package enum TextLikeness {
    /// The least similarity of two near-duplicates.
    static let duplicate = 0.7

    /// Returns ROUGE-L (Lin 2004), 0 to 1: the F-measure of the longest common subsequence of words.
    package static func rougeL<Word: Equatable>(_ one: [Word], _ other: [Word]) -> Double {
        let common = Double(longestCommon(one, other))
        guard common > 0 else { return 0 }
        let (precision, recall) = (common / Double(one.count), common / Double(other.count))
        return 2 * precision * recall / (precision + recall)
    }

    /// Returns whether two texts, given as words, are near-duplicates.
    package static func isDuplicate(_ one: [String], _ other: [String]) -> Bool {
        // ROUGE-L is twice the common length divided by the sum of both lengths. The common length is at most the
        // length of the shorter text, and at most the number of words that both share in any order. Both limits are
        // quick to compute.
        let enough = duplicate * Double(max(1, one.count + other.count))
        guard 2 * Double(min(one.count, other.count)) >= enough else { return false }
        let words = Set(other)
        return 2 * Double(one.count(where: words.contains)) >= enough && rougeL(one, other) >= duplicate
    }

    static func longestCommon<Word: Equatable>(_ one: [Word], _ other: [Word]) -> Int {
        var row = [Int](repeating: 0, count: other.count + 1)
        for word in one {
            var before = 0
            for (place, each) in other.enumerated() {
                let here = row[place + 1]
                row[place + 1] = word == each ? before + 1 : max(here, row[place])
                before = here
            }
        }
        return row[other.count]
    }
}

/// Two texts of a bank that are nearly the same.
public struct DuplicateText: Equatable, Sendable {
    public var item: String
    public var field: String
    public var text: String
    public var otherItem: String
    public var otherField: String
}

extension ItemBank {
    /// The pairs of questions or cards that are nearly the same. Both may be in the same item.
    public var duplicates: [DuplicateText] { duplicates { _ in true } }

    /// Returns the pairs with at least one text in these items. The other items are not compared with each other.
    public func duplicates(of ids: Set<String>) -> [DuplicateText] { duplicates(where: ids.contains) }

    private func duplicates(where isLookedAt: (String) -> Bool) -> [DuplicateText] {
        let texts = items.flatMap { item in
            item.texts.filter { $0.kind == .question || $0.kind == .cardTopic }.map {
                (item: item.id, isLookedAt: isLookedAt(item.id), text: $0, words: $0.text.bankWords)
            }
        }
        var found: [DuplicateText] = []
        for (place, one) in texts.enumerated() {
            for other in texts[(place + 1)...]
            where (one.isLookedAt || other.isLookedAt) && TextLikeness.isDuplicate(one.words, other.words) {
                found.append(
                    DuplicateText(
                        item: other.item, field: other.text.field, text: other.text.text, otherItem: one.item,
                        otherField: one.text.field))
            }
        }
        return found
    }
}
