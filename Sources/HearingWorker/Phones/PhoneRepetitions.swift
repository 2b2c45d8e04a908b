import Assessment

/// Groups of words that were repeated immediately, although they are written once: recognisers leave out such
/// repetitions, but their phones are in the sound.
///
/// For each group, the most probable path through the words around it is compared with the one on which the group comes
/// twice. No other words are tried, so none are invented.
struct PhoneRepetitions {
    /// In order, without overlaps.
    let groups: [SaidAgain]

    /// The words of a group. Longer repetitions are begun sentences, which recognisers write.
    private static let lengths = 1...3
    /// The phones of a group. A single phone that was said twice, such as "I", cannot be distinguished from a long one.
    private static let leastPhones = 2
    /// The least logarithm by which the repetition must be more probable. Chosen on the first ten sentences of
    /// `Tests/hesitant` and on 300 read ones, in which it finds five repetitions.
    private static let leastGain: Float = 5

    /// Finds repetitions.
    ///
    /// - Parameters:
    ///   - words: the numbers of each word's phones.
    ///   - places: each word's place in seconds (`PhoneAlignment`).
    init(of words: [[Int]], at places: [TimeRange?], in frames: PhoneFrames) {
        var found: [(gain: Float, group: Range<Int>)] = []
        for start in words.indices {
            for length in Self.lengths where start + length <= words.count {
                let group = start..<start + length
                guard group.allSatisfy({ places[$0] != nil }), !Self.isDoubled(group, words),
                    words[group].reduce(0, { $0 + $1.count }) >= Self.leastPhones,
                    let gain = Self.gain(of: group, words, places, frames), gain >= Self.leastGain
                else { continue }
                found.append((gain, group))
            }
        }
        var chosen: [Range<Int>] = []
        for (_, group) in found.sorted(by: { ($1.gain, $0.group.lowerBound) < ($0.gain, $1.group.lowerBound) }) {
            // If a group comes twice, repeating one of its neighbours would also explain the sound better than no
            // repetition. Of groups that touch, keep only the best.
            let around = group.lowerBound - 1..<group.upperBound + 1
            if !chosen.contains(where: around.overlaps) { chosen.append(group) }
        }
        groups = chosen.sorted { $0.lowerBound < $1.lowerBound }.map {
            SaidAgain(first: $0.lowerBound, count: $0.count)
        }
    }

    /// Whether the words before or after a group are the same, so that the repetition is written already.
    private static func isDoubled(_ group: Range<Int>, _ words: [[Int]]) -> Bool {
        let (before, after) = (group.lowerBound - group.count, group.upperBound + group.count)
        return after <= words.count && words[group.upperBound..<after].elementsEqual(words[group])
            || before >= 0 && words[before..<group.lowerBound].elementsEqual(words[group])
    }

    /// Returns how much more probable the sound is with the group said twice. Nil if there is no room for it.
    private static func gain(
        of group: Range<Int>, _ words: [[Int]], _ places: [TimeRange?], _ frames: PhoneFrames
    ) -> Float? {
        // Include a neighbour on each side: the alignment may have pressed the repetition into its place.
        func isPlaced(_ word: Int) -> Bool { words.indices.contains(word) && places[word] != nil }
        let first = isPlaced(group.lowerBound - 1) ? group.lowerBound - 1 : group.lowerBound
        let last = isPlaced(group.upperBound) ? group.upperBound : group.upperBound - 1
        guard let start = places[first]?.start, let end = places[last]?.end else { return nil }
        let low = first == 0 ? 0 : Int((start / PhoneFrames.step).rounded())
        let high = last == words.count - 1 ? frames.count : Int((end / PhoneFrames.step).rounded())
        let twice = words[first..<group.upperBound] + words[group.lowerBound...last]
        guard let once = PhoneAlignment.likelihood(of: Array(words[first...last]), in: frames, low..<high),
            let again = PhoneAlignment.likelihood(of: Array(twice), in: frames, low..<high)
        else { return nil }
        return again - once
    }
}
