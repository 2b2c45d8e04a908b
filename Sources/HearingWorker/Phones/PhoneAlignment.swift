import Assessment

/// The places of known words in a piece: the most probable path through the phones, with blanks between them (CTC,
/// Graves et al., ICML 2006; Viterbi).
struct PhoneAlignment {
    /// In seconds of the piece, one for each word. Nil for a word without phones, and for all words if there are more
    /// phones than the piece has room for.
    let words: [TimeRange?]

    /// Aligns words.
    ///
    /// - Parameter words: the numbers of each word's phones.
    init(of words: [[Int]], in frames: PhoneFrames) {
        let (phones, owners) = Self.joined(words)
        var found: [TimeRange?] = words.map { _ in nil }
        if !phones.isEmpty, 2 * phones.count < frames.count {
            for (frame, state) in Self.path(through: phones, in: frames).enumerated() where state % 2 == 1 {
                guard let owner = owners[state / 2] else { continue }
                let start = Double(frame) * PhoneFrames.step
                found[owner] = TimeRange(found[owner]?.start ?? start, start + PhoneFrames.step)
            }
        }
        self.words = found
    }

    /// Returns the logarithmic probability of the most probable path through words, in some of the frames. Nil if there
    /// are no phones, or more than these frames have room for.
    static func likelihood(of words: [[Int]], in frames: PhoneFrames, _ range: Range<Int>) -> Float? {
        let (phones, _) = joined(words)
        guard !phones.isEmpty, phones.count < range.count, range.upperBound <= frames.count else { return nil }
        let (labels, skips) = labels(of: phones)
        var scores = beginning(labels, in: frames, range.lowerBound)
        for frame in range.dropFirst() { advance(&scores, labels, skips, in: frames, frame) { _, _ in } }
        return max(scores[scores.count - 1], scores[scores.count - 2])
    }

    /// Returns the phones of words with boundaries between them, and the word that each belongs to.
    private static func joined(_ words: [[Int]]) -> (phones: [Int], owners: [Int?]) {
        var (phones, owners) = ([Int](), [Int?]())
        for (index, word) in words.enumerated() where !word.isEmpty {
            if !phones.isEmpty {
                phones.append(PhoneFrames.boundary)
                owners.append(nil)
            }
            phones += word
            owners += word.map { _ in index }
        }
        return (phones, owners)
    }

    /// Returns the states of a path, and for each whether the blank before it can be left out.
    private static func labels(of phones: [Int]) -> (labels: [Int], skips: [Bool]) {
        let labels = [PhoneFrames.blank] + phones.flatMap { [$0, PhoneFrames.blank] }
        // Two equal phones in a row need a blank between them.
        return (labels, labels.indices.map { $0 >= 3 && $0 % 2 == 1 && labels[$0] != labels[$0 - 2] })
    }

    /// Returns the scores of the states in the first frame.
    private static func beginning(_ labels: [Int], in frames: PhoneFrames, _ frame: Int) -> [Float] {
        var scores = [Float](repeating: -.infinity, count: labels.count)
        scores[0] = frames[frame, labels[0]]
        scores[1] = frames[frame, labels[1]]
        return scores
    }

    /// Moves the scores on to a frame.
    ///
    /// - Parameter keep: gets each state and the number of states by which its best path moved on.
    private static func advance(
        _ scores: inout [Float], _ labels: [Int], _ skips: [Bool], in frames: PhoneFrames, _ frame: Int,
        keep: (Int, UInt8) -> Void
    ) {
        // The last state comes first, so that the scores of the previous frame are still there.
        for state in stride(from: labels.count - 1, through: 0, by: -1) {
            var (best, move) = (scores[state], UInt8(0))
            if state >= 1, scores[state - 1] > best { (best, move) = (scores[state - 1], 1) }
            if skips[state], scores[state - 2] > best { (best, move) = (scores[state - 2], 2) }
            scores[state] = best + frames[frame, labels[state]]
            keep(state, move)
        }
    }

    /// Returns the state of each frame: an even state is a blank, an odd state is the phone at half its number.
    private static func path(through phones: [Int], in frames: PhoneFrames) -> [Int] {
        let (labels, skips) = labels(of: phones)
        let count = labels.count
        var scores = beginning(labels, in: frames, 0)
        // For each frame and state, the number of states by which the best path advanced.
        var moves = [UInt8](repeating: 0, count: frames.count * count)
        for frame in 1..<frames.count {
            advance(&scores, labels, skips, in: frames, frame) { moves[frame * count + $0] = $1 }
        }
        var state = scores[count - 1] > scores[count - 2] ? count - 1 : count - 2
        var path = [Int](repeating: 0, count: frames.count)
        for frame in stride(from: frames.count - 1, through: 0, by: -1) {
            path[frame] = state
            state -= Int(moves[frame * count + state])
        }
        return path
    }
}
