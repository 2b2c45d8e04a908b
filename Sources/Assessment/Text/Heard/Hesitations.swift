/// The sounds that fill a pause, as recognisers write them.
public enum Filler {
    /// In lower case, without punctuation.
    public static let all: Set<String> = ["um", "uh", "uhm", "er", "erm", "eh", "ah", "hm", "hmm", "mm", "mhm"]
}

extension [String] {
    /// The longest group of words that speakers are taken to repeat while they search for the next words: "it was a,
    /// it was a good day".
    private static let longestRepetition = 4

    /// Returns the words without fillers and immediate repetitions. Of repeated words, one copy stays.
    ///
    /// It undoes what a verbatim transcript adds to a plain one, so that both can be compared. It also removes
    /// repetitions that are meant ("very very"), so its result isn't for counting or showing.
    ///
    /// - Precondition: The words are in lower case, without punctuation.
    public var withoutHesitations: [String] {
        var kept: [String] = []
        for word in self where !Filler.all.contains(word) {
            kept.append(word)
            // Shorter groups first: "I I I" becomes one word before longer groups are compared.
            for length in 1...Self.longestRepetition where kept.count >= 2 * length {
                let copy = kept.suffix(length)
                if copy.elementsEqual(kept.dropLast(length).suffix(length)) {
                    kept.removeLast(length)
                    break
                }
            }
        }
        return kept
    }
}
