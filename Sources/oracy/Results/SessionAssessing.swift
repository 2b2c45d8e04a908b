import Assessment
import Assessors
import ExamKit
import FoundationEssentials

/// The measurements of a session. They are made now if they don't exist yet.
enum SessionAssessing {
    /// - Throws: As `ExamAssessment.assess`.
    static func assessment(of folder: SessionFolder) throws(Problem) -> ExamAssessment {
        if let calibration = try ownCalibration() { return try .assess(folder, by: calibration) }
        if let kept = try folder.readAssessment() { return kept }
        return try .assess(folder)
    }

    /// Returns the calibration in the file that ORACY_CALIBRATION names; nil if it is unset.
    ///
    /// - Throws: As `DeliveryCalibration.init(file:)`.
    private static func ownCalibration() throws(Problem) -> DeliveryCalibration? {
        guard let path = ProcessInfo.processInfo.environment["ORACY_CALIBRATION"], !path.isEmpty else { return nil }
        return try DeliveryCalibration(file: path)
    }

    /// Measures all sessions of a shelf that are over and have not been measured yet.
    ///
    /// - Returns: The problems with sessions that could not be measured.
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
