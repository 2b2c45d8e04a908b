extension TextProfile {
    /// The available measures, each with a sentence on its basis.
    public var lines: [MeasureLine] {
        guard words > 0 else { return [] }
        if let sequence { return [count, sequence.line, rate].compactMap(\.self) + readingLines }
        return [count, rate, mtld, mattr, vocabulary, repeated, favourite].compactMap(\.self)
    }

    /// The lines about a given text: how well it was heard. Empty if there is no such text or no recogniser of phones.
    public var readingLines: [MeasureLine] { reading?.lines ?? [] }

    private var count: MeasureLine? {
        MeasureLine(
            id: "words", name: "words", value: String(words),
            sentence: diversity == nil && tokens < LexicalDiversity.fewest
                ? "Counted in the transcript; their variety can be measured from \(LexicalDiversity.fewest) words on."
                : "Counted in the transcript, and only as accurate as the transcript.")
    }

    private var rate: MeasureLine? {
        wordsPerMinute.map {
            MeasureLine(
                id: "wordsPerMinute", name: "words a minute", value: $0.figure(0),
                sentence: "From the first to the last word, with pauses.")
        }
    }

    private var mtld: MeasureLine? {
        diversity.map {
            MeasureLine(
                id: "mtld", name: "variety of words (MTLD)", value: $0.mtld.figure(0),
                sentence: "The number of words in a row of which over 72 % differ; long texts do not change it.")
        }
    }

    private var mattr: MeasureLine? {
        diversity.map {
            MeasureLine(
                id: "mattr", name: "different words in 50", value: $0.mattr.percent,
                sentence: "The average over every 50 words in a row (MATTR).")
        }
    }

    private var vocabulary: MeasureLine? {
        levels.map { levels in
            let shares = VocabularyProfile.Level.allCases.map { "\($0.rawValue) \(levels.share($0).percent)" }
            let apart =
                levels.unknown > 0 ? [(Double(levels.unknown) / Double(levels.words)).percent + " not in the list"] : []
            return MeasureLine(
                id: "vocabulary", name: "words by level", value: (shares + apart).joined(separator: ", "),
                sentence:
                    "By the \(VocabularyProfile.list), each word at its lowest level. It is not the speaker's level."
            )
        }
    }

    private var repeated: MeasureLine? {
        guard let first = repetitions.first else { return nil }
        return MeasureLine(
            id: "repetitions", name: "repeated at once", value: repetitions.count.counted("time"),
            sentence: "As in \"\(first.words)\".")
    }

    private var favourite: MeasureLine? {
        guard !favourites.isEmpty else { return nil }
        return MeasureLine(
            id: "favourites", name: "most used",
            value: favourites.map { "\($0.word) (\($0.times))" }.joined(separator: ", "),
            sentence: "Words that you use often. Try another word for one of them.")
    }
}

extension WordSequence {
    /// The points with their basis: `4 of 5 points`.
    var line: MeasureLine {
        let left =
            missing.isEmpty ? "none left out" : "left out: " + missing.map { "\"\($0)\"" }.joined(separator: ", ")
        let more = added == 0 ? "nothing added" : "\(added.counted("word")) added"
        return MeasureLine(
            id: "wordSequence", name: "said again (practice)",
            value:
                "\(points.figure(points == points.rounded() ? 0 : 1)) of \(mostPoints.figure(mostPoints == mostPoints.rounded() ? 0 : 1)) points",
            sentence:
                "\(inOrder) of \(words.counted("word")) in their order, \(left); \(more). By the format's own table, from the transcript."
        )
    }
}
