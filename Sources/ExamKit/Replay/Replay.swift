public import SystemSupport

/// Holds the exam of a scenario by the very loop, detector, recorder and encoder of a live one, and compares its log.
public struct Replay: Sendable {
    /// What is replayed.
    public let scenario: Scenario
    private let sitting: PreparedExam

    /// What came of a replay.
    public struct Outcome: Sendable {
        /// What the exam left behind.
        public let session: SessionResult
        /// nil: the log is the expected one, or there is no expectation.
        public let difference: Difference?
        /// Whether the scenario has an `expected.log`.
        public let hasExpectation: Bool
    }

    /// The first line in which a log is not the expected one.
    public struct Difference: Equatable, Sendable {
        /// 1 is the first line.
        public let line: Int
        /// nil: the expected log has ended.
        public let expected: String?
        /// nil: the log has ended.
        public let actual: String?
    }

    /// Finds the recording of every prompt; a prompt without one is spoken by a program.
    ///
    /// - Parameter voice: the examiner's voice where a prompt has no recording.
    /// - Throws: as `PreparedExam`.
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

    /// Remarks about format and paper, and about recordings that lack sound.
    public var warnings: [String] { sitting.warnings + scenario.recordingWarnings }

    /// Holds the exam.
    ///
    /// - Parameters:
    ///   - path: the session's folder: empty or not there.
    ///   - encoding: whether takes become Ogg/Opus.
    /// - Throws: `Problem`: `occupied`; `malformed` where a recording breaks off or does not decode: no session folder is
    ///   left behind then; `unwritable`: what was recorded until then is kept.
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

    /// Makes the log of a session the expected one.
    ///
    /// - Throws: `Problem.unwritable`.
    public func accept(_ outcome: Outcome) throws(Problem) {
        try PrivateFile.replace(scenario.expectedLog, with: PrivateFile.read(outcome.session.folder.log))
    }

    /// The default folder of a replay: the last one of each scenario is kept, under the user's cache.
    ///
    /// - Throws: `Problem.occupied` where something else lies there.
    public static func defaultFolder(for scenario: Scenario) throws(Problem) -> String {
        let path = UserFolders.cache + "/replays/" + scenario.name
        guard SessionFolder.erase(at: path) else {
            throw Problem(.occupied, "\(path): holds files that are not a replay's; name another folder with --output")
        }
        return path
    }
}
