/// A word that was repeated immediately: `I I think`.
public struct Repetition: Codable, Equatable, Sendable {
    public var word: String
    /// The number of times in a row, at least 2.
    public var times: Int
    /// The place of all repetitions in the transcript, in Unicode scalars: the first one, and the one after the last.
    public var start: Int
    public var end: Int

    /// The repeated words, at most four of them: `I I I`.
    public var words: String { Array(repeating: word, count: min(times, 4)).joined(separator: " ") }

    /// Words that are often repeated on purpose or correctly: `very very good`, `had had`.
    private static let meant: Set<String> = [
        "very", "really", "so", "no", "yes", "yeah", "okay", "ok", "bye", "had", "that", "many", "much", "more", "far",
        "long", "never", "again", "ever", "over", "too", "big", "old",
    ]

    /// Returns all repetitions in a text, in order.
    static func all(in words: [SpokenWord]) -> [Repetition] {
        var found: [Repetition] = []
        for (before, word) in zip(words, words.dropFirst()) where before.text == word.text {
            if let last = found.last, last.end == before.end {
                found[found.count - 1].times += 1
                found[found.count - 1].end = word.end
            } else if !meant.contains(word.text), word.text.contains(where: \.isLetter) {
                found.append(Repetition(word: word.text, times: 2, start: before.start, end: word.end))
            }
        }
        return found
    }
}
