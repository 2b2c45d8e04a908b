public import Assessment
public import Foundation

/// Bands by criterion (E1), 0 … 9. nil where there is no evidence: a criterion is never filled from another one.
public struct Scores: Codable, Equatable, Sendable {
    public var fluency: Double?
    public var pronunciation: Double?
    public var grammar: Double?
    public var vocabulary: Double?
    /// No criterion of IELTS's, and reported apart.
    public var topicRelevance: Double?

    public init(
        fluency: Double? = nil, pronunciation: Double? = nil, grammar: Double? = nil, vocabulary: Double? = nil,
        topicRelevance: Double? = nil
    ) {
        self.fluency = fluency
        self.pronunciation = pronunciation
        self.grammar = grammar
        self.vocabulary = vocabulary
        self.topicRelevance = topicRelevance
    }
}

/// What an assessor found in one answer.
public struct ResponseResult: Codable, Equatable, Sendable {
    /// The answer's id.
    public var response: UUID
    public var scores: Scores
    public var transcript: String?
    /// What was wrong in the transcript, where it was looked at; empty: nothing was.
    public var mistakes: [Mistake]?
    /// An assessor's whole answer: JSON.
    public var azureResponse: String?
    /// The key of the recording as WAV, where one was made.
    public var wavPath: String?
    /// Of a hundred equal pieces the loudest sample of each, full scale 1; nil leaves what is there.
    public var peaks: [Double]?
    /// Why the answer cannot be assessed, a sentence for people; the answer then counts as failed, and this is final. What may
    /// pass is thrown instead, and tried again.
    public var error: String?

    public init(
        response: UUID, scores: Scores = Scores(), transcript: String? = nil, mistakes: [Mistake]? = nil,
        azureResponse: String? = nil, wavPath: String? = nil, peaks: [Double]? = nil, error: String? = nil
    ) {
        self.response = response
        self.scores = scores
        self.transcript = transcript
        self.mistakes = mistakes
        self.azureResponse = azureResponse
        self.wavPath = wavPath
        self.peaks = peaks
        self.error = error
    }
}

/// What an assessor makes of a session's answers.
public struct StoredResult: Codable, Equatable, Sendable {
    /// 0 … 9; nil where there is not enough evidence.
    public var overallBand: Double?
    public var scores: Scores
    /// Whether a machine's mark does not count until a person has marked.
    public var isHeld: Bool

    public init(overallBand: Double? = nil, scores: Scores = Scores(), isHeld: Bool = false) {
        self.overallBand = overallBand
        self.scores = scores
        self.isHeld = isHeld
    }
}
