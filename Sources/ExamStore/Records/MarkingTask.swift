public import Assessment
public import Foundation

/// One person's marking of one exam: taken, until it is saved or its time is over. It names neither the candidate nor the day of the exam.
public struct MarkingTask: Equatable, Identifiable, Sendable {
    public var id: UUID
    /// For the server; a marker is not told.
    public var session: UUID
    /// 1 and 2; 3 decides between two that differ.
    public var place: Int
    public var format: String
    public var paper: String
    /// How many answers it has, and how many seconds of sound.
    public var answers: Int
    public var seconds: Double
    /// ISO 8601 in UTC.
    public var takenAt: String
    /// Seconds since 1970, by the database's clock: after that somebody else may take it; until they do, it stays this marker's.
    public var due: Double
    /// What was noted and is not saved.
    public var draft: MarksGiven?
    /// What was saved: it is final.
    public var sheet: MarksGiven?
    public var markedAt: String?
    /// Who held the exam.
    public var held: HeldBy
    /// The hash of the exam's seal.
    public var seal: String?
}

/// What a marker says of an exam.
public struct MarksGiven: Codable, Equatable, Sendable {
    /// Half bands, 0 … 9; a criterion that was not marked is absent.
    public var bands: [Criterion: Double]
    /// Whether the answers were on the topic, 0 … 9: no criterion.
    public var topicRelevance: Double?
    public var comments: [MarkComment]

    public init(bands: [Criterion: Double], topicRelevance: Double? = nil, comments: [MarkComment] = []) {
        self.bands = bands
        self.topicRelevance = topicRelevance
        self.comments = comments
    }
}

/// How far people are with an exam, and what they said.
public struct Marking: Equatable, Sendable {
    /// How many are to mark it, and how many have.
    public var asked = 0
    public var done = 0
    /// The sheets that are saved, in the order of their places, under the names `marker 1`, `marker 2` …
    public var sheets: [MarkSheet] = []
    /// The seal that each of the sheets rests on; nil if the exam wasn't sealed when it was saved.
    public var seals: [String?] = []

    /// What counts, and may be shown: the sheets of all who were asked at once, or the second marker could know the first one's. Where more
    /// are asked later, what was shown stays.
    public var shown: [MarkSheet] = []

    public init() {}

    /// Whether all who were asked have marked.
    public var isDone: Bool { asked > 0 && done == asked }
}

/// What became of a marker's sheet.
public enum SheetKept: Equatable, Sendable {
    case saved
    /// It was saved before, the same.
    case same
    /// Another one was saved before, and that is final.
    case otherBefore
    /// The task is not, or no longer, this marker's.
    case notTheirs
}
