/// A word that was said again at once: `I I think`.
public struct Repetition: Codable, Equatable, Sendable {
    public var word: String
    /// How often it stands there in a row: 2 or more.
    public var times: Int
    /// The whole row in the transcript, in Unicode scalars: the first one, and the one after the last.
    public var start: Int
    public var end: Int

    /// As it was said, four times at most: `I I I`.
    public var words: String { Array(repeating: word, count: min(times, 4)).joined(separator: " ") }

    /// Said twice on purpose, or right that way: `very very good`, `had had`.
    private static let meant: Set<String> = [
        "very", "really", "so", "no", "yes", "yeah", "okay", "ok", "bye", "had", "that", "many", "much", "more", "far",
        "long", "never", "again", "ever", "over", "too", "big", "old",
    ]

    /// All of a text, in order.
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
