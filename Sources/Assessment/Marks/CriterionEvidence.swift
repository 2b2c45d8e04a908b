/// A trait that is marked: one of the four criteria, or topic relevance, which is not a criterion and does not count in
/// the overall mark.
public enum MarkedTrait: String, Codable, CodingKeyRepresentable, CaseIterable, Sendable {
    case fluency, vocabulary, grammar, pronunciation, topicRelevance

    public init(_ criterion: Criterion) {
        switch criterion {
        case .fluency: self = .fluency
        case .vocabulary: self = .vocabulary
        case .grammar: self = .grammar
        case .pronunciation: self = .pronunciation
        }
    }

    /// Nil for topic relevance.
    public var criterion: Criterion? { Criterion(rawValue: rawValue) }
}

/// The origin of a mark, and the rules it follows.
public struct MarkSource: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, Sendable {
        case human
        /// A service or program that marks.
        case machine
        /// The delivery profile: evidence on a part of one criterion, never a mark.
        case delivery
    }

    public var kind: Kind
    /// A person's name, `azure`, `llama3.1` …
    public var id: String
    /// For a person, the rubric they used (`ielts-style/1`).
    public var version: String

    public init(kind: Kind, id: String, version: String) {
        self.kind = kind
        self.id = id
        self.version = version
    }
}

/// A mark, or the reason why it is missing. No number stands for a missing mark.
public enum MarkOutcome: Equatable, Sendable {
    case mark(Double)
    /// The reason in a sentence without a full stop, for people.
    case missing(because: String)

    public var mark: Double? { if case .mark(let mark) = self { mark } else { nil } }
    public var reason: String? { if case .missing(let reason) = self { reason } else { nil } }
}

/// In a file `{"mark": 6.5}`, or `{"missing": "…"}` with the reason.
extension MarkOutcome: Codable {
    private enum CodingKeys: CodingKey { case mark, missing }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        if let reason = try fields.decodeIfPresent(String.self, forKey: .missing) {
            self = .missing(because: reason)
        } else {
            self = .mark(try fields.decode(Double.self, forKey: .mark))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .mark(let mark): try fields.encode(mark, forKey: .mark)
        case .missing(let reason): try fields.encode(reason, forKey: .missing)
        }
    }
}

/// A source's evidence on one trait, for an answer or the whole exam, and the recordings that it heard.
public struct CriterionEvidence: Codable, Equatable, Sendable {
    public enum Scope: Codable, Hashable, Sendable {
        case exam
        /// The answer's name (`part1_q3`) and its seconds of speech, which determine its weight.
        case answer(name: String, speech: Double)
    }

    public var trait: MarkedTrait
    public var scope: Scope
    public var source: MarkSource
    /// The SHA-256 of each recording that was heard, in hexadecimal.
    public var recordings: [String]
    /// The scale of `outcome`: `band`, or one for which the rules have a mapping (`MarkMapping.scale`).
    public var scale: String
    /// On the source's own scale.
    public var outcome: MarkOutcome
    /// The results of each run, if the source was asked several times. Otherwise nil.
    public var runs: [MarkRun]?
    /// A mark that the source gave, but that does not count until a person has marked. `outcome` says why. Nil if no
    /// mark is held.
    public var held: HeldMark?

    public init(
        trait: MarkedTrait, scope: Scope, source: MarkSource, recordings: [String], scale: String = MarkMapping.band,
        outcome: MarkOutcome, runs: [MarkRun]? = nil
    ) {
        self.trait = trait
        self.scope = scope
        self.source = source
        self.recordings = recordings
        self.scale = scale
        self.outcome = outcome
        self.runs = runs
    }
}

/// One run of a source that is asked several times.
public struct MarkRun: Codable, Equatable, Sendable {
    /// The seed of the source's random numbers.
    public var seed: Int
    /// Nil if this run gave no mark.
    public var mark: Double?
    /// The source's explanation in its own words.
    public var reason: String?

    public init(seed: Int, mark: Double?, reason: String? = nil) {
        self.seed = seed
        self.mark = mark
        self.reason = reason
    }
}

extension [MarkRun] {
    /// Returns the median. The mark is missing if too few runs gave one, or if the marks are too far apart. The reason
    /// then states their range.
    ///
    /// - Parameter widest: the largest allowed difference between the lowest and the highest mark, in bands.
    public func outcome(widest: Double = 1) -> MarkOutcome {
        let marks = compactMap(\.mark).sorted()
        guard let lowest = marks.first, let highest = marks.last else { return .missing(because: "no run gave a mark") }
        // The median of half of the runs, or of fewer, would rest on too little evidence.
        guard marks.count * 2 > count else {
            return .missing(because: "only \(marks.count) of \(count) runs gave a mark")
        }
        guard highest - lowest <= widest else {
            return .missing(
                because: "its runs ranged from \(lowest.figure(1)) to \(highest.figure(1)), too far apart for a mark")
        }
        return .mark((marks[(marks.count - 1) / 2] + marks[marks.count / 2]) / 2)
    }
}

/// An answer of an exam that is to be marked.
public struct SpokenAnswer: Codable, Equatable, Sendable {
    /// The answer's name, such as `part1_q3`.
    public var name: String
    /// The seconds of speech in it.
    public var speech: Double
    /// The SHA-256 of its recording.
    public var recording: String

    public init(name: String, speech: Double, recording: String) {
        self.name = name
        self.speech = speech
        self.recording = recording
    }
}

extension MarkSheet {
    /// Returns the sheet's marks as evidence on the whole exam, because a person marks the test and not single answers.
    ///
    /// - Parameter recordings: the SHA-256 of the exam's recordings.
    public func evidence(recordings: [String]) -> [CriterionEvidence] {
        MarkedTrait.allCases.compactMap { trait in
            let band = trait.criterion.map { bands[$0] } ?? topicRelevance
            return band.map {
                CriterionEvidence(
                    trait: trait, scope: .exam, source: MarkSource(kind: .human, id: marker, version: rubric),
                    recordings: recordings, outcome: .mark($0))
            }
        }
    }
}
