public import ExamCore

/// The numbers of an exam's questions as they were asked, for people.
///
/// `AnswerRecord.order` also counts questions that were left out for lack of time, so question 8 would be followed by
/// question 10.
public struct AskedQuestions: Equatable, Sendable {
    /// The orders of the questions with an answer, by part.
    private let orders: [Int: Set<Int>]

    /// - Parameter answers: All answers of an exam, introductions and repeated attempts included.
    public init(_ answers: some Sequence<AnswerRecord>) {
        orders = answers.reduce(into: [:]) { $0[$1.part, default: []].insert($1.order) }
    }

    /// Returns the number of an answer's question among those of its part, from 1.
    public func number(of answer: AnswerRecord) -> Int {
        1 + (orders[answer.part] ?? []).count { $0 < answer.order }
    }

    /// Returns the answer's place in words: `part 1, question 3`.
    public func words(for answer: AnswerRecord) -> String {
        "part \(answer.part), question \(number(of: answer))"
            + (answer.attempt > 1 ? ", attempt \(answer.attempt)" : "")
    }
}
