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

    /// Returns the sessions to compare with: sessions of the same format that began earlier, the oldest first, without
    /// those that say too little.
    public func earlierExams(than session: SessionSummary) -> [EarlierExam] {
        guard let began = session.startedAt else { return [] }
        return assessed { $0.format == session.format }.compactMap { earlier in
            guard let startedAt = earlier.summary.startedAt else { return nil }
            return EarlierExam(
                session: earlier.summary.id, startedAt: startedAt.utc, format: session.format,
                delivery: earlier.assessment.delivery, parts: earlier.assessment.parts,
                before: (session.format, began.utc))
        }
    }
}

extension SessionFolder {
    /// Returns the answers that the manifest lists but whose recordings are gone, because the user deleted them by
    /// hand. Their measurements remain.
    ///
    /// - Throws: `Problem.malformed`.
    public func answersWithoutRecording() throws(Problem) -> [AnswerRecord] {
        try readManifest()?.takes.filter { access("\(path)/\($0.file)", F_OK) != 0 }.map(\.record) ?? []
    }
}
