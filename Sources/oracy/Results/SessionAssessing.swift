import Assessment
import Assessors
import ExamKit
import FoundationEssentials

/// What was measured of a session, measured now where nobody has yet.
enum SessionAssessing {
    /// - Throws: as `ExamAssessment.assess`.
    static func assessment(of folder: SessionFolder) throws(Problem) -> ExamAssessment {
        if let calibration = try ownCalibration() { return try .assess(folder, by: calibration) }
        if let kept = try folder.readAssessment() { return kept }
        return try .assess(folder)
    }

    /// The one in the file that ORACY_CALIBRATION names; nil where it names none.
    ///
    /// - Throws: as `DeliveryCalibration.init(file:)`.
    private static func ownCalibration() throws(Problem) -> DeliveryCalibration? {
        guard let path = ProcessInfo.processInfo.environment["ORACY_CALIBRATION"], !path.isEmpty else { return nil }
        return try DeliveryCalibration(file: path)
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
