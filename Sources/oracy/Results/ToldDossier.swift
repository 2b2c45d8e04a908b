import Assessment
import SessionFolders
import Study
import StudyFolders
import SystemSupport

/// The dossier of one of the user's exams, in the words and with the commands of this tool.
struct ToldDossier {
    let dossier: ExamDossier
    let session: SessionSummary
    /// The name by which other commands find the session.
    let name: String

    /// Reads the dossier. Recordings that have not been measured yet are measured first.
    ///
    /// - Parameter rules: The rules for marks and estimates.
    /// - Throws: `Problem`: `missing` if the exam isn't over; `malformed`; the errors of `ExamAssessment.assess`.
    init(
        _ folder: SessionFolder, on shelf: SessionShelf, by rules: ResultRules
    ) async throws(Problem) {
        session = SessionSummary(folder)
        name = session.name(on: shelf)
        switch session.state {
        case .over: break
        case .inUse: throw Problem(.occupied, "\(folder.path): the exam is still running, so it has no results yet")
        case .resumable:
            throw Problem(.missing, "\(folder.name): the exam is not over; to continue: oracy resume \(name)")
        case .broken(let sentence): throw Problem(.malformed, sentence)
        }
        dossier = try await .of(folder, on: .user(shelf, with: folder), by: rules)
    }

    var steps: [StepReport] { dossier.steps.map { StepReport($0, of: name) } }

    struct NotAssessed: Encodable {
        var what: String
        var why: String
        /// The command to type for it.
        var link: String?
    }

    /// The aspects that no person and no program has judged, each with the reason.
    var notAssessed: [NotAssessed] { dossier.notAssessed.compactMap(told) }

    /// Returns the words for an aspect. Nil for an aspect that this tool shows elsewhere or cannot have.
    private func told(_ aspect: Study.NotAssessed) -> NotAssessed? {
        switch aspect {
        case .criterion(let criterion, let reason):
            NotAssessed(what: criterion.title, why: reason ?? "it was not marked", link: "oracy mark \(name)")
        case .overall: NotAssessed(what: "overall", why: "needs a mark for all four criteria")
        case .ownScale(let what, let why): NotAssessed(what: what, why: why)
        case .words:
            NotAssessed(what: "words", why: "no answer has a transcript", link: "oracy transcribe \(name)")
        case .grammar: NotAssessed(what: "grammar, by a checker", why: "no checker is set up (ORACY_GRAMMAR)")
        case .fillers: NotAssessed(what: "fillers", why: "the transcript may have left them out")
        case .introduction, .assessor, .sound, .soundInOlderBrowsers: nil
        }
    }

    struct Compared: Encodable {
        var measure: String
        /// The value in `unit`.
        var value: Double
        var unit: String
        /// The share of the earlier exams that it exceeds, 0 … 100.
        var percentile: Double
        /// The number of earlier exams.
        var exams: Int
    }

    /// The comparison with the learner's own earlier exams of the format, if there are at least three.
    var compared: [Compared] {
        dossier.compared.map {
            Compared(
                measure: $0.measure.name, value: $0.value, unit: $0.measure.unit, percentile: $0.percentile,
                exams: $0.exams)
        }
    }
}

extension FolderShelf {
    /// The user's own shelf, measured by the calibration that the user has set.
    ///
    /// - Parameters:
    ///   - elsewhere: A session that may lie outside the shelf.
    ///   - makesMP3: Whether recordings become MP3.
    /// - Throws: The errors of `SessionAssessing.ownCalibration`.
    static func user(
        _ sessions: SessionShelf = SessionShelf(), with elsewhere: SessionFolder? = nil, makesMP3: Bool = false
    ) throws(Problem) -> FolderShelf {
        FolderShelf(
            sessions, calibration: try SessionAssessing.ownCalibration(), with: elsewhere, makesMP3: makesMP3)
    }
}

extension ExamDossier {
    /// Reads the dossier of a session's folder.
    ///
    /// - Throws: The errors of `FolderShelf.evidence`.
    static func of(
        _ folder: SessionFolder, on shelf: FolderShelf, by rules: ResultRules
    ) async throws(Problem) -> ExamDossier {
        let evidence = try shelf.evidence(of: folder)
        return ExamDossier(evidence, after: try await EarlierExams.of(evidence.entry, on: shelf), by: rules)
    }
}
