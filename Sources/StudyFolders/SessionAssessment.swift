public import Assessment
import Assessors
import AudioFiles
import ExamCore
import Glibc
public import SessionFolders
public import SystemSupport

extension ExamAssessment {
    /// Measures a session's recordings except introductions, and stores the result in the session's folder
    /// (`assessment.json`).
    ///
    /// Any thread may call it. It takes about 3 ms per second of sound. Recordings already measured by the same rules
    /// are not measured again.
    ///
    /// - Throws: `Problem`: `missing` if the exam is not over or a recording is gone, `malformed`, `unwritable`.
    @discardableResult
    public static func assess(
        _ folder: SessionFolder, by calibration: DeliveryCalibration = .builtIn
    ) throws(Problem) -> ExamAssessment {
        guard let manifest = try folder.readManifest(), manifest.outcome != nil else {
            throw Problem(
                .missing,
                "\(folder.name): the exam is not over, so there are no results yet; oracy resume continues it")
        }
        // An unreadable assessment is made again from the recordings.
        let earlier = try? folder.readAssessment()
        let known = earlier?.delivery.version == DeliveryProfile.version ? earlier?.answers ?? [] : []
        let heard = try folder.heardPhones()
        var answers: [Measured] = []
        for take in manifest.takes.assessed {
            let sound: MeasuredSound
            if let measured = known.first(where: { $0.recording == take.sha256 }) {
                sound = measured.sound
            } else {
                sound = try measure(take, in: folder)
            }
            answers.append(Measured(record: take.record, recording: take.sha256, sound: sound.with(heard[take.sha256])))
        }
        let assessment = make(session: manifest.session, answers: answers, calibration: calibration)
        if assessment != earlier { try folder.write(assessment) }
        return assessment
    }

    /// Returns a session's stored measurements. Measures its recordings if there are none, or if a user's own
    /// calibration is given.
    ///
    /// - Throws: The same errors as `assess`.
    public static func stored(
        in folder: SessionFolder, by calibration: DeliveryCalibration? = nil
    ) throws(Problem) -> ExamAssessment {
        if let calibration { return try assess(folder, by: calibration) }
        // Phones (speech sounds) may have been recognised since.
        if let kept = try folder.readAssessment(), try !kept.lacksPhones(heardIn: folder) { return kept }
        return try assess(folder)
    }

    /// Whether phones were recognised after this assessment was made. If so, a new measurement includes them.
    public func lacksPhones(heardIn folder: SessionFolder) throws(Problem) -> Bool {
        let heard = try folder.heardPhones()
        return answers.contains { heard[$0.recording] != nil && $0.sound.with(heard[$0.recording]) != $0.sound }
    }

    private static func measure(_ take: StoredTake, in folder: SessionFolder) throws(Problem) -> MeasuredSound {
        do throws(SoundFileError) {
            return try RecordingMeasure.measure("\(folder.path)/\(take.file)", leadIn: take.record.leadIn)
        } catch {
            throw Problem(error)
        }
    }
}

extension SessionFolder {
    /// Returns the phones that were heard in each recording, by its SHA-256.
    fileprivate func heardPhones() throws(Problem) -> [String: HeardPhones] {
        try readFindings().phones
    }
}
