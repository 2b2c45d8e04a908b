import Assessment
import Assessors
import FoundationEssentials
import SessionFolders
import StudyFolders
import SystemSupport

/// The measurements of a session: the stored ones, or new ones.
enum SessionAssessing {
    /// Returns the stored measurements; measures the recordings if there are none, or if the user has set a
    /// calibration.
    ///
    /// - Throws: The errors of `ExamAssessment.assess`.
    static func assessment(of folder: SessionFolder) throws(Problem) -> ExamAssessment {
        try .stored(in: folder, by: try ownCalibration())
    }

    /// Returns the calibration in the file that ORACY_CALIBRATION names; nil if it is unset.
    ///
    /// - Throws: The errors of `DeliveryCalibration.init(file:)`.
    static func ownCalibration() throws(Problem) -> DeliveryCalibration? {
        guard let path = ProcessInfo.processInfo.environment["ORACY_CALIBRATION"], !path.isEmpty else { return nil }
        return try DeliveryCalibration(file: path)
    }

    /// Calls `assessment(of:)` for each session on a shelf that is over, unless it was measured and has not changed
    /// since.
    ///
    /// - Returns: The problems with sessions that could not be measured.
    static func measureAll(on shelf: SessionShelf) -> [Problem] {
        // The user's own calibration may have changed.
        let usesOwnCalibration: Bool
        do throws(Problem) {
            usesOwnCalibration = try ownCalibration() != nil
        } catch {
            return [error]
        }
        return shelf.list().compactMap { session in
            guard case .over = session.state, usesOwnCalibration || session.folder.keptFigures == nil else {
                return nil
            }
            do throws(Problem) {
                _ = try assessment(of: session.folder)
                return nil
            } catch {
                return error
            }
        }
    }
}
