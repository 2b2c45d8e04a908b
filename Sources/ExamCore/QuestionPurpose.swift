/// What a question is asked for: to be assessed, or to introduce the candidate.
///
/// An introduction tells who the candidate is: a name, a country, an identity document, the sound of a voice. Its answer belongs to the candidate alone.
/// No assessor, recogniser, model, marker or teacher gets its recording, its words or its question, and no band, profile or estimate rests
/// on it.
public enum QuestionPurpose: String, Choice {
    case assessed
    case introduction

    /// The lines by which the built-in formats asked for a name, a country and a document before questions had a purpose. Formats that were
    /// copied from them, and sessions that were held by them, still use these ids.
    private static let introductions: Set = ["full-name", "short-name", "where-from", "identity", "introduce-yourself"]

    /// The purpose of a question whose format, paper or record doesn't state one.
    ///
    /// - Parameter question: the id of the question or line.
    public static func unstated(for question: String) -> QuestionPurpose {
        introductions.contains(question) ? .introduction : .assessed
    }

    /// What a record has to state so that a reader finds this purpose; nil if the id alone says that the question is assessed.
    func stated(for question: String) -> QuestionPurpose? {
        self == .assessed && Self.unstated(for: question) == .assessed ? nil : self
    }
}

/// A value about one answer: a stored take, a row, a measure.
public protocol AnswerBearing {
    var record: AnswerRecord { get }
}

extension Sequence where Element: AnswerBearing {
    /// The answers that others than the candidate may get: all but introductions. Everything that sends, shows, measures or marks answers starts
    /// from this list, or from `counted`.
    public var assessed: [Element] { filter { $0.record.purpose == .assessed } }

    /// The answers that marks and profiles rest on: assessed, not for practice, not begun again.
    public var counted: [Element] { filter(\.record.counts) }
}
