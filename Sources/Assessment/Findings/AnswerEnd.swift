package import ExamCore

extension AnswerRecord {
    /// The end of the answer in words. Nil if it was not recorded.
    package var endWords: String? {
        switch end {
        case "finished": "silence"
        case "noAnswer": "no answer"
        case "timeUp.answer": "answer limit"
        case "timeUp.part": "part limit"
        case "timeUp.exam": "exam limit"
        case "declared": "candidate"
        case "withdrawn": "withdrawal"
        case AnswerEnd.begunAgain: "begun again"
        case "deviceLost": "interruption"  // Because of a device, a candidate who left, or the end of the program.
        default: end
        }
    }
}
