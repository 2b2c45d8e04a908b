import BackendAPI
import HTTPTypes

/// The requirements for a submission in any state, checked before anything is stored.
enum SubmissionRules {
    static let mostAnswers = 500
    static let mostBatches = 100

    /// Checks a submission.
    ///
    /// - Parameter mayBeEmpty: true if answers were stored before.
    static func check(_ request: QuizSubmissionRequest, mayBeEmpty: Bool = false) throws(APIProblem) {
        guard mayBeEmpty || !request.answers.isEmpty else { throw refused("answers: must not be empty.") }
        guard request.answers.count <= mostAnswers else {
            throw refused("answers: has \(request.answers.count); submit at most \(mostAnswers) at a time.")
        }
        if let batch = request.batch {
            guard 1...mostBatches ~= batch.of, 1...batch.of ~= batch.number else {
                throw .contradictory("batch: number must be 1 to \"of\", and \"of\" at most \(mostBatches).")
            }
        }
        var seen: Set<String> = []
        for (place, answer) in request.answers.enumerated() {
            let id = answer.questionId
            do throws(APIProblem) {
                try Field.text(id, "answers[\(place)].questionId", atMost: 100)
            } catch {
                throw refused(error.detail)
            }
            guard seen.insert(id).inserted else {
                throw .contradictory("answers[\(place)].questionId: appears twice.")
            }
        }
    }

    private static func refused(_ detail: String) -> APIProblem {
        APIProblem(.badRequest, "wrong-answers", "Invalid answers", detail)
    }
}
