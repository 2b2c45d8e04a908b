public import Assessment

/// A transcript spread over the time axis of its recording.
///
/// The times of single words are unknown. Each stretch of speech between two pauses gets its share of the words, by its
/// number of syllables, or by its length if no syllables were found. A word's place is accurate to a word or two.
public struct TimedWords: Equatable, Sendable {
    public var time: TimeRange
    /// The words of this stretch, separated by single spaces. Empty if the transcript has fewer words than the sound
    /// has stretches.
    public var text: String

    /// Returns a recording's stretches of speech with their words, in order.
    ///
    /// - Parameter text: the transcript. If empty, the stretches have no words.
    public static func lay(_ text: String, over timeline: SoundTimeline) -> [TimedWords] {
        let stretches = timeline.stretches
        let words = text.split(whereSeparator: \.isWhitespace)
        let counts = stretches.map { stretch in
            timeline.syllables.count { stretch.start <= $0 && $0 <= stretch.end }
        }
        let bySyllables = counts.contains { $0 > 0 }
        let weights = zip(stretches, counts).map { bySyllables ? Double($1) : $0.length }
        let letters = Double(words.reduce(0) { $0 + $1.count })
        let total = weights.reduce(0, +)
        var (next, spent, due) = (0, 0.0, 0.0)
        return zip(stretches, weights).enumerated().map { index, stretch in
            due += total > 0 ? letters * stretch.1 / total : 0
            let first = next
            let isLast = index == stretches.count - 1
            while next < words.count, isLast || spent + Double(words[next].count) / 2 <= due {
                spent += Double(words[next].count)
                next += 1
            }
            return TimedWords(time: stretch.0, text: words[first..<next].joined(separator: " "))
        }
    }
}

extension SoundTimeline {
    /// The stretches of speech between the pauses.
    var stretches: [TimeRange] {
        guard let span else { return [] }
        var stretches: [TimeRange] = []
        var start = span.start
        for pause in pauses where pause.start >= start && pause.end <= span.end {
            if pause.start > start { stretches.append(TimeRange(start, pause.start)) }
            start = pause.end
        }
        if span.end > start { stretches.append(TimeRange(start, span.end)) }
        return stretches
    }
}

extension ReportedAnswer {
    /// The candidate's own transcript, or else a program's.
    var transcript: AnswerTranscript? { transcripts.first { $0.source == .own } ?? transcripts.first }
}
