/// How alike two texts are.
package enum TextLikeness {
    /// From here on two texts are near-duplicates (line 18 of what the project holds itself to).
    static let duplicate = 0.7

    /// ROUGE-L (Lin 2004): the F-measure of the longest words in common in the same order, 0 … 1.
    package static func rougeL(_ one: [String], _ other: [String]) -> Double {
        let common = Double(longestCommon(one, other))
        guard common > 0 else { return 0 }
        let (precision, recall) = (common / Double(one.count), common / Double(other.count))
        return 2 * precision * recall / (precision + recall)
    }

    /// Whether two texts, as words, are near-duplicates.
    package static func isDuplicate(_ one: [String], _ other: [String]) -> Bool {
        // ROUGE-L is twice what is common over both lengths. No more can be common in the same order than the shorter one has, nor than
        // both have in any order; that is soon counted.
        let enough = duplicate * Double(max(1, one.count + other.count))
        guard 2 * Double(min(one.count, other.count)) >= enough else { return false }
        let words = Set(other)
        return 2 * Double(one.count(where: words.contains)) >= enough && rougeL(one, other) >= duplicate
    }

    static func longestCommon(_ one: [String], _ other: [String]) -> Int {
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

/// Two texts of a bank that say nearly the same.
public struct DuplicateText: Equatable, Sendable {
    public var item: String
    public var field: String
    public var text: String
    public var otherItem: String
    public var otherField: String
}

extension ItemBank {
    /// Questions and cards that are nearly the same as another one's, the same item's included.
    public var duplicates: [DuplicateText] { duplicates { _ in true } }

    /// Those in which one of these items has a part: all others need not be compared.
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
