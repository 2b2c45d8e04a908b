/// An estimate of one aspect of an exam: a range, never a point, with its basis and what would make it narrower.
public struct AspectEstimate: Codable, Equatable, Sendable {
    /// An estimated aspect. Prosody and accuracy of sounds are parts of the criterion pronunciation.
    public enum Aspect: String, Codable, CaseIterable, Sendable {
        case overall, fluency, vocabulary, grammar, pronunciation, prosody, accuracy

        init(_ criterion: Criterion) {
            switch criterion {
            case .fluency: self = .fluency
            case .vocabulary: self = .vocabulary
            case .grammar: self = .grammar
            case .pronunciation: self = .pronunciation
            }
        }
    }

    /// The scale of a range.
    public enum Scale: String, Codable, Sendable {
        /// Unofficial bands, 0 to 9.
        case band
        /// The marks from 0 to 10 of the people who marked the recordings of the calibration (`ListenerScale`).
        case listeners

        /// The highest mark.
        public var top: Double { self == .band ? 9 : 10 }
    }

    /// The origin of a range.
    public enum Origin: String, Codable, Sendable {
        case people
        /// Services, programs, models, or this program's own measurements.
        case machines
    }

    /// A range by people or by machines, with its basis.
    public struct Range: Codable, Equatable, Sendable {
        public var origin: Origin
        /// Half marks, `low` below `high`.
        public var low: Double
        public var high: Double
        /// The names of people and machines, or `delivery` for this program's own measurements.
        public var sources: [String]
        /// Seconds of speech.
        public var seconds: Double
        /// The number of words that were judged. Nil if no words were judged.
        public var words: Int?
        /// Whether the width is based on people's marks, either of this exam or of other exams that the same sources
        /// marked.
        public var isCompared: Bool
        /// The way in which the width was found, as a sentence.
        public var width: String
    }

    public var aspect: Aspect
    public var scale: Scale
    /// People's range if people marked, otherwise the machines'.
    public var counted: Range
    /// The machines' range, shown next to people's. Nil if either is missing.
    public var beside: Range?
    /// The evidence that would make the range narrower, as a sentence.
    public var narrower: String
    /// The text below the range: its meaning, its basis, the reason for its width, the other range next to it, and what
    /// would make it narrower. A sentence that an earlier aspect already has is left out.
    public internal(set) var sentences: [String] = []
}

extension AspectEstimate {
    /// The range in words: `about 5.5 to 6.5`.
    public var words: String { counted.inWords }

    /// The meaning of the range on its scale, as a sentence. Nil for bands, which descriptors explain (`Rubric`).
    public var meaning: String? {
        guard scale == .listeners else { return nil }
        let (low, high) = (ListenerScale.words(aspect, counted.low), ListenerScale.words(aspect, counted.high))
        return low == high ? "Listeners call that \(low)." : "Listeners call that \(low); at best \(high)."
    }

    /// All sentences of this aspect alone.
    private var ownSentences: [String] {
        let beside = beside.map { "Machines: \($0.inWords), from \($0.basis)." }
        return [meaning, "From \(counted.basis).", counted.width, beside, narrower].compactMap(\.self)
    }

    /// Returns the estimates with their `sentences`. Takes the estimates in the order in which they are shown.
    static func told(_ estimates: [AspectEstimate]) -> [AspectEstimate] {
        var said: Set<String> = []
        return estimates.map { estimate in
            var told = estimate
            told.sentences = estimate.ownSentences.filter { said.insert($0).inserted }
            return told
        }
    }
}

extension AspectEstimate.Range {
    /// The range in words: `about 5.5 to 6.5`.
    public var inWords: String { "about \(low.asHalves) to \(high.asHalves)" }

    /// The basis in words: `311 s of speech, 420 words, by llama`.
    public var basis: String {
        (["\(seconds.figure(0)) s of speech"] + (words.map { [$0.counted("word")] } ?? [])).joined(separator: ", ")
            + (sources.isEmpty ? "" : ", by \(sources.map(Self.named).joined(separator: " and "))")
    }

    /// The source that stands for this program's own measurements of the sound.
    static let ownSource = "delivery"

    private static func named(_ source: String) -> String { source == ownSource ? "its sound" : source }

    /// Makes a range of half marks that stays within its scale.
    ///
    /// - Parameters:
    ///   - bounds: the bounds, not rounded.
    ///   - least: the least width. A range at an end of the scale grows only away from that end.
    init(
        _ origin: AspectEstimate.Origin, _ bounds: ClosedRange<Double>, on scale: AspectEstimate.Scale, least: Double,
        sources: [String], seconds: Double, words: Int?, isCompared: Bool, width: String
    ) {
        func half(_ mark: Double) -> Double { min(max((mark * 2).rounded() / 2, 0), scale.top) }
        var (low, high) = (half(bounds.lowerBound), half(bounds.upperBound))
        // Doubles hold halves exactly, so `<` is safe.
        if high - low < least { high = min(scale.top, low + least) }
        if high - low < least { low = max(0, high - least) }
        self.init(
            origin: origin, low: low, high: high, sources: sources, seconds: (seconds * 10).rounded() / 10,
            words: words, isCompared: isCompared, width: width)
    }
}

/// The scale of the people who marked the calibration's recordings, 0 to 10, in words.
public enum ListenerScale {
    /// Returns the meaning of a mark. The words follow the instructions of speechocean762's markers (J. Zhang et al.
    /// 2021).
    static func words(_ aspect: AspectEstimate.Aspect, _ mark: Double) -> String {
        let steps: [(from: Double, words: String)] =
            switch aspect {
            case .prosody:
                [
                    (9, "as natural as a native speaker's rhythm and intonation"),
                    (7, "nearly right in intonation, at a steady speed"),
                    (5, "uneven in speed, with little rhythm"), (3, "too fast or too slow, without rhythm"),
                    (0, "hard to follow in rhythm and intonation"),
                ]
            case .accuracy:
                [
                    (9, "excellent, without clear mistakes in sounds"), (7, "good, with a few mistakes in sounds"),
                    (5, "understandable, with many mistakes in sounds"), (3, "clumsy, with serious mistakes in sounds"),
                    (0, "mostly not recognisable"),
                ]
            default:
                [
                    (8, "fluent, without noticeable pauses"), (6, "fluent on the whole, with a few pauses"),
                    (4, "a little halting, with many pauses"), (0, "broken, with very many pauses"),
                ]
            }
        return steps.first { mark >= $0.from }?.words ?? steps[steps.count - 1].words
    }
}

extension Double {
    /// A half mark: `6`, `6.5`.
    fileprivate var asHalves: String { rounded() == self ? figure(0) : figure(1) }
}

extension AspectEstimate {
    /// The aspect's name for people, with the scale unless it is bands: `fluency, 0 to 10`.
    public var title: String {
        switch aspect {
        case .overall: "overall"
        case .fluency: scale == .band ? Criterion.fluency.title : "fluency, 0 to 10"
        case .vocabulary: Criterion.vocabulary.title
        case .grammar: Criterion.grammar.title
        case .pronunciation: Criterion.pronunciation.title
        case .prosody: "prosody, 0 to 10"
        case .accuracy: "accuracy of sounds, 0 to 10"
        }
    }
}
