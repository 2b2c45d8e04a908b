/// The distribution of a text's words over CEFR levels, by the CEFR-J Wordlist 1.5 (Yukio Tono, Tokyo University of
/// Foreign Studies).
///
/// A word counts if its lemma is in the list. If it has several possible lemmas, the one with the lowest level counts.
/// Words that are not in the list (names, technical words, rare words) are counted separately and not guessed. The list
/// ends at B2. The distribution does not show a speaker's level.
public struct VocabularyProfile: Codable, Equatable, Sendable {
    /// The source of the levels.
    public static let list = "CEFR-J Wordlist 1.5"

    public enum Level: String, Codable, CaseIterable, Comparable, Sendable {
        case a1 = "A1"
        case a2 = "A2"
        case b1 = "B1"
        case b2 = "B2"

        public static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
    }

    /// The number of words at each level. Levels without words are left out.
    public var counts: [String: Int]
    /// The number of words that are not in the list.
    public var unknown: Int

    public var words: Int { unknown + counts.values.reduce(0, +) }

    /// Returns the share of all words at a level, 0 to 1.
    public func share(_ level: Level) -> Double {
        words > 0 ? Double(counts[level.rawValue] ?? 0) / Double(words) : 0
    }

    /// Counts the words of texts. Nil without words.
    ///
    /// - Parameter texts: words as `spokenWords` returns them.
    init?(of texts: [String]) {
        (counts, unknown) = ([:], 0)
        for word in texts.flatMap(Self.parts) {
            if let level = Self.level(of: word) {
                counts[level.rawValue, default: 0] += 1
            } else {
                unknown += 1
            }
        }
        if words == 0 { return nil }
    }

    /// Returns the lowest level of the word's possible lemmas. Nil if none is in the list.
    ///
    /// - Parameter word: in lower case.
    static func level(of word: String) -> Level? {
        // A listed word in -er or -est is not a comparative: a traveller is not "more travel".
        Lemmas.candidates(of: word, comparatives: levels[word] == nil).compactMap { levels[$0] }.min()
    }

    /// Returns the level of a word exactly as listed.
    static func level(listed word: String) -> Level? { levels[word] }

    /// Returns the parts of a word: `do` and `not` for `don't`, the parts of an unlisted word with a hyphen, and
    /// nothing for numbers in digits.
    private static func parts(_ word: String) -> [String] {
        guard word.unicodeScalars.contains(where: \.properties.isAlphabetic) else { return [] }
        if levels[word] != nil { return [word] }
        if word.contains("-") { return word.split(separator: "-").flatMap { parts(String($0)) } }
        for ending in ["n't", "'m", "'re", "'ve", "'ll", "'d", "'s", "s'", "'"] where word.hasSuffix(ending) {
            let stem = String(word.dropLast(ending.count))
            switch ending {
            case "n't": return [stem, "not"]
            case "'m", "'re", "'ve", "'ll": return [stem, ending]
            case "s'": return [stem + "s"]
            // `'d` means had or would, and `'s` means is, has or a genitive. None of these is harder than the word
            // before it.
            default: return stem.isEmpty ? [] : [stem]
            }
        }
        return [word]
    }

    /// Read once.
    private static let levels: [String: Level] = {
        var levels: [String: Level] = [:]
        for line in String(decoding: PackageResources.cefr_j_txt, as: UTF8.self).split(separator: "\n") {
            let fields = line.split(separator: " ")
            if fields.count == 2, let level = Level(rawValue: String(fields[1])) { levels[String(fields[0])] = level }
        }
        return levels
    }()
}
