/// A measure for people to read: its name, its value with the unit, and one sentence on its meaning here.
public struct MeasureLine: Codable, Equatable, Sendable {
    /// The measure's name in `DeliveryMeasures`: `speechRate`.
    public var id: String
    /// For example, `speech rate`.
    public var name: String
    /// For example, `3.1 syllables a second`.
    public var value: String
    public var sentence: String

    public init(id: String, name: String, value: String, sentence: String) {
        self.id = id
        self.name = name
        self.value = value
        self.sentence = sentence
    }
}

/// The values beyond which a measure says nothing more (docs/results.md).
enum Plateau {
    /// Syllables a second. The adult medians in speechocean762 by the listeners' mark of fluency are 1.57, 2.12, 2.75,
    /// 3.29, 3.49 and 3.45.
    static let speechRate = 3.3
    /// Seconds. A shorter pause has the usual length. Fluency services begin to call a pause long here (Speechace's
    /// documentation).
    static let pause = 1.0
    /// Seconds of speech. With more, a speaker's values hardly change (speechocean762, joined sentences).
    static let speech = 24.0
    /// The share by which two rates must differ to be called different: twice the error of counting syllables.
    static let rateChange = 0.1
}

extension DeliveryProfile {
    /// The available measures, the most informative first. No sentence says that faster is better.
    public var lines: [MeasureLine] {
        guard measures.syllables > 0 || measures.span > 0 else { return [] }
        return [
            phonation, longestPause, pauses, speechRate, articulation, run, meanPause, latency, firstPause, thirds,
            speech,
        ].compactMap(\.self)
    }

    private var phonation: MeasureLine? {
        measures.phonationTimeRatio.map {
            MeasureLine(
                id: "phonationTimeRatio", name: "time speaking", value: $0.percent,
                sentence: "The share of speech from the first to the last word; the rest is pauses of at least 0.25 s.")
        }
    }

    private var longestPause: MeasureLine? {
        guard measures.pauses > 0 else { return nil }
        let seconds = measures.longestPause
        return MeasureLine(
            id: "longestPause", name: "longest pause", value: "\(seconds.figure(1)) s",
            sentence: seconds < Plateau.pause
                ? "A pause of this length is usual, and not a fault."
                : "Listeners notice a pause of a second or more, but a single one says little.")
    }

    private var pauses: MeasureLine? {
        measures.pausesPerMinute.map {
            MeasureLine(
                id: "pausesPerMinute", name: "pauses", value: "\($0.figure(1)) a minute",
                sentence: (measures.meanPause ?? 0) < Plateau.pause
                    ? "Their length is usual and not a fault; sound cannot tell whether they fall between thoughts."
                    : "They are long on average; sound cannot tell whether they fall between thoughts.")
        }
    }

    private var speechRate: MeasureLine? {
        measures.speechRate.map {
            MeasureLine(
                id: "speechRate", name: "speech rate", value: "\($0.figure(1)) syllables a second",
                sentence: $0 > Plateau.speechRate
                    ? "With pauses; above about 3.3, more speed brings nothing."
                    : "With pauses; listeners' marks rise with it up to about 3.3, and no further.")
        }
    }

    private var articulation: MeasureLine? {
        measures.articulationRate.map {
            MeasureLine(
                id: "articulationRate", name: "articulation rate", value: "\($0.figure(1)) syllables a second",
                sentence: "Without pauses; it tells less about fluency than the pauses do.")
        }
    }

    private var run: MeasureLine? {
        measures.meanLengthOfRun.map {
            MeasureLine(
                id: "meanLengthOfRun", name: "length of run", value: "\($0.figure(1)) syllables",
                sentence: "The average length of speech between two pauses.")
        }
    }

    private var meanPause: MeasureLine? {
        measures.meanPause.map {
            MeasureLine(
                id: "meanPause", name: "mean pause", value: "\($0.figure(2)) s",
                sentence: $0 < Plateau.pause
                    ? "The average of \(measures.pauses.counted("pause")): of the usual length."
                    : "The average of \(measures.pauses.counted("pause")): longer than usual.")
        }
    }

    private var latency: MeasureLine? {
        measures.responseLatency.map {
            MeasureLine(
                id: "responseLatency", name: "time to answer", value: "\($0.figure(1)) s",
                sentence:
                    "From the examiner's last word to your first\(measures.latencies > 1 ? ", the mean of \(measures.latencies) answers" : ""); not rated."
            )
        }
    }

    private var firstPause: MeasureLine? {
        measures.timeToFirstPause.map {
            MeasureLine(
                id: "timeToFirstPause", name: "time to the first pause", value: "\($0.figure(1)) s",
                sentence:
                    "The time from the start of an answer to its first pause; not rated."
            )
        }
    }

    private var thirds: MeasureLine? {
        guard let first = measures.firstThird.rate, let last = measures.lastThird.rate, first > 0 else { return nil }
        let change = last / first - 1
        let words =
            abs(change) <= Plateau.rateChange
            ? "as fast as" : "\(abs(change).percent) \(change < 0 ? "slower" : "faster") than"
        return MeasureLine(
            id: "lastThird", name: "first and last third",
            value: "\(first.figure(1)) and \(last.figure(1)) syllables a second",
            sentence: "The end is \(words) the beginning; not rated.")
    }

    private var speech: MeasureLine? {
        MeasureLine(
            id: "speech", name: "speech", value: "\(measures.speech.figure(0)) s",
            sentence: measures.speech < Plateau.speech
                ? "The basis of these figures; from about 24 s on they hardly change."
                : "The basis of these figures, and long enough for stable ones.")
    }
}
