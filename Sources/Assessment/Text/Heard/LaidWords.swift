extension SoundTimeline {
    /// Returns rough times for words that a recogniser heard in a piece, in order. They lie in the stretches of speech,
    /// never in a pause.
    ///
    /// Each stretch gets its share of the letters, by its number of syllables, or by its length if no syllables were
    /// found. A time may be wrong by a word or two.
    ///
    /// - Parameters:
    ///   - words: the words of the piece.
    ///   - piece: seconds of the recording.
    public func roughTimes(of words: [String], in piece: TimeRange) -> [TimeRange] {
        let speech = speech(in: piece)
        let counts = speech.map { stretch in
            syllables.count { stretch.start <= $0 && $0 <= stretch.end }
        }
        let bySyllables = counts.contains { $0 > 0 }
        let weights = zip(speech, counts).map { bySyllables ? Double($1) : $0.length }
        let letters = words.map { Double(max(1, $0.count)) }
        let total = letters.reduce(0, +)
        // For each stretch, the words whose middle falls into its share.
        var homes: [[Int]] = Array(repeating: [], count: speech.count)
        var (stretch, spent, due) = (0, 0.0, weights[0] / weights.reduce(0, +) * total)
        for (index, length) in letters.enumerated() {
            while stretch < speech.count - 1, spent + length / 2 > due {
                stretch += 1
                due += weights[stretch] / weights.reduce(0, +) * total
            }
            homes[stretch].append(index)
            spent += length
        }
        return zip(speech, homes).flatMap { place, own in
            let all = own.reduce(0) { $0 + letters[$1] }
            var at = place.start
            return own.map { index in
                let start = at
                at = min(place.end, start + place.length * letters[index] / all)
                return TimeRange(start, at)
            }
        }
    }

    /// The stretches of speech between the pauses in a piece; the whole piece if there are none.
    private func speech(in piece: TimeRange) -> [TimeRange] {
        guard let span else { return [piece] }
        var stretches: [TimeRange] = []
        var start = max(span.start, piece.start)
        let end = min(span.end, piece.end)
        for pause in pauses where pause.end > start && pause.start < end {
            if pause.start > start { stretches.append(TimeRange(start, pause.start)) }
            start = pause.end
        }
        if start < end { stretches.append(TimeRange(start, end)) }
        return stretches.isEmpty ? [piece] : stretches
    }
}
