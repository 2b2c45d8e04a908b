public import ExamCore
public import SessionFolders
public import SystemSupport

/// An exam that is ready to be held: a valid script, and a recording of everything that the examiner says.
///
/// ```swift
/// let prepared = try await PreparedExam(.builtIn("ielts-style"), Paper(file: "my-paper.json"))
/// for warning in prepared.warnings { print(warning) }
/// ```
///
/// A value: any number of sessions can be held with it, one after another or at the same time.
public struct PreparedExam: Sendable {
    /// The rules of the exam: its parts, times and silences.
    public let format: ExamFormat
    /// The questions of the exam.
    public let paper: Paper
    /// The format and the paper joined for this sitting: every turn and every clip, in order.
    public let script: ExamScript
    /// The voice of all prompts that have no recording.
    public let voice: ExaminerVoice
    /// Warnings that are worth reading before the start.
    public let warnings: [String]
    package let recordings: [Clip: Prompt]

    /// Joins a format and a paper, and finds the recording of every prompt. A program speaks the prompts that have
    /// none.
    ///
    /// - Parameters:
    ///   - instead: The voices to try, in this order, if the program of `voice` fails or is not installed. One voice
    ///     speaks all prompts: an examiner does not change in the middle of an exam.
    ///   - folders: The folders of recordings that the format or the paper names.
    /// - Throws: `Problem.malformed` with everything that is wrong with the format and the paper; `Problem` with all
    ///   named recordings that are missing or broken; as `ExaminerVoice`.
    public init(
        _ format: ExamFormat,
        _ paper: Paper,
        options: ExamOptions = ExamOptions(),
        voice: ExaminerVoice = ExaminerVoice(recordings: UserFolders.recordings),
        instead: [ExaminerVoice] = [],
        folders: [String] = []
    ) async throws(Problem) {
        let (script, validation) = ExamScript.assemble(format, paper, options: options)
        guard let script else { throw Problem(.malformed, validation.errors.joined(separator: "\n")) }
        self.format = format
        self.paper = paper
        self.script = script
        (self.voice, recordings, warnings) = try await Self.recordings(
            of: script, by: ([voice] + instead).map { $0.speaking(format.language) }, folders, validation.warnings)
    }

    /// Finds the recordings of a script's clips, all in the first voice that has or makes all of them.
    private static func recordings(
        of script: ExamScript, by voices: [ExaminerVoice], _ folders: [String], _ warnings: [String]
    ) async throws(Problem) -> (ExaminerVoice, [Clip: Prompt], warnings: [String]) {
        var warnings = warnings
        var failure: Problem?
        for voice in voices {
            do throws(Problem) {
                let recordings = try await recordings(of: script, in: voice, folders)
                if let failure { warnings.append("\(failure.sentence); another voice speaks instead") }
                return (voice, recordings, warnings)
            } catch {
                // Another voice does not help if a recording is broken or the disk is full.
                guard error.kind == .unavailable else { throw error }
                failure = failure ?? error
            }
        }
        throw failure ?? Problem(.unavailable, "there is no examiner's voice")
    }

    private static func recordings(
        of script: ExamScript, in voice: ExaminerVoice, _ folders: [String]
    ) async throws(Problem) -> [Clip: Prompt] {
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
        return recordings
    }

    /// Prepares to resume an unfinished session, with its own format, paper, options and voice.
    ///
    /// - Throws: `Problem`: as the other initialiser; `missing` and `malformed` for the session's own files.
    public init(resuming folder: SessionFolder) async throws(Problem) {
        let frozen = try folder.frozenExam()
        let record = try folder.readRecord()
        let voice = ExaminerVoice(of: record, recordings: UserFolders.recordings)
        try await self.init(
            frozen.format, frozen.paper, options: frozen.options, voice: voice, folders: record?.folders ?? [])
    }
}

extension ExamScript {
    /// Returns everything that is wrong with the recordings that the format and the paper name, as one problem with a
    /// line for each; nil if all are good.
    ///
    /// - Parameter folders: The folders of the recordings.
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
