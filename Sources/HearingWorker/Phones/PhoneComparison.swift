/// A comparison of heard phones with those of known words: the fewest phones to insert, remove or replace to turn the
/// heard ones into the others (Levenshtein 1965).
package struct PhoneComparison: Equatable, Sendable {
    /// The number of these edits, divided by the number of the words' phones. 0 if all of them were heard, and no
    /// others.
    package let distance: Double
    /// For each word, the share of its phones that were heard at its place. Nil for a word without phones.
    package let shares: [Double?]

    /// Phones that count as equal: ə and ʌ, two kinds of g, ɑ and ɔ.
    private static let alike = [89: 125, 95: 18, 80: 83]

    /// Compares phones.
    ///
    /// - Parameters:
    ///   - heard: the numbers of the heard phones.
    ///   - words: the numbers of each word's phones.
    package init(heard: [Int], words: [[Int]]) {
        let heard = heard.map { Self.alike[$0] ?? $0 }
        let wanted = words.flatMap { $0.map { Self.alike[$0] ?? $0 } }
        let width = wanted.count + 1
        // edits[i * width + j]: the edits from the first i heard phones to the first j wanted ones.
        var edits = [Int32](repeating: 0, count: (heard.count + 1) * width)
        for place in wanted.indices { edits[place + 1] = Int32(place + 1) }
        for (index, phone) in heard.enumerated() {
            let (above, row) = (index * width, (index + 1) * width)
            edits[row] = Int32(index + 1)
            for (place, other) in wanted.enumerated() {
                let replaced = edits[above + place] + (phone == other ? 0 : 1)
                edits[row + place + 1] = min(replaced, edits[above + place + 1] + 1, edits[row + place] + 1)
            }
        }
        distance = Double(edits[edits.count - 1]) / Double(max(1, wanted.count))

        var isHeard = [Bool](repeating: false, count: wanted.count)
        var (i, j) = (heard.count, wanted.count)
        while i > 0 && j > 0 {
            let isSame = heard[i - 1] == wanted[j - 1]
            if edits[i * width + j] == edits[(i - 1) * width + j - 1] + (isSame ? 0 : 1) {
                isHeard[j - 1] = isSame
                (i, j) = (i - 1, j - 1)
            } else if edits[i * width + j] == edits[i * width + j - 1] + 1 {
                j -= 1
            } else {
                i -= 1
            }
        }
        var next = 0
        shares = words.map { word in
            defer { next += word.count }
            return word.isEmpty ? nil : Double(isHeard[next..<next + word.count].count { $0 }) / Double(word.count)
        }
    }
}
