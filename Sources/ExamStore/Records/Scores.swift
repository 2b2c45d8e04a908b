public import Assessment
public import Foundation

/// Bands by criterion, 0 … 9. Nil if there is no evidence: a criterion is never filled in from another one.
public struct Scores: Codable, Equatable, Sendable {
    public var fluency: Double?
    public var pronunciation: Double?
    public var grammar: Double?
    public var vocabulary: Double?
    /// Not a criterion of IELTS, and reported separately.
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

/// An assessor's results for one answer.
public struct ResponseResult: Codable, Equatable, Sendable {
    /// The answer's id.
    public var response: UUID
    public var scores: Scores
    public var transcript: String?
    /// The mistakes in the transcript. Empty if it has no mistakes. Nil if it was not checked.
    public var mistakes: [Mistake]?
    /// An assessor's whole answer, as JSON.
    public var azureResponse: String?
    /// The key of the recording as WAV, for custom assessors that make one. The server's own assessors get the sound
    /// without storing another copy of a voice.
    public var wavPath: String?
    /// The loudest sample of each of a hundred equal pieces, full scale 1. Nil leaves the stored peaks unchanged.
    public var peaks: [Double]?
    /// The reason why the answer cannot be assessed, a sentence for people. The answer then counts as failed, and this
    /// is final. Temporary failures are thrown instead, and retried.
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

/// An assessor's result for a whole session.
public struct StoredResult: Codable, Equatable, Sendable {
    /// 0 … 9. Nil if there is not enough evidence.
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
