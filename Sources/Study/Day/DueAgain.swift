import Assessment
import ExamCore
public import Learning
import SystemSupport

/// An answer whose question the learner should answer again today.
public struct DueAgain: Equatable, Sendable {
    /// The answer of the exam.
    public let answer: RetoldAnswer
    /// The answer's name for people: "part 1, question 5".
    public let name: String
    /// The question in words. Nil if it is unknown.
    public let question: String?

    /// Finds an answer. Nil if its exam was erased or cannot be read.
    ///
    /// - Throws: The shelf's errors except `malformed` and `missing`.
    init?(_ answer: RetoldAnswer, on shelf: some LearnerShelf) async throws(Problem) {
        let evidence = try await unlessUnreadable { () throws(Problem) in try await shelf.exam(answer.session) }
        guard let evidence, let kept = evidence.answers.first(where: { $0.record.name == answer.answer }) else {
            return nil
        }
        let dossier = ExamDossier(evidence, after: [], by: .ielts)
        self.answer = answer
        name = dossier.asked.words(for: kept.record)
        question = dossier.turn(of: kept.record)?.card?.topic ?? dossier.question(of: kept.record)
    }
}

extension DueAgain: Encodable {
    private enum CodingKeys: String, CodingKey { case session, answer, name, question }

    /// Writes the exam's session, the answer's name for programs and for people, and the question.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(answer.session, forKey: .session)
        try fields.encode(answer.answer, forKey: .answer)
        try fields.encode(name, forKey: .name)
        try fields.encodeIfPresent(question, forKey: .question)
    }
}
