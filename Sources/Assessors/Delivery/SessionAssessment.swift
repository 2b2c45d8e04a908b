public import Assessment
public import ExamKit
public import SystemSupport

extension ExamAssessment {
    /// Measures what was recorded in a session, and keeps it in the session's folder (`assessment.json`).
    ///
    /// Any thread may call it; it takes some milliseconds a second of sound. Recordings that were measured before are not measured again.
    ///
    /// - Throws: `Problem`: `missing` where the session has no manifest yet; `unwritable`.
    public static func assess(_ folder: SessionFolder) throws(Problem) -> ExamAssessment {
        throw Problem(.missing, "\(folder.path): not there yet")
    }
}
