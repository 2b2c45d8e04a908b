import Assessment
import ExamCore
import SessionFolders
import SystemSupport

extension SessionFolder {
    /// Returns the sentences of its exam that the candidate had to repeat, by the questions' ids.
    ///
    /// - Throws: The errors of `frozenExam`.
    func sentences() throws(Problem) -> [String: SentenceToSay] {
        let frozen = try frozenExam()
        return ExamScript.assemble(frozen.format, frozen.paper, options: frozen.options).0?.sentences ?? [:]
    }
}
