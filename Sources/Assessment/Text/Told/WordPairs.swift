/// The words that two transcripts of one recording have in common, in order.
struct WordPairs: Equatable {
    /// Indices in both lists, rising in both.
    private(set) var pairs: [(Int, Int)]

    /// The most pairs of words to compare. Texts of more than two thousand words that differ throughout are not paired.
    private static let most = 4_000_000
    /// The seconds that a word takes if its length is unknown.
    private static let usual = 0.3

    static func == (one: WordPairs, other: WordPairs) -> Bool { one.pairs.elementsEqual(other.pairs, by: ==) }

    /// Pairs equal words: the longest common subsequence.
    init(of words: [String], _ others: [String]) {
        let head = zip(words, others).prefix { $0 == $1 }.count
        let tail = zip(words[head...].reversed(), others[head...].reversed()).prefix { $0 == $1 }.count
        pairs = (0..<head).map { ($0, $0) }
        let (inner, outer) = (Array(words[head..<words.count - tail]), Array(others[head..<others.count - tail]))
        if inner.count * outer.count <= Self.most {
            pairs += Self.common(inner, outer).map { ($0 + head, $1 + head) }
        }
        pairs += (0..<tail).map { (words.count - tail + $0, others.count - tail + $0) }
    }

    private static func common(_ words: [String], _ others: [String]) -> [(Int, Int)] {
        guard !words.isEmpty, !others.isEmpty else { return [] }
        // longest[i][j]: the length of the longest common subsequence of words[i...] and others[j...].
        var longest = [[UInt16]](repeating: [UInt16](repeating: 0, count: others.count + 1), count: words.count + 1)
        for i in words.indices.reversed() {
            for j in others.indices.reversed() {
                longest[i][j] =
                    words[i] == others[j] ? longest[i + 1][j + 1] + 1 : max(longest[i + 1][j], longest[i][j + 1])
            }
        }
        var (found, i, j) = ([(Int, Int)](), 0, 0)
        while i < words.count && j < others.count {
            if words[i] == others[j] {
                found.append((i, j))
                (i, j) = (i + 1, j + 1)
            } else if longest[i][j + 1] >= longest[i + 1][j] {
                j += 1
            } else {
                i += 1
            }
        }
        return found
    }

    /// Returns a time for each of the words. Unpaired words share the time of the unpaired words at the same place of
    /// the other list, or else the time between their neighbours.
    func times(of words: [String], _ heard: [HeardWord]) -> [TimeRange] {
        var times: [TimeRange] = []
        var (word, other) = (0, 0)
        for (index, match) in pairs + [(words.count, heard.count)] {
            times += Self.spread(words[word..<index], over: heard[other..<match], heard, until: match, after: other)
            if index < words.count { times.append(TimeRange(heard[match].start, heard[match].end)) }
            (word, other) = (index + 1, match + 1)
        }
        return times
    }

    private static func spread(
        _ words: ArraySlice<String>, over unpaired: ArraySlice<HeardWord>, _ heard: [HeardWord], until next: Int,
        after start: Int
    ) -> [TimeRange] {
        guard !words.isEmpty else { return [] }
        let length = usual * Double(words.count)
        let before = start > 0 ? heard[start - 1].end : nil
        let after = next < heard.count ? heard[next].start : nil
        let begin = unpaired.first?.start ?? before ?? max(0, (after ?? 0) - length)
        let end = max(begin, unpaired.last?.end ?? after ?? begin + length)
        let letters = words.reduce(0) { $0 + max(1, $1.count) }
        var at = begin
        return words.map { word in
            let from = at
            at += (end - begin) * Double(max(1, word.count)) / Double(letters)
            return TimeRange(from, min(at, end))
        }
    }
}
