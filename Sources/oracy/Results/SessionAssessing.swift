import Assessment
import Assessors
import ExamKit

/// What was measured of a session, measured now where nobody has yet.
enum SessionAssessing {
    /// - Throws: as `ExamAssessment.assess`.
    static func assessment(of folder: SessionFolder) throws(Problem) -> ExamAssessment {
        if let kept = try folder.readAssessment() { return kept }
        return try .assess(folder)
    }

    /// Measures all sessions of a shelf that are over and were not measured yet.
    ///
    /// - Returns: why some could not be.
    static func measureAll(on shelf: SessionShelf) -> [Problem] {
        shelf.list().compactMap { session in
            guard case .over = session.state else { return nil }
            do throws(Problem) {
                _ = try assessment(of: session.folder)
                return nil
            } catch {
                return error
            }
        }
    }
}
