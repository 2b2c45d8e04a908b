public import Foundation

/// An exam on offer: a paper in a format.
public struct TestTemplate: Codable, Equatable, Identifiable, Sendable {
    public var id: UUID
    public var title: String
    public var description: String?
    public var difficulty: Difficulty?
    /// Whether it is on offer. If not, it remains for the sessions that used it.
    public var isActive: Bool
    /// The format's id.
    public var format: String
    /// The paper's id.
    public var paper: String
    /// `2026-11-21T09:12:29Z`. The store sets it. Nil in a value to be written.
    public var createdAt: String?
    public var updatedAt: String?

    public enum Difficulty: String, Codable, Sendable {
        case easy = "Easy"
        case medium = "Medium"
        case hard = "Hard"
    }

    public init(
        id: UUID, title: String, description: String? = nil, difficulty: Difficulty? = nil, isActive: Bool = true,
        format: String, paper: String
    ) {
        self.id = id
        self.title = title
        self.description = description
        self.difficulty = difficulty
        self.isActive = isActive
        self.format = format
        self.paper = paper
    }
}

/// A question of a template. Part and order can be converted to its id and back.
public struct TestQuestion: Codable, Equatable, Identifiable, Sendable {
    public var id: UUID
    /// 1, 2, 3 …
    public var part: Int
    /// 1, 2, 3 … among the questions of the part.
    public var order: Int
    public var text: String
    /// The question's id in its paper.
    public var question: String
    public var audioURL: String?
    public var transcript: String?
    /// The usual length of an answer in seconds.
    public var expectedDuration: Double?
    public var topicKeywords: [String]?

    public init(
        id: UUID, part: Int, order: Int, text: String, question: String, audioURL: String? = nil,
        transcript: String? = nil, expectedDuration: Double? = nil, topicKeywords: [String]? = nil
    ) {
        self.id = id
        self.part = part
        self.order = order
        self.text = text
        self.question = question
        self.audioURL = audioURL
        self.transcript = transcript
        self.expectedDuration = expectedDuration
        self.topicKeywords = topicKeywords
    }
}
