public import ExamCore

/// The words of a given sentence that the candidate said in order. The points come from the format's table and are for
/// practice, not an examiner's mark.
public struct WordSequence: Codable, Equatable, Sendable {
    /// The version of the rules for alignment and counting. It rises when they change.
    public static let version = "sequence/1"

    public var version: String
    /// The number of words in the sentence, as people count them.
    public var words: Int
    /// The largest number of them that were said in the sentence's order.
    public var inOrder: Int
    /// The words of the sentence that were left out or misplaced, in its order.
    public var missing: [String]
    /// The number of words said that do not belong to the sentence at their place.
    public var added: Int
    public var points: Double
    /// The most points in the table.
    public var mostPoints: Double

    /// Compares a transcript with a sentence. Nil if the sentence has no words, or its table has no points.
    ///
    /// - Parameter said: a transcript.
    public init?(of said: String, _ sentence: SentenceToSay) {
        let (wanted, heard) = (sentence.text.spokenWords.map(\.text), said.spokenWords.map(\.text))
        guard let most = sentence.table.first, !wanted.isEmpty else { return nil }
        let kept = Self.kept(wanted, heard)
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

    /// The search covers only the first words said: four times the sentence's length plus this many. Later words are
    /// not part of the sentence.
    private static let patience = 50

    /// Returns the indices of the wanted words that a text contains in order.
    static func kept(_ wanted: [String], in said: String) -> Set<Int> { kept(wanted, said.spokenWords.map(\.text)) }

    private static func kept(_ wanted: [String], _ heard: [String]) -> Set<Int> {
        alignment(wanted, Array(heard.prefix(4 * wanted.count + patience)))
    }

    /// Returns the indices of the wanted words that were heard in order: the longest common subsequence. Of several, it
    /// is the one whose words come earliest.
    private static func alignment(_ wanted: [String], _ heard: [String]) -> Set<Int> {
        // longest[i][j]: the length of the longest common subsequence of wanted[i...] and heard[j...].
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

/// A sentence to repeat or read aloud, and the points for it.
public struct SentenceToSay: Equatable, Sendable {
    public var text: String
    /// The most points first.
    public var table: [ExamFormat.WordPoints]

    public init(text: String, table: [ExamFormat.WordPoints]) {
        self.text = text
        self.table = table
    }
}

extension ExamScript {
    /// The sentences to repeat, by their questions' ids.
    public var sentences: [String: SentenceToSay] {
        turns.reduce(into: [:]) { sentences, turn in
            guard !turn.wordSequence.isEmpty, let text = turn.question else { return }
            sentences[turn.id] = SentenceToSay(text: text, table: turn.wordSequence)
        }
    }
}
