public import Assessment

/// A transcript spread over the time axis of its recording.
///
/// If the times of single words are unknown, each stretch of speech between two pauses gets its share of the words, by
/// its number of syllables, or by its length if no syllables were found. A word's place is then accurate to a word or
/// two.
public struct TimedWords: Equatable, Sendable {
    public var time: TimeRange
    /// The words of this stretch, separated by single spaces. Empty if the transcript has fewer words than the sound
    /// has stretches.
    public var text: String
    /// The word, if this is a single one.
    public var word: AnswerWords.Word?
    /// Whether the words are probably wrong: the sound has other phones. Always false if phones were not recognised.
    public var isDoubtful: Bool { word?.isDoubtful == true }

    /// Creates a stretch with its words.
    public init(time: TimeRange, text: String, word: AnswerWords.Word? = nil) {
        self.time = time
        self.text = text
        self.word = word
    }

    /// Returns each word of a transcript with its own time, in order. Nil if the times do not come from phones: those
    /// of recognisers are a third of a second off.
    ///
    /// - Parameter others: the other transcripts of the same recording, for the times of words that were typed.
    public static func single(_ transcript: AnswerTranscript, others: [AnswerTranscript] = []) -> [TimedWords]? {
        guard ([transcript] + others).contains(where: { $0.words?.isAligned == true }) else { return nil }
        return AnswerWords(of: transcript, others: others, in: nil).words.compactMap { word in
            guard let start = word.start, let end = word.end else { return nil }
            return TimedWords(time: TimeRange(start, end), text: word.text, word: word)
        }
    }

    /// Returns a recording's stretches of speech with the words of a transcript, in order: by the times of the words if
    /// they were aligned by phones, and otherwise by counting syllables.
    ///
    /// - Parameter others: as for `single`.
    public static func lay(
        _ transcript: AnswerTranscript?, others: [AnswerTranscript] = [], over timeline: SoundTimeline
    ) -> [TimedWords] {
        guard let transcript, let words = single(transcript, others: others) else {
            return lay(transcript?.text ?? "", over: timeline)
        }
        var stretches = timeline.stretches.map { TimedWords(time: $0, text: "") }
        guard !stretches.isEmpty else { return stretches }
        for word in words {
            let middle = (word.time.start + word.time.end) / 2
            // The last stretch that begins before it: a word in a pause belongs to the words before.
            let home = stretches.lastIndex { $0.time.start <= middle } ?? 0
            stretches[home].text += (stretches[home].text.isEmpty ? "" : " ") + word.text
        }
        return stretches
    }

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
    var transcript: AnswerTranscript? { transcripts.told.first }

    /// The words of `transcript`, each with its own time. Nil if the times do not come from phones.
    var singleWords: [TimedWords]? {
        transcript.flatMap { TimedWords.single($0, others: otherTranscripts) }
    }

    /// The words of `transcript` in the recording's stretches of speech.
    func laidWords(over timeline: SoundTimeline) -> [TimedWords] {
        TimedWords.lay(transcript, others: otherTranscripts, over: timeline)
    }

    /// The transcripts besides `transcript`. A report has only those of its own recording.
    private var otherTranscripts: [AnswerTranscript] {
        transcripts.filter { $0 != transcript && $0.recording == transcript?.recording }
    }
}
