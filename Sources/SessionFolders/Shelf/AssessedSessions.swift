public import Assessment
public import ExamCore
import Glibc
public import SystemSupport

/// A session of the shelf that is over and has been measured.
public struct AssessedSession: Sendable {
    /// The session in summary.
    public var summary: SessionSummary
    /// The measurements of its answers.
    public var assessment: ExamAssessment
}

extension SessionShelf {
    /// Returns the sessions that are over and whose `assessment.json` can be read, the oldest first.
    ///
    /// - Parameter isWanted: Whether to read a session's measurements. Those of a talk and of a repeated sentence can't
    ///   be compared.
    public func assessed(where isWanted: (SessionSummary) -> Bool) -> [AssessedSession] {
        list().reversed().compactMap { summary in
            guard case .over = summary.state, isWanted(summary),
                let assessment = try? summary.folder.readAssessment()
            else { return nil }
            return AssessedSession(summary: summary, assessment: assessment)
        }
    }
}

extension SessionFolder {
    /// Returns the answers that the manifest lists but whose recordings are gone, because the user deleted them by
    /// hand. Their measurements remain.
    ///
    /// - Throws: `Problem.malformed`.
    public func answersWithoutRecording() throws(Problem) -> [AnswerRecord] {
        try readManifest().map(answersWithoutRecording) ?? []
    }

    /// Returns the answers of this manifest whose recordings are gone.
    package func answersWithoutRecording(in manifest: Manifest) -> [AnswerRecord] {
        manifest.takes.filter { access("\(path)/\($0.file)", F_OK) != 0 }.map(\.record)
    }
}
