/// What is marked: one of the four criteria, or whether the answers are on the topic, which is no criterion and in no overall mark.
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

    /// nil for the topic.
    public var criterion: Criterion? { Criterion(rawValue: rawValue) }
}

/// Who said something of an exam, and by which rules.
public struct MarkSource: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, Sendable {
        case human
        /// A service or a program that marks.
        case machine
        /// The delivery profile: it speaks to a part of one criterion, and never gives a mark.
        case delivery
    }

    public var kind: Kind
    /// A person's name, `azure`, `llama3.1` …
    public var id: String
    /// A person's: the rubric that lay before them (`ielts-style/1`).
    public var version: String

    public init(kind: Kind, id: String, version: String) {
        self.kind = kind
        self.id = id
        self.version = version
    }
}

/// A mark, or why there is none; never both, and never a number that stands for "none".
public enum MarkOutcome: Equatable, Sendable {
    case mark(Double)
    /// Why not: a sentence without its full stop, for people.
    case missing(because: String)

    public var mark: Double? { if case .mark(let mark) = self { mark } else { nil } }
    public var reason: String? { if case .missing(let reason) = self { reason } else { nil } }
}

/// `{"mark": 6.5}`, or `{"missing": "nobody marked it"}`.
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

/// What one source said of one trait, in an answer or in the whole exam, and the recordings it heard.
public struct CriterionEvidence: Codable, Equatable, Sendable {
    public enum Scope: Codable, Hashable, Sendable {
        case exam
        /// The answer's name (`part1_q3`) and the seconds of speech in it, by which it weighs.
        case answer(name: String, speech: Double)
    }

    public var trait: MarkedTrait
    public var scope: Scope
    public var source: MarkSource
    /// SHA-256 of each recording that was heard, as hexadecimal digits.
    public var recordings: [String]
    /// Which scale `outcome` is on: `band`, or one that a mapping of the rules knows (`MarkMapping.scale`).
    public var scale: String
    /// On the source's own scale.
    public var outcome: MarkOutcome
    /// What a source that was asked several times said each time; nil where it was asked once.
    public var runs: [MarkRun]?

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

/// One answer of a source that is asked several times.
public struct MarkRun: Codable, Equatable, Sendable {
    /// What the source's chance began with.
    public var seed: Int
    /// nil where this run gave no mark.
    public var mark: Double?
    /// How the source explained it, in its own words.
    public var reason: String?

    public init(seed: Int, mark: Double?, reason: String? = nil) {
        self.seed = seed
        self.mark = mark
        self.reason = reason
    }
}

extension [MarkRun] {
    /// The median, or why there is none: no run gave a mark, or they are too far apart, and the range is told.
    ///
    /// - Parameter widest: bands between the lowest and the highest that still are one mark.
    public func outcome(widest: Double = 1) -> MarkOutcome {
        let marks = compactMap(\.mark).sorted()
        guard let lowest = marks.first, let highest = marks.last else { return .missing(because: "no run gave a mark") }
        // A median of one or two of three that were asked would be a mark from less evidence than it claims.
        guard marks.count * 2 > count else {
            return .missing(because: "only \(marks.count) of \(count) runs gave a mark")
        }
        guard highest - lowest <= widest else {
            return .missing(
                because: "its runs went from \(lowest.figure(1)) to \(highest.figure(1)), too far apart for a mark")
        }
        return .mark((marks[(marks.count - 1) / 2] + marks[marks.count / 2]) / 2)
    }
}

/// An answer of an exam that is to be marked.
public struct SpokenAnswer: Codable, Equatable, Sendable {
    /// `part1_q3`
    public var name: String
    /// Seconds of speech in it.
    public var speech: Double
    /// SHA-256 of its recording.
    public var recording: String

    public init(name: String, speech: Double, recording: String) {
        self.name = name
        self.speech = speech
        self.recording = recording
    }
}

extension MarkSheet {
    /// What the sheet says, as evidence of the whole exam: a person marks the test, not its answers.
    ///
    /// - Parameter recordings: SHA-256 of the exam's recordings.
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
