import SessionFolders
public import SystemSupport

/// Holds the exam of a scenario with the same loop, detector, recorder and encoder as a live one, and compares its log.
public struct Replay: Sendable {
    /// The scenario to replay.
    public let scenario: Scenario
    private let sitting: PreparedExam

    /// The outcome of a replay.
    public struct Outcome: Sendable {
        /// The session that the exam left behind.
        public let session: SessionResult
        /// The first difference from the expected log; nil if the logs are equal, or no log is expected.
        public let difference: Difference?
        /// Whether the scenario has an `expected.log`.
        public let hasExpectation: Bool
    }

    /// The first line in which a log differs from the expected one.
    public struct Difference: Equatable, Sendable {
        /// The number of the line, from 1.
        public let line: Int
        /// The expected line; nil if the expected log has ended.
        public let expected: String?
        /// The actual line; nil if the log has ended.
        public let actual: String?
    }

    /// Finds the recording of every prompt. A program speaks the prompts that have none.
    ///
    /// - Parameter voice: The examiner's voice for prompts without a recording.
    /// - Throws: The same errors as `PreparedExam`.
    public init(_ scenario: Scenario, voice: ExaminerVoice = ExaminerVoice()) async throws(Problem) {
        self.scenario = scenario
        var voice = voice
        if let folder = scenario.promptFolder ?? UserFolders.recordedPrompts { voice.recordings.append(folder) }
        sitting = try await PreparedExam(
            scenario.format,
            scenario.paper,
            options: scenario.options,
            voice: voice,
            folders: scenario.audioFolders
        )
    }

    /// The warnings about the format and the paper, and about recordings that lack sound.
    public var warnings: [String] { sitting.warnings + scenario.recordingWarnings }

    /// Holds the exam.
    ///
    /// - Parameters:
    ///   - path: The session's folder: empty or missing.
    ///   - encoding: Whether takes become Ogg/Opus.
    /// - Throws: `Problem`: `occupied`; `malformed` if a recording breaks off or does not decode (no session folder
    ///   remains then); `unwritable` (everything recorded until then is kept).
    public func run(into path: String, encoding: Bool = true) async throws -> Outcome {
        let folder = try SessionFolder.create(at: path)
        do {
            let room = try ReplayRoom(sitting, candidate: scenario.candidate, surroundings: scenario.surroundings)
            let session = try Session(sitting, in: room, folder: folder, id: scenario.name, encoding: encoding)
            let result = try await session.run()
            let expected = try? SessionLog.lines(of: scenario.expectedLog)
            let difference = try expected.flatMap { try Self.difference(SessionLog.lines(of: folder.log), $0) }
            return Outcome(session: result, difference: difference, hasExpectation: expected != nil)
        } catch let problem as Problem where problem.kind == .malformed || problem.kind == .missing {
            SessionFolder.erase(at: path)
            throw problem
        }
    }

    private static func difference(_ actual: [String], _ expected: [String]) -> Difference? {
        for line in 0..<max(actual.count, expected.count) {
            let mine = line < actual.count ? actual[line] : nil
            let theirs = line < expected.count ? expected[line] : nil
            if mine != theirs { return Difference(line: line + 1, expected: theirs, actual: mine) }
        }
        return nil
    }

    /// Makes a session's log the expected one.
    ///
    /// - Throws: `Problem.unwritable`.
    public func accept(_ outcome: Outcome) throws(Problem) {
        try PrivateFile.replace(scenario.expectedLog, with: PrivateFile.read(outcome.session.folder.log))
    }

    /// Returns the default folder of a replay, under the user's cache. Only the last replay of each scenario is kept.
    ///
    /// - Throws: `Problem.occupied` if the folder holds something else.
    public static func defaultFolder(for scenario: Scenario) throws(Problem) -> String {
        let path = UserFolders.cache + "/replays/" + scenario.name
        guard SessionFolder.erase(at: path) else {
            throw Problem(
                .occupied, "\(path): contains files that are not from a replay; name another folder with --output")
        }
        return path
    }
}
