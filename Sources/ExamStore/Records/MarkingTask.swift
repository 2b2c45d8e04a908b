public import Assessment
public import Foundation

/// One exam that one person has taken to mark, until they save the marks or the time ends. It contains neither the
/// candidate's name nor the date of the exam.
public struct MarkingTask: Equatable, Identifiable, Sendable {
    public var id: UUID
    /// The session, for the server only. Markers do not see it.
    public var session: UUID
    /// The marker's number: 1 or 2, or 3 if this marker decides between two that differ.
    public var place: Int
    public var format: String
    public var paper: String
    /// The number of answers and the seconds of sound.
    public var answers: Int
    public var seconds: Double
    /// The time in ISO 8601, UTC.
    public var takenAt: String
    /// The end of the time in seconds since 1970, by the database's clock. Afterwards another marker may take the task.
    /// It stays this marker's until another one takes it.
    public var due: Double
    /// The marks noted so far and not saved.
    public var draft: MarksGiven?
    /// The saved marks, which are final.
    public var sheet: MarksGiven?
    public var markedAt: String?
    /// The party that held the exam.
    public var held: HeldBy
    /// The hash of the exam's seal.
    public var seal: String?
    /// Whether a machine's mark of the exam is held for a person.
    public var isMarkHeld: Bool
}

/// A marker's marks and comments on an exam.
public struct MarksGiven: Codable, Equatable, Sendable {
    /// Half bands, 0 … 9. Criteria that were not marked are absent.
    public var bands: [Criterion: Double]
    /// Whether the answers were on the topic, 0 … 9. This is not a criterion.
    public var topicRelevance: Double?
    public var comments: [MarkComment]

    public init(bands: [Criterion: Double], topicRelevance: Double? = nil, comments: [MarkComment] = []) {
        self.bands = bands
        self.topicRelevance = topicRelevance
        self.comments = comments
    }
}

/// The progress of an exam's marking by people, and their sheets.
public struct Marking: Equatable, Sendable {
    /// The number of people asked to mark the exam, and how many of them have done so.
    public var asked = 0
    public var done = 0
    /// The saved sheets in the order of their places, named `marker 1`, `marker 2` …
    public var sheets: [MarkSheet] = []
    /// The seal on which each sheet is based; nil if the exam wasn't sealed when the sheet was saved.
    public var seals: [String?] = []

    /// The sheets that count and may be shown. Sheets of markers who were asked at the same time become visible
    /// together, once all of them are saved. Otherwise the second marker could learn the first one's marks. If more
    /// markers are asked later, sheets already shown stay visible.
    public var shown: [MarkSheet] = []

    public init() {}

    /// Whether all who were asked have marked.
    public var isDone: Bool { asked > 0 && done == asked }
}

/// The result of saving a marker's sheet.
public enum SheetKept: Equatable, Sendable {
    case saved
    /// The same sheet was saved before.
    case same
    /// A different sheet was saved before, and that one is final.
    case otherBefore
    /// The task does not belong to this marker (any more).
    case notTheirs
}
