import ArgumentParser
import ExamCore
import ExamKit
import Glibc

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Sit an exam: the examiner speaks, you answer.",
        discussion: "What you say is kept as you say it. Whatever ends the program, `oracy resume` goes on from there."
    )

    @Option(help: "A built-in format (\(ExamFormat.builtInNames.joined(separator: ", "))) or a .json file.")
    var format = "ielts-style"

    @Option(help: "A built-in paper (\(Paper.builtInNames.joined(separator: ", "))) or a .json file.")
    var paper: String?

    @Flag(help: "Practise: you may pause the exam and skip preparation.")
    var practice = false

    @Option(help: "Sit only this part, by its number.")
    var part: Int?

    @Option(help: "Talk about this card, named by its question's id.")
    var card: String?

    @Option(help: "Practise one question of an earlier session again, by its id; see --from.")
    var retry: String?

    @Option(help: "The session that --retry looks in: an id, its beginning, \"last\", or a path.")
    var from = "last"

    @Option(help: "Choose among the paper's questions: the same number, the same choice.")
    var seed: UInt64?

    @Option(help: "Extra time as an accommodation: every time limit and silence times 1 to 4.")
    var timeMultiplier: Double?

    @Option(help: "The voice for prompts without a recording: a command that reads text and writes WAV.")
    var voice: String?

    @Option(help: "Save the session in this folder, which must be empty or new. Default: among `oracy sessions`.")
    var output: String?

    @Flag(help: "I agree to be recorded. Without this you are asked before your first exam.")
    var consent = false

    @Flag(help: "Somebody else sits the exam: ask for consent again.")
    var newPerson = false

    @OptionGroup var devices: DeviceArguments
    @OptionGroup var screen: ScreenArguments

    func run() async throws {
        try await failing {
            let command = voice.map { $0.split(separator: " ").map(String.init) } ?? ExaminerVoice.espeak
            let (sitting, folders) = try await sitting(speaking: command)
            for warning in sitting.warnings { complain("warning: \(warning)") }
            let shelf = SessionShelf()
            let agreed = try Consent.obtain(given: consent, again: newPerson, for: output ?? shelf.path)
            let exam = TerminalExam(
                sitting: sitting,
                devices: devices,
                screen: screen,
                place: .new {
                    let folder =
                        try output.map { try SessionFolder.create(at: $0) }
                        ?? shelf.newFolder(format: sitting.format.id)
                    try folder.write(
                        SessionRecord(
                            startedAt: WallTime.now.utc, consent: agreed, folders: folders, voice: command))
                    return folder
                }
            )
            try await exam.holdAndTell()
        }
    }

    /// The exam that the options ask for, and where its recordings lie.
    private func sitting(speaking command: [String]) async throws -> (PreparedExam, folders: [String]) {
        var voice = ExaminerVoice(command: command)
        if let recorded = UserFolders.recordedPrompts { voice.recordings = [recorded] }
        if let retry {
            let folder = try SessionShelf().find(from)
            let frozen = try folder.frozenExam()
            var options = frozen.options
            options.question = retry
            options.mode = .practice
            options.timeMultiplier = timeMultiplier ?? options.timeMultiplier
            let folders = try folder.readRecord()?.folders ?? []
            let sitting = try await PreparedExam(
                frozen.format, frozen.paper, options: options, voice: voice, folders: folders)
            return (sitting, folders)
        }
        let options = ExamOptions(
            mode: practice ? .practice : .test,
            timeMultiplier: timeMultiplier ?? 1,
            part: part,
            seed: seed,
            card: card
        )
        let rules: ExamFormat = try format.hasSuffix(".json") ? ExamFormat(file: format) : .builtIn(format)
        let paper = try self.paper ?? Self.paper(for: rules)
        let folders = recordingFolders(of: paper, format)
        let sitting = try await PreparedExam(
            rules,
            paper.hasSuffix(".json") ? Paper(file: paper) : .builtIn(paper),
            options: options,
            voice: voice,
            folders: folders
        )
        return (sitting, folders)
    }

    /// The first built-in paper that has what the format asks for.
    private static func paper(for format: ExamFormat) throws(Problem) -> String {
        for name in Paper.builtInNames where ExamScript.assemble(format, try .builtIn(name)).script != nil {
            return name
        }
        throw Problem(.missing, "format \"\(format.id)\": no built-in paper has its questions; name one with --paper")
    }
}

/// Where the recordings lie that papers and formats name: beside their files. Absolute, since a session is resumed from any folder.
func recordingFolders(of files: String...) -> [String] {
    files.filter { $0.hasSuffix(".json") }.compactMap { file in
        guard let real = realpath(file, nil) else { return nil }
        defer { free(real) }
        let path = String(cString: real)
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
}

extension TerminalExam {
    /// Holds the exam and says what came of it.
    ///
    /// - Throws: as `hold`; `ExitCode` 75 where it was left before its end.
    func holdAndTell() async throws {
        let delivery = try LiveDelivery.prepare()
        let result: SessionResult
        do {
            result = try await hold(delivery)
        } catch {
            _ = await delivery?.finish(nil) { _ in }
            throw error
        }
        print("\n" + Summary(result).text)
        if let delivery {
            let screen = UploadsScreen(place: delivery.place)
            if let line = await delivery.finish(result.manifest, { screen.show($0) }) { print(line) }
        }
        if let problem = result.problem { throw problem }
        guard result.outcome == nil else { return }
        // Short, so that a terminal does not break the command that is to be copied.
        complain("the exam was left; go on: oracy resume \(result.folder.nameOnShelf)")
        throw ExitCode(75)
    }
}

extension SessionFolder {
    /// How `oracy` finds it: its id among the user's sessions, else its path.
    var nameOnShelf: String { path == SessionShelf().path + "/" + name ? name : path }
}
