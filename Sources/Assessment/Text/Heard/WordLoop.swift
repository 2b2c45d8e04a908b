/// A group of words that comes several times in a row. Recognisers write such groups when they are stuck: "I was, I
/// was, I was".
public struct WordLoop: Equatable, Sendable {
    /// The number of words in the group.
    public var length: Int
    /// The number of times in a row that the whole group comes.
    public var times: Int
    /// The index of the first word of the first group.
    public var start: Int

    /// The longest group to look for, in words. Recognisers were measured to repeat groups of 2 to 10 words.
    public static let longest = 10
    /// The fewest repetitions that count as a loop. Hesitant speakers say a word twice.
    public static let fewest = 3

    /// Finds the loop that begins first. If several begin at one word, it is the one with the shortest group.
    ///
    /// - Parameters:
    ///   - words: the words in the form in which they are compared, for example in lower case.
    ///   - longest: the longest group, 1 or more.
    ///   - fewest: the fewest repetitions, 2 or more.
    /// - Returns: nil if no group is repeated that often.
    public static func first(
        in words: [String], longest: Int = WordLoop.longest, fewest: Int = WordLoop.fewest
    ) -> WordLoop? {
        precondition(longest >= 1 && fewest >= 2)
        var found: WordLoop?
        // A longer group that is repeated that often doesn't fit into the words.
        for length in stride(from: 1, through: min(longest, words.count / fewest), by: 1) {
            guard let loop = first(in: words, ofLength: length, fewest) else { continue }
            if found.map({ loop.start < $0.start }) ?? true { found = loop }
        }
        return found
    }

    /// Finds the first loop of groups of one length: a run of words that equal the word one group later.
    private static func first(in words: [String], ofLength length: Int, _ fewest: Int) -> WordLoop? {
        var equal = 0
        for index in 0..<(words.count - length) {
            if words[index] == words[index + length] {
                equal += 1
                continue
            }
            if equal >= length * (fewest - 1) { return loop(length, equal, endingAt: index) }
            equal = 0
        }
        return equal >= length * (fewest - 1) ? loop(length, equal, endingAt: words.count - length) : nil
    }

    private static func loop(_ length: Int, _ equal: Int, endingAt end: Int) -> WordLoop {
        WordLoop(length: length, times: equal / length + 1, start: end - equal)
    }
}
