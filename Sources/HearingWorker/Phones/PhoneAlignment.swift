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
        var (phones, owners) = ([Int](), [Int?]())
        for (index, word) in words.enumerated() where !word.isEmpty {
            if !phones.isEmpty {
                phones.append(PhoneFrames.boundary)
                owners.append(nil)
            }
            phones += word
            owners += word.map { _ in index }
        }
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

    /// Returns the state of each frame: an even state is a blank, an odd state is the phone at half its number.
    private static func path(through phones: [Int], in frames: PhoneFrames) -> [Int] {
        let labels = [PhoneFrames.blank] + phones.flatMap { [$0, PhoneFrames.blank] }
        let count = labels.count
        // Two equal phones in a row need a blank between them.
        let skips = labels.indices.map { $0 >= 3 && $0 % 2 == 1 && labels[$0] != labels[$0 - 2] }
        var scores = [Float](repeating: -.infinity, count: count)
        scores[0] = frames[0, labels[0]]
        scores[1] = frames[0, labels[1]]
        // For each frame and state, the number of states by which the best path advanced.
        var moves = [UInt8](repeating: 0, count: frames.count * count)
        for frame in 1..<frames.count {
            // From the last state on, so that the scores of the frame before are still there.
            for state in stride(from: count - 1, through: 0, by: -1) {
                var (best, move) = (scores[state], UInt8(0))
                if state >= 1, scores[state - 1] > best { (best, move) = (scores[state - 1], 1) }
                if skips[state], scores[state - 2] > best { (best, move) = (scores[state - 2], 2) }
                scores[state] = best + frames[frame, labels[state]]
                moves[frame * count + state] = move
            }
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
