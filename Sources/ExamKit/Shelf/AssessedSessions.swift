public import Assessment
public import ExamCore
import Glibc
public import SystemSupport

/// A session of the shelf that is over and was measured.
public struct AssessedSession: Sendable {
    /// The session at one glance.
    public var summary: SessionSummary
    /// What was measured in its answers.
    public var assessment: ExamAssessment
}

extension SessionShelf {
    /// The sessions that are over and whose `assessment.json` can be read, the oldest first.
    ///
    /// - Parameter format: of this format alone; what is said in a talk and in a repeated sentence does not compare.
    public func assessed(format: String? = nil) -> [AssessedSession] {
        list().reversed().compactMap { summary in
            guard case .over = summary.state, format == nil || summary.format == format,
                let assessment = try? summary.folder.readAssessment()
            else { return nil }
            return AssessedSession(summary: summary, assessment: assessment)
        }
    }

    /// What a session is compared with: sessions of its format that began before it, the oldest first, without those that say too little.
    public func earlierExams(than session: SessionSummary) -> [EarlierExam] {
        guard let began = session.startedAt else { return [] }
        return assessed(format: session.format).compactMap { earlier in
            guard let startedAt = earlier.summary.startedAt, startedAt < began,
                earlier.assessment.delivery.gates.isEmpty
            else { return nil }
            return EarlierExam(
                session: earlier.summary.id, startedAt: startedAt.utc, delivery: earlier.assessment.delivery,
                parts: earlier.assessment.parts)
        }
    }
}

extension SessionFolder {
    /// The answers whose recordings are gone though the manifest has them: somebody erased them by hand. What was measured of them stays.
    ///
    /// - Throws: `Problem.malformed`.
    public func answersWithoutRecording() throws(Problem) -> [AnswerRecord] {
        try readManifest()?.takes.filter { access("\(path)/\($0.file)", F_OK) != 0 }.map(\.record) ?? []
    }
}
