import ExamCore
public import SystemSupport

/// The marking of a session.
extension SessionFolder {
    /// Returns the session's answers to mark, in order.
    ///
    /// - Throws: `Problem`: `missing` if the exam isn't over or has no answers; `malformed`.
    public func answersToMark() throws(Problem) -> [StoredTake] {
        guard let manifest = try readManifest() else {
            throw Problem(.missing, "\(path): the exam is not over, so there is nothing to mark yet")
        }
        let takes = manifest.takes.counted
        guard !takes.isEmpty else {
            throw Problem(.missing, "\(path): has no answers that count, so there is nothing to mark")
        }
        return takes
    }
}
