import BackendAPI
import ExamStore
import Foundation
import Learning

extension PracticeQuestion {
    /// Converts an answer for grading. Nil if it does not fit this question.
    func taken(_ sent: AnyAnswer) -> PracticeAnswer? {
        sent.practiceAnswer.flatMap { verdict(on: $0) == .notAnAnswer ? nil : $0 }
    }
}

extension PracticeTest {
    /// Checks answers.
    ///
    /// - Throws: `APIProblem` 422 with the first field that belongs to no question, or is of another kind than its
    ///   question.
    func check(_ answers: [ClientAnswerInput]) throws(APIProblem) {
        for (place, sent) in answers.enumerated() {
            guard let question = questions.first(where: { $0.id == sent.questionId }) else {
                throw .contradictory("answers[\(place)].questionId: the test has no such question.")
            }
            guard question.taken(sent.answer) != nil else {
                throw .contradictory("answers[\(place)].answer: this question is not answered that way.")
            }
        }
    }

    /// Hands the test in, with answers that replace the stored ones.
    ///
    /// - Parameter time: seconds since 1970.
    /// - Throws: `IllegalEvent`, or a decoding error for an invalid answer.
    mutating func handIn(_ sent: [SubmissionAnswer], at time: Double) throws {
        for one in sent {
            let answer = try JSONDecoder().decode(AnyAnswer.self, from: Data(one.answer.utf8))
            guard let answer = answer.practiceAnswer else { continue }
            try handle(.answer(question: one.question, answer, seconds: 0))
        }
        try handle(.submit(at: time))
    }
}
