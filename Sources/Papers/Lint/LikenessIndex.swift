/// Finds near-duplicates of a text among thousands, with the same result as comparing it with each of them by
/// `TextLikeness.isDuplicate`.
///
/// Near-duplicates share more than half of their words. So they share at least one of their rarest words, and only
/// texts that do are compared (prefix filtering, Chaudhuri et al. 2006).
package struct LikenessIndex {
    /// A text in numbers: its words in order, and the same in the order of their rarity.
    private struct Text {
        var words: [Int]
        var tokens: [Int]

        /// The rarest tokens. A near-duplicate has at least one of them.
        var rarest: ArraySlice<Int> { tokens.prefix(tokens.count - LikenessIndex.leastCommon(tokens.count) + 1) }
    }

    private var numbers: [String: Int] = [:]
    /// The number of a word's second, third … occurrence in a text. Repeated words count as words of their own, so that
    /// the tokens of a text are all different.
    private var repeats: [[Int]] = []
    /// The texts in which each token occurred when the index was made. Rare ones are looked up first.
    private var frequencies: [Int] = []
    private var texts: [Text] = []
    private var places: [Int: [Int]] = [:]

    /// Makes an index without texts.
    ///
    /// - Parameter expected: the texts that will be added or looked for, as words. Their frequencies make the index
    ///   fast. Other texts are found as well.
    package init(expecting expected: [[String]]) {
        for words in expected { for token in tokens(of: numbered(words)) { frequencies[token] += 1 } }
    }

    /// Adds a text. The texts have numbers from 0.
    package mutating func add(_ words: [String]) {
        let text = text(words)
        for token in text.rarest { places[token, default: []].append(texts.count) }
        texts.append(text)
    }

    /// Returns the numbers of the texts that are near-duplicates, in the order in which they were added.
    package mutating func duplicates(of words: [String]) -> [Int] {
        let text = text(words)
        var found: [Int] = []
        for place in Set(text.rarest.flatMap { places[$0] ?? [] }).sorted()
        where isDuplicate(texts[place], text) { found.append(place) }
        return found
    }

    /// Returns the least number of words that a text of this length shares with any near-duplicate.
    private static func leastCommon(_ count: Int) -> Int {
        // With n and m words, at least d/2 · (n + m) are common, and at most m.
        let share = TextLikeness.duplicate / 2
        return min(count, max(1, Int((share / (1 - share) * Double(count) - 1e-9).rounded(.up))))
    }

    private func isDuplicate(_ one: Text, _ other: Text) -> Bool {
        let enough = TextLikeness.duplicate * Double(max(1, one.words.count + other.words.count))
        guard 2 * Double(min(one.words.count, other.words.count)) >= enough else { return false }
        let shared = Set(other.words)
        guard 2 * Double(one.words.count { shared.contains($0) }) >= enough else { return false }
        return TextLikeness.rougeL(one.words, other.words) >= TextLikeness.duplicate
    }

    private mutating func text(_ words: [String]) -> Text {
        let words = numbered(words)
        let tokens = tokens(of: words).sorted { (frequencies[$0], $0) < (frequencies[$1], $1) }
        return Text(words: words, tokens: tokens)
    }

    private mutating func numbered(_ words: [String]) -> [Int] {
        words.map { word in
            if let number = numbers[word] { return number }
            let number = newToken()
            numbers[word] = number
            return number
        }
    }

    private mutating func tokens(of words: [Int]) -> [Int] {
        var counts: [Int: Int] = [:]
        return words.map { word in
            let count = counts[word, default: 0]
            counts[word] = count + 1
            guard count > 0 else { return word }
            while repeats[word].count < count { repeats[word].append(newToken()) }
            return repeats[word][count - 1]
        }
    }

    private mutating func newToken() -> Int {
        frequencies.append(0)
        repeats.append([])
        return frequencies.count - 1
    }
}
