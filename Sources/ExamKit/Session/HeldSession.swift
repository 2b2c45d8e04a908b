public import ExamCore
public import SessionFolders
public import SystemSupport

/// An exam that is over or was left before its end. The room no longer listens, but the last answers may still be on
/// their way to disk.
public struct HeldSession: Sendable {
    let folder: SessionFolder
    let id: String
    let script: ExamScript
    let examSHA256: String
    let log: SessionLog
    let storing: StoringTakes
    var exam: Exam
    /// The room's time at the end.
    let at: ExamTime
    /// The problems that were open at the end.
    let problems: OpenProblems

    /// The end of the exam; nil if the room was closed earlier, so that the session can be resumed.
    public var outcome: Exam.Outcome? { exam.outcome }

    /// The final state, for a screen.
    public var view: SessionView { SessionView(of: exam, at: at, storing.progress.now, problems) }

    /// Waits until all answers are stored, and writes the manifest.
    ///
    /// - Throws: `Problem` if a take's file can no longer be read, or the log or the manifest cannot be written.
    public mutating func store() async throws -> SessionResult {
        let takes = try await storing.takes()
        let before = exam
        let commands = exam.handle(.takesStored, at: at)
        if exam != before { try log.append(.takesStored, at: at, exam: exam, commands: commands) }
        let manifest = Manifest(
            session: id,
            status: outcome == nil ? .inProgress : .completed,
            outcome: outcome,
            format: script.formatID,
            paper: script.paperID,
            examSHA256: examSHA256,
            duration: Seconds(at.sinceBegin),
            takes: takes
        )
        // Removed before the manifest is written: a session with a manifest is never resumed, so nothing would clear up
        // a leftover clock.
        SessionClock.forget(folder.clock)
        try PrivateFile.replace(folder.manifest, with: JSONFile.encode(manifest))
        return SessionResult(folder: folder, manifest: manifest, problem: storing.progress.now.firstProblem)
    }
}

/// The files and facts that an exam left behind.
public struct SessionResult: Sendable {
    /// The folder of the log and the takes.
    public let folder: SessionFolder
    /// The content of `manifest.json`.
    public let manifest: Manifest
    /// The reason why some takes were kept without being encoded; nil if all were encoded.
    public let problem: Problem?

    /// The end of the exam; nil if the room was closed earlier.
    public var outcome: Exam.Outcome? { manifest.outcome }
    /// The answers in the order in which they were begun, each with its file.
    public var takes: [StoredTake] { manifest.takes }
}

extension SessionView {
    init(of exam: Exam, at now: ExamTime, _ storing: StoringProgress.State, _ problems: OpenProblems) {
        self.init(
            at: now, exam: exam.view(at: now), storing: storing.pending,
            problem: problems.sentence(storing: storing.problem))
    }
}
