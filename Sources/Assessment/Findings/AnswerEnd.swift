package import ExamCore

extension AnswerRecord {
    /// How the answer ended, in words; nil where nobody wrote it down.
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
        case "deviceLost": "interruption"  // By a device, by leaving, by the end of the program.
        default: end
        }
    }
}
