public import SessionFolders
import Study
public import SystemSupport

/// Exams, without the drills that a learner speaks aloud.
extension SessionShelf {
    /// Finds a session by the name that a person types. `last` is the newest exam.
    ///
    /// - Throws: The same errors as `find(_:isExam:)`.
    public func find(_ name: String) throws(Problem) -> SessionFolder {
        try find(name) { SpokenDrill(paper: $0) == nil }
    }

    /// Returns the exams that are over and have been measured, the oldest first.
    ///
    /// - Parameter format: Only sessions of this format; nil for all exams.
    public func assessed(format: String? = nil) -> [AssessedSession] {
        assessed { session in
            format.map { $0 == session.format } ?? (SpokenDrill(paper: session.paper) == nil)
        }
    }
}
