public import ExamCore

/// How much of a sentence was said again, word by word and in its order: practice, by the format's own table, and no examiner's mark.
public struct WordSequence: Codable, Equatable, Sendable {
    /// The rules that aligned and counted; it rises with them.
    public static let version = "sequence/1"

    public var version: String
    /// Of the sentence, as people count them.
    public var words: Int
    /// Of these, the most that were said in the sentence's order.
    public var inOrder: Int
    /// Words of the sentence that were left out, or said out of their place; in its order.
    public var missing: [String]
    /// Words that were said and do not stand in the sentence there.
    public var added: Int
    public var points: Double
    /// The most that the table has.
    public var mostPoints: Double

    /// - Parameter said: a transcript.
    /// - Returns: nil where the sentence has no words, or its table no points.
    public init?(of said: String, _ sentence: SentenceToSay) {
        let (wanted, heard) = (sentence.text.spokenWords.map(\.text), said.spokenWords.map(\.text))
        guard let most = sentence.table.first, !wanted.isEmpty else { return nil }
        let kept = Self.alignment(wanted, Array(heard.prefix(4 * wanted.count + Self.patience)))
        version = Self.version
        words = wanted.count
        inOrder = kept.count
        missing = wanted.indices.filter { !kept.contains($0) }.map { wanted[$0] }
        added = heard.count - kept.count
        let share = Double(kept.count) / Double(wanted.count)
        let row = sentence.table.first { [added] row in
            share >= row.atLeast && (row.exactly != true || added == 0)
        }
        points = row?.points ?? 0
        mostPoints = most.points
    }

    /// Words beyond four times the sentence, in which it is still looked for: whoever says more is saying something else.
    private static let patience = 50

    /// The longest common subsequence: which of the wanted words were heard in their order. Where there are several, the one whose words
    /// come earliest.
    private static func alignment(_ wanted: [String], _ heard: [String]) -> Set<Int> {
        // longest[i][j]: of wanted from i on, and heard from j on.
        var longest = [[Int]](repeating: [Int](repeating: 0, count: heard.count + 1), count: wanted.count + 1)
        for i in wanted.indices.reversed() {
            for j in heard.indices.reversed() {
                longest[i][j] =
                    wanted[i] == heard[j] ? longest[i + 1][j + 1] + 1 : max(longest[i + 1][j], longest[i][j + 1])
            }
        }
        var (kept, i, j) = (Set<Int>(), 0, 0)
        while i < wanted.count && j < heard.count {
            if wanted[i] == heard[j] {
                kept.insert(i)
                (i, j) = (i + 1, j + 1)
            } else if longest[i][j + 1] >= longest[i + 1][j] {
                j += 1
            } else {
                i += 1
            }
        }
        return kept
    }
}

/// A sentence that a candidate was to say again or read aloud, and what that is worth.
public struct SentenceToSay: Equatable, Sendable {
    public var text: String
    /// The most first.
    public var table: [ExamFormat.WordPoints]

    public init(text: String, table: [ExamFormat.WordPoints]) {
        self.text = text
        self.table = table
    }
}

extension ExamScript {
    /// Sentences that are to be said again, by their questions' ids.
    public var sentences: [String: SentenceToSay] {
        turns.reduce(into: [:]) { sentences, turn in
            guard !turn.wordSequence.isEmpty, let text = turn.question else { return }
            sentences[turn.id] = SentenceToSay(text: text, table: turn.wordSequence)
        }
    }
}
