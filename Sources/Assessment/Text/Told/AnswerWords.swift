import ExamCore

/// The words of a transcript as people read and play them: each with its time, and marked if it fills a pause, repeats
/// the word before, or was probably misheard. Page, report and tool show the same.
public struct AnswerWords: Codable, Equatable, Sendable {
    /// The answer's name: `part1_q3`.
    public var answer: String
    public var source: AnswerTranscript.Source
    /// The name of the recogniser. Nil if the candidate typed the words.
    public var recogniser: String?
    /// Whether the recogniser writes fillers and false starts. Nil if the candidate typed the words.
    public var isVerbatim: Bool?
    /// Whether words are missing because parts of what was heard were discarded. Nil if not.
    public var isPartial: Bool?
    /// Whether the times are estimated, and may be wrong by a word or two. Nil if the times come from the phones in the
    /// recording, or if there are no times.
    public var isRough: Bool?
    public var words: [Word]

    /// A word as it is written, with its punctuation.
    public struct Word: Codable, Equatable, Sendable {
        public var text: String
        /// The place of its first character in the transcript, in Unicode scalars.
        public var at: Int
        /// Seconds from the recording's first sample. Nil if the time is unknown.
        public var start: Double?
        public var end: Double?
        /// Whether it only fills a pause, such as "er". Nil if not.
        public var isFiller: Bool?
        /// Whether it repeats the word before it, by a slip. Nil if not.
        public var isRepeated: Bool?
        /// Whether it was probably misheard: the sound has other phones. Nil if not, and for words that were typed.
        public var isDoubtful: Bool?
    }

    /// Finds the words of a transcript.
    ///
    /// Typed words have no times of their own. A word that a recogniser also heard, in the same order, gets the
    /// recogniser's time. The other words share the time between these. Without a recogniser, all words share the time
    /// in which there is speech.
    ///
    /// - Parameters:
    ///   - others: the other transcripts of the same recording.
    ///   - timeline: the recording's timeline; nil if it was not measured.
    public init(of transcript: AnswerTranscript, others: [AnswerTranscript] = [], in timeline: SoundTimeline?) {
        answer = transcript.answer
        source = transcript.source
        recogniser = transcript.recogniser?.id
        isVerbatim = transcript.isVerbatim
        isPartial = transcript.isPartial
        let spoken = transcript.text.spokenWords
        words = transcript.text.written(spoken)
        for (index, word) in spoken.enumerated() where Filler.all.contains(word.text) { words[index].isFiller = true }
        for repetition in Repetition.all(in: spoken) {
            for (index, word) in spoken.enumerated()
            where word.start > repetition.start && word.start < repetition.end {
                words[index].isRepeated = true
            }
        }
        let timed = ([transcript] + others).compactMap(\.words).filter { !$0.isEmpty }
        if let heard = timed.first(where: \.isAligned) ?? timed.first {
            place(spoken.map(\.text), by: heard)
            isRough = heard.isAligned ? nil : true
        } else if let timeline, timeline.span != nil, !words.isEmpty {
            let whole = TimeRange(0, timeline.duration)
            for (index, time) in timeline.roughTimes(of: spoken.map(\.text), in: whole).enumerated() {
                words[index].set(time)
            }
            isRough = true
        }
    }

    private mutating func place(_ spoken: [String], by heard: [HeardWord]) {
        let pairs = WordPairs(of: spoken, heard.map { $0.text.spokenWords.first?.text ?? "" })
        for (index, time) in pairs.times(of: spoken, heard).enumerated() { words[index].set(time) }
        guard source == .recogniser else { return }
        for (index, other) in pairs.pairs where heard[other].isDoubtful { words[index].isDoubtful = true }
    }
}

extension AnswerWords.Word {
    /// Sets the time, in hundredths of a second: no time is more exact than that.
    fileprivate mutating func set(_ time: TimeRange) {
        start = (time.start * 100).rounded() / 100
        end = (max(time.start, time.end) * 100).rounded() / 100
    }
}

extension HeardWord {
    /// The share of differing phones above which a third of the words or more are wrong.
    private static let mostDoubt = 0.4

    /// Whether the word was probably misheard. Always false if phones were not recognised.
    package var isDoubtful: Bool { (doubt ?? 0) > Self.mostDoubt }

    /// Whether the time comes from phones.
    fileprivate var isAligned: Bool { isRough != true && doubt != nil }
}

extension [HeardWord] {
    /// Whether words were aligned by phones. Other times, even a recogniser's own, are a third of a second off.
    package var isAligned: Bool { contains { $0.isAligned } }
}

extension [AnswerTranscript] {
    /// Returns the words of each transcript, in this order. A transcript of an earlier recording of an answer is left
    /// out.
    ///
    /// - Parameter assessment: the measurements. Words in an answer that was not measured may lack times.
    public func words(in assessment: ExamAssessment) -> [AnswerWords] {
        let measured = Dictionary(assessment.answers.map { ($0.record.name, $0) }) { first, _ in first }
        let current = filter { (measured[$0.answer]?.recording ?? $0.recording) == $0.recording }
        return current.enumerated().map { index, transcript in
            let others = current.enumerated().filter { $0.offset != index && $0.element.isOfSound(as: transcript) }
            return AnswerWords(
                of: transcript, others: others.map(\.element), in: measured[transcript.answer]?.sound.timeline)
        }
    }
}

extension AnswerTranscript {
    fileprivate func isOfSound(as other: AnswerTranscript) -> Bool {
        answer == other.answer && recording == other.recording
    }
}

extension String {
    /// Returns the words as they are written: with the punctuation around them, and without spaces.
    fileprivate func written(_ words: [SpokenWord]) -> [AnswerWords.Word] {
        let scalars = Array(unicodeScalars)
        func isSpace(_ place: Int) -> Bool { scalars[place].properties.isWhitespace }
        var (written, begin) = ([AnswerWords.Word](), 0)
        for (index, word) in words.enumerated() {
            let next = index + 1 < words.count ? words[index + 1].start : scalars.count
            // Punctuation belongs to the word that it touches. A lone dash belongs to the word after it.
            var end = word.end
            while end < next, !isSpace(end) { end += 1 }
            while begin < word.start, isSpace(begin) { begin += 1 }
            var text = UnicodeScalarView()
            text.append(contentsOf: scalars[begin..<end])
            written.append(AnswerWords.Word(text: String(text), at: begin))
            begin = end
        }
        return written
    }
}
