/// The purpose of a question: to assess the candidate, or to introduce them.
///
/// An introduction identifies the candidate: a name, a country, an identity document, the sound of a voice. Its answer
/// belongs to the candidate alone. No assessor, recogniser, model, marker or teacher gets its recording, words or
/// question, and no band, profile or estimate uses it.
public enum QuestionPurpose: String, Choice {
    case assessed
    case introduction

    /// The ids of the lines with which the built-in formats asked for a name, a country and a document before questions
    /// had a purpose. Copies of these formats and older sessions still use these ids.
    private static let introductions: Set = ["full-name", "short-name", "where-from", "identity", "introduce-yourself"]

    /// The purpose of a question whose format, paper or record doesn't state one.
    ///
    /// - Parameter question: the id of the question or line.
    public static func unstated(for question: String) -> QuestionPurpose {
        introductions.contains(question) ? .introduction : .assessed
    }

    /// Returns the value to store in a record so that `purpose` reads back as this one. Nil if the question's id alone
    /// implies `assessed`.
    func stated(for question: String) -> QuestionPurpose? {
        self == .assessed && Self.unstated(for: question) == .assessed ? nil : self
    }
}

/// A value about one answer: a stored take, a row, a measure.
public protocol AnswerBearing {
    var record: AnswerRecord { get }
}

extension Sequence where Element: AnswerBearing {
    /// The answers that people and programs other than the candidate may get: all except introductions. All code that
    /// sends, shows, measures or marks answers starts from this list, or from `counted`.
    public var assessed: [Element] { filter { $0.record.purpose == .assessed } }

    /// The answers that marks and profiles are based on: assessed, not for practice, not restarted.
    public var counted: [Element] { filter(\.record.counts) }
}
