import Assessment
import ExamCore
import ExamKit
import SystemSupport

extension SessionFolder {
    /// Sentences of its exam that were to be said again, by their questions' ids.
    ///
    /// - Throws: as `frozenExam`.
    func sentences() throws(Problem) -> [String: SentenceToSay] {
        let frozen = try frozenExam()
        return ExamScript.assemble(frozen.format, frozen.paper, options: frozen.options).0?.sentences ?? [:]
    }
}
