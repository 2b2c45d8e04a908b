import Assessment

/// The share of what was said that a recogniser wrote down: words, hesitations and mistakes.
struct WordFidelity: Codable, Equatable {
    /// The number of things that were said, and of those that were heard as said.
    struct Share: Codable, Equatable {
        var kept = 0
        var said = 0

        static func += (sum: inout Share, other: Share) {
            sum.kept += other.kept
            sum.said += other.said
        }
    }

    /// The number of words that were said, without fillers.
    var words = 0
    /// The fewest words to insert, remove or replace to turn the said ones into the heard ones, both without fillers.
    var wrong = 0
    /// Sounds such as "er". Any filler at its place counts as heard.
    var fillers = Share()
    /// Groups of one to four words that were said twice in a row. A repetition counts only if both copies were heard.
    var repetitions = Share()
    /// Groups of words that a recogniser might correct: "people prefers".
    var mistakes = Share()

    init() {}

    /// Compares texts. Case and punctuation don't count; a number in digits differs from one in words.
    ///
    /// - Parameter mistakes: groups of words in `said`.
    init(said: String, heard: String, mistakes: [String] = []) {
        let (all, heardAll) = (said.bareWords, heard.bareWords)
        let alike = WordAlignment(all.map(\.fillersAlike), heardAll.map(\.fillersAlike))
        fillers.said = all.count { Filler.all.contains($0) }
        fillers.kept = all.indices.count { Filler.all.contains(all[$0]) && alike.isHeard[$0] }

        let (wanted, found) = (all.withoutFillers, heardAll.withoutFillers)
        let alignment = WordAlignment(wanted, found)
        words = wanted.count
        wrong = alignment.edits
        for repetition in wanted.repetitions {
            repetitions.said += 1
            if alignment.isHeard[repetition].allSatisfy({ $0 }) { repetitions.kept += 1 }
        }

        let plain = found.withoutHesitations
        self.mistakes.said = mistakes.count
        self.mistakes.kept = mistakes.count { plain.contains($0.bareWords) }
    }

    static func += (sum: inout WordFidelity, other: WordFidelity) {
        sum.words += other.words
        sum.wrong += other.wrong
        sum.fillers += other.fillers
        sum.repetitions += other.repetitions
        sum.mistakes += other.mistakes
    }
}

/// The alignment of two texts with the fewest edits (Levenshtein 1965).
private struct WordAlignment {
    /// The words that differ.
    let edits: Int
    /// For each wanted word, whether it was heard at its place.
    let isHeard: [Bool]

    init(_ wanted: [String], _ heard: [String]) {
        // edits[i][j]: the edits from the first i wanted words to the first j heard ones.
        var edits = [[Int]](repeating: [Int](0...heard.count), count: wanted.count + 1)
        for i in 1..<wanted.count + 1 {
            edits[i][0] = i
            for j in 1..<heard.count + 1 {
                let replaced = edits[i - 1][j - 1] + (wanted[i - 1] == heard[j - 1] ? 0 : 1)
                edits[i][j] = min(replaced, edits[i - 1][j] + 1, edits[i][j - 1] + 1)
            }
        }
        var (isHeard, i, j) = ([Bool](repeating: false, count: wanted.count), wanted.count, heard.count)
        while i > 0 && j > 0 {
            let isSame = wanted[i - 1] == heard[j - 1]
            if edits[i][j] == edits[i - 1][j - 1] + (isSame ? 0 : 1) {
                isHeard[i - 1] = isSame
                (i, j) = (i - 1, j - 1)
            } else if edits[i][j] == edits[i - 1][j] + 1 {
                i -= 1
            } else {
                j -= 1
            }
        }
        (self.edits, self.isHeard) = (edits[wanted.count][heard.count], isHeard)
    }
}

extension String {
    /// The words in lower case, without punctuation.
    var bareWords: [String] {
        lowercased().replacing("’", with: "'").split { !$0.isLetter && !$0.isNumber && $0 != "'" }.map(String.init)
    }

    /// The word, or "er" for any filler.
    fileprivate var fillersAlike: String { Filler.all.contains(self) ? "er" : self }
}

extension [String] {
    fileprivate var withoutFillers: [String] { filter { !Filler.all.contains($0) } }

    /// The places of groups of one to four words together with their immediate copies. The longest group counts.
    fileprivate var repetitions: [Range<Int>] {
        var (found, start) = ([Range<Int>](), 0)
        while start < count {
            let length = (1...4).last {
                start + 2 * $0 <= count
                    && self[start..<start + $0].elementsEqual(self[start + $0..<start + 2 * $0])
            }
            if let length { found.append(start..<start + 2 * length) }
            start += length ?? 1
        }
        return found
    }
}
