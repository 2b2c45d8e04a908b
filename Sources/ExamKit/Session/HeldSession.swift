public import ExamCore
public import SystemSupport

/// An exam that is over, or was left: nothing is heard any more, while the last answers may still be on their way to disk.
public struct HeldSession: Sendable {
    let folder: SessionFolder
    let id: String
    let script: ExamScript
    let examSHA256: String
    let log: SessionLog
    let storing: StoringTakes
    var exam: Exam
    /// The room's time when it ended.
    let at: ExamTime
    /// What was wrong last.
    let problems: OpenProblems

    /// How it ended; nil where the room was closed before its end, and it may be gone on with.
    public var outcome: Exam.Outcome? { exam.outcome }

    /// How things stand, for whoever looks.
    public var view: SessionView { SessionView(of: exam, at: at, storing.progress.now, problems) }

    /// Waits until all answers are stored, and writes the manifest.
    ///
    /// - Throws: `Problem` where a take's file cannot be read any more, or log or manifest cannot be written.
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
        // Before the manifest: nobody goes on with a session that is over, to clear away what a kill left between the two.
        SessionClock.forget(folder.clock)
        try PrivateFile.replace(folder.manifest, with: JSONFile.encode(manifest))
        return SessionResult(folder: folder, manifest: manifest, problem: storing.progress.now.firstProblem)
    }
}

/// What an exam left behind.
public struct SessionResult: Sendable {
    /// Where log and takes lie.
    public let folder: SessionFolder
    /// As `manifest.json` has it.
    public let manifest: Manifest
    /// Why some takes were kept without being encoded; nil where all were.
    public let problem: Problem?

    /// How the exam ended; nil where the room was closed before its end.
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
