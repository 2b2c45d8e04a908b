public import ExamCore
public import SystemSupport

/// One exam ready to be held: a valid script, and a recording for everything the examiner says.
///
/// ```swift
/// let prepared = try await PreparedExam(.builtIn("ielts-style"), Paper(file: "my-paper.json"))
/// for warning in prepared.warnings { print(warning) }
/// ```
///
/// It is a value: any number of sessions may be held with it, one after another or at once.
public struct PreparedExam: Sendable {
    /// How the exam runs: its parts, times and silences.
    public let format: ExamFormat
    /// What it asks.
    public let paper: Paper
    /// The two joined for this sitting: every turn and every clip, in order.
    public let script: ExamScript
    /// What is worth knowing before the start (A5).
    public let warnings: [String]
    package let recordings: [Clip: Prompt]

    /// Joins a format and a paper, and finds the recording of every prompt; a prompt without one is spoken by a program.
    ///
    /// - Parameter folders: where recordings that the format or the paper names lie.
    /// - Throws: `Problem.malformed` with everything that is wrong with format and paper (A5, A20); where recordings that they
    ///   name are not there or broken (A16), with all of them; as `ExaminerVoice`.
    public init(
        _ format: ExamFormat,
        _ paper: Paper,
        options: ExamOptions = ExamOptions(),
        voice: ExaminerVoice = ExaminerVoice(recordings: UserFolders.recordedPrompts.map { [$0] } ?? []),
        folders: [String] = []
    ) async throws(Problem) {
        let (script, validation) = ExamScript.assemble(format, paper, options: options)
        guard let script else { throw Problem(.malformed, validation.errors.joined(separator: "\n")) }
        let voice = voice.speaking(format.language)
        self.format = format
        self.paper = paper
        self.script = script
        warnings = validation.warnings
        var recordings: [Clip: Prompt] = [:]
        do throws(Problem) {
            try await voice.speak(script.clips, in: folders)
        } catch {
            throw script.brokenRecordings(in: folders) ?? error
        }
        for clip in script.clips where recordings[clip] == nil {
            do throws(Problem) {
                recordings[clip] = Prompt(clip: clip, path: try await voice.recording(of: clip, in: folders))
            } catch {
                throw clip.audio == nil ? error : script.brokenRecordings(in: folders) ?? error
            }
        }
        self.recordings = recordings
    }

    /// What a session that was not finished goes on with: its own format, paper, options and voice.
    ///
    /// - Throws: `Problem`: as the other initialiser; `missing` and `malformed` for the session's own files.
    public init(resuming folder: SessionFolder) async throws(Problem) {
        let frozen = try folder.frozenExam()
        let record = try folder.readRecord()
        var voice = ExaminerVoice(recordings: UserFolders.recordedPrompts.map { [$0] } ?? [])
        if let record { voice.command = record.voice }
        try await self.init(
            frozen.format, frozen.paper, options: frozen.options, voice: voice, folders: record?.folders ?? [])
    }
}

extension ExamScript {
    /// All that is wrong with the recordings that format and paper name, as one problem with a line for each; nil: nothing is.
    ///
    /// - Parameter folders: where they lie.
    package func brokenRecordings(in folders: [String]) -> Problem? {
        var problems: [Problem] = []
        for clip in Set(clips.filter { $0.audio != nil }).sorted(by: { $0.id < $1.id }) {
            do throws(Problem) {
                _ = try ExaminerVoice.namedRecording(of: clip, in: folders)
            } catch {
                problems.append(error)
            }
        }
        return problems.first.map { Problem($0.kind, problems.map(\.sentence).joined(separator: "\n")) }
    }
}
