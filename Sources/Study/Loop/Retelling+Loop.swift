import ExamCore
import Learning

extension Retelling {
    /// - Parameter session: The exam's session.
    public init(_ loop: QuestionLoop, of session: ExamEntry.ID) {
        self.init(
            answer: RetoldAnswer(session: session, answer: loop.record.name),
            mended: MendedSentences.questions(of: loop))
    }
}
