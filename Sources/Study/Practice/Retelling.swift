public import Learning

/// An answer of an exam that the learner gave again, with what comes back of it: the question after some days, and the
/// sentences with mistakes in drills.
public struct Retelling: Equatable, Sendable {
    /// The answer of the exam.
    public let answer: RetoldAnswer
    /// The mended sentences of the answer.
    public let mended: [PracticeQuestion]
}
