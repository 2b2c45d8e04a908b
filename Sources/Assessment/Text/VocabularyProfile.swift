/// How the words of a text spread over the levels of the CEFR, by the CEFR-J Wordlist 1.5 (Yukio Tono, Tokyo University of Foreign Studies).
///
/// Each word counts where the list has its lemma; of several that it may come from, the one of the lowest level; what the list does not have
/// (names, technical words, rare ones) is counted apart, and never guessed. The list ends with B2. A spread of levels is no level of a speaker.
public struct VocabularyProfile: Codable, Equatable, Sendable {
    /// Who says at what level a word is.
    public static let list = "CEFR-J Wordlist 1.5"

    public enum Level: String, Codable, CaseIterable, Comparable, Sendable {
        case a1 = "A1"
        case a2 = "A2"
        case b1 = "B1"
        case b2 = "B2"

        public static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
    }

    /// Words at each level; a level without any is left out.
    public var counts: [String: Int]
    /// Words that are not in the list.
    public var unknown: Int

    public var words: Int { unknown + counts.values.reduce(0, +) }

    /// Of all words, 0 … 1.
    public func share(_ level: Level) -> Double {
        words > 0 ? Double(counts[level.rawValue] ?? 0) / Double(words) : 0
    }

    /// - Parameter texts: as `spokenWords` gives them. - Returns: nil where there are none.
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

    /// The lowest level of all that a word may come from; nil where the list has none of them.
    ///
    /// - Parameter word: in lower case.
    static func level(of word: String) -> Level? {
        // A headword in -er or -est is what it is: a traveller is not "more travel".
        Lemmas.candidates(of: word, comparatives: levels[word] == nil).compactMap { levels[$0] }.min()
    }

    /// Of a word just as it stands in the list.
    static func level(listed word: String) -> Level? { levels[word] }

    /// `don't` is `do` and `not`; a word with a hyphen that the list does not have is its parts; numbers in digits are nothing.
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
            // 'd is had or would, 's is, has or a genitive: all as easy as the word before them at most.
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
