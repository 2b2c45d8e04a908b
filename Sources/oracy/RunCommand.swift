import ArgumentParser
import Backends
import ExamCore
import ExamKit
import FoundationEssentials
import Glibc
import Hearing
import Papers
import SessionFolders
import StudyFolders
import SystemSupport
import UploadQueue

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Sit an exam: the examiner speaks, you answer.",
        discussion: "Your answers are saved while you speak. If the exam is interrupted, continue with `oracy resume`."
    )

    @Option(
        help: "A template of your backend: its title or id (`oracy templates`).")
    var template: String?

    @Option(
        help:
            "A built-in format (\(ExamFormat.builtInNames.joined(separator: ", "))) or a .json file. Default: ielts-style."
    )
    var format: String?

    @Option(
        help:
            "A built-in paper (\(Paper.builtInNames.joined(separator: ", "))) or a .json file. Default: a new one each time."
    )
    var paper: String?

    @OptionGroup var wishes: PaperArguments

    @Flag(help: "Practice: you can pause the exam and skip preparation.")
    var practice = false

    @Option(help: "Sit only this part (its number).")
    var part: Int?

    @Option(help: "Talk about this card (its question's id).")
    var card: String?

    @Option(help: "Practise one question of an earlier session again (its id); see --from.")
    var retry: String?

    @Option(help: "The session for --retry: an id, its beginning, \"last\", or a path.")
    var from = "last"

    @Option(help: "The number that random choices start from: the same number gives the same questions.")
    var seed: UInt64?

    @Option(help: "Extra time as an accommodation: multiply all time limits and silences by 1 to 4.")
    var timeMultiplier: Double?

    @Option(
        help:
            "The voice for prompts without a recording: a command that reads text and writes WAV. Default: what `oracy voices use` chose."
    )
    var voice: String?

    @Option(help: "Save the session in this folder, which must be empty or new. Default: among `oracy sessions`.")
    var output: String?

    @Flag(help: "I agree to be recorded. Without this you are asked before your first exam.")
    var consent = false

    @Flag(help: "Ask for consent again, for another candidate.")
    var newPerson = false

    @OptionGroup var devices: DeviceArguments
    @OptionGroup var screen: ScreenArguments

    func validate() throws {
        if template != nil && (paper != nil || retry != nil) {
            throw ValidationError("--template has its own questions. Use it without --paper and --retry.")
        }
        if wishes.isUsed && (paper != nil || template != nil || retry != nil) {
            throw ValidationError(
                "--topic and --difficulty are for drawn papers. Use them without --paper, --template and --retry."
            )
        }
    }

    func run() async throws {
        try await failing {
            let voices = try VoiceSetting.voices(voice)
            let template = try template ?? defaultTemplate()
            let (sitting, folders) = try await sitting(of: template, in: voices)
            for warning in sitting.warnings { complain("warning: \(warning)") }
            // With a template, the server has just been asked for the questions, so it needs no second check.
            if template == nil, let warning = try await UploadsHome().warning() {
                complain("warning: \(warning)")
            }
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
                            startedAt: WallTime.now.utc, consent: agreed, folders: folders, voice: sitting.voice))
                    return folder
                }
            )
            try await exam.holdAndTell()
        }
    }

    /// Returns the exam that the options ask for, and the folders of its recordings.
    private func sitting(
        of template: String?, in voices: [ExaminerVoice]
    ) async throws -> (PreparedExam, folders: [String]) {
        let (voice, instead) = (voices[0], Array(voices.dropFirst()))
        if let retry {
            let folder = try SessionShelf().find(from)
            let frozen = try folder.frozenExam()
            var options = frozen.options
            options.question = retry
            options.mode = .practice
            options.timeMultiplier = timeMultiplier ?? options.timeMultiplier
            let folders = try folder.readRecord()?.folders ?? []
            let sitting = try await PreparedExam(
                frozen.format, frozen.paper, options: options, voice: voice, instead: instead, folders: folders)
            return (sitting, folders)
        }
        let options = ExamOptions(
            mode: practice ? .practice : .test,
            timeMultiplier: timeMultiplier ?? 1,
            part: part,
            seed: seed,
            card: card
        )
        if let template {
            let exam = try await TemplateFetch(template).exam()
            let rules = try format.map(Self.format(named:)) ?? exam.format ?? .givenQuestions(for: exam.paper)
            let folders = recordingFolders(of: format ?? "") + [exam.folder]
            let sitting = try await PreparedExam(
                rules, exam.paper, options: options, voice: voice, instead: instead, folders: folders)
            return (sitting, folders)
        }
        let rules = try Self.format(named: format ?? "ielts-style")
        let folders = recordingFolders(of: paper ?? "", format ?? "")
        let sitting = try await PreparedExam(
            rules, questions(for: rules), options: options, voice: voice, instead: instead, folders: folders)
        return (sitting, folders)
    }

    /// Returns the named paper, or one drawn from the bank. If the bank lacks questions for the format, returns a
    /// built-in paper.
    private func questions(for format: ExamFormat) throws(Problem) -> Paper {
        if let paper { return try paper.hasSuffix(".json") ? Paper(file: paper) : .builtIn(paper) }
        // A card is chosen by its name in a paper.
        guard card == nil else { return try .builtIn(Self.paper(for: format)) }
        let desk = PaperDesk()
        let bank = try desk.bank()
        guard bank.canFill(format) || wishes.isUsed else { return try .builtIn(Self.paper(for: format)) }
        let drawn = try desk.draw(
            for: format, from: bank, wishes, seed: seed ?? .random(in: 0...UInt64(UInt32.max)))
        for shortfall in drawn.shortfalls { complain("note: \(shortfall.sentence)") }
        return drawn.paper
    }

    private static func format(named name: String) throws(Problem) -> ExamFormat {
        try name.hasSuffix(".json") ? ExamFormat(file: name) : .builtIn(name)
    }

    /// Returns the template that was configured with the destination, unless the options ask for a local exam.
    private func defaultTemplate() throws(Problem) -> String? {
        guard format == nil, paper == nil, !wishes.isUsed,
            case .supabase(_, _, let template, _) = try UploadsHome().destination()
        else { return nil }
        return template.isEmpty ? nil : template
    }

    /// Returns the first built-in paper that fits the format.
    private static func paper(for format: ExamFormat) throws(Problem) -> String {
        for name in Paper.builtInNames where ExamScript.assemble(format, try .builtIn(name)).script != nil {
            return name
        }
        throw Problem(.missing, "format \"\(format.id)\": no built-in paper fits it; name a paper with --paper")
    }
}

/// Returns the folders in which to look for recordings that papers and formats name: those of the files themselves.
/// They are absolute, since a session may be resumed from any folder.
func recordingFolders(of files: String...) -> [String] {
    files.filter { $0.hasSuffix(".json") }.compactMap { file in
        guard let real = realpath(file, nil) else { return nil }
        defer { free(real) }
        let path = String(cString: real)
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
}

extension TerminalExam {
    /// Holds the exam and reports the outcome.
    ///
    /// - Throws: The errors of `hold`; `ExitCode` 75 if it was left before its end.
    func holdAndTell() async throws {
        let delivery = try LiveDelivery.prepare()
        let words = LiveWords.prepare()
        let result: SessionResult
        do {
            result = try await hold(delivery, words)
        } catch {
            _ = await delivery?.finish(nil) { _ in }
            throw error
        }
        print("\n" + Summary(result).text)
        if let delivery {
            let uploads = UploadsScreen(place: delivery.place)
            let end = await delivery.finish(result.manifest, { uploads.show($0) })
            if let sent = end?.sent, sent.delivered > 0 { uploads.show(sent, isLast: true) }
            if let end { print(end.line) }
            if let arrived = end?.arrived, result.outcome != nil, screen.results {
                await tellResults(of: arrived.session, at: arrived.at, result.folder)
            }
        }
        if let line = await words?.finish({ print($0) }) { print(line) }
        // Said once, after the first exam.
        if SessionShelf().list().count == 1 {
            if words == nil, WordsFiles.find() == nil {
                print("words    to read what you said: oracy words install (138 MB, once)")
            }
            if sitting.voice.isEspeak, !VoiceSetting.isChosen {
                print("voice    for a more human examiner: oracy voices install (59 MB, once)")
            }
        }
        if let problem = result.problem { throw problem }
        guard result.outcome == nil else {
            if screen.findings { await tellFindings(in: result.folder) }
            try RetentionSweep.atEndOfExam()
            return
        }
        // Short, so that a terminal doesn't break the command to copy.
        complain("the exam was left; continue: oracy resume \(result.folder.nameOnShelf)")
        throw ExitCode(75)
    }

    /// Prints what this machine finds in the recordings. A failure is reported but changes nothing, since the exam is
    /// complete.
    private func tellFindings(in folder: SessionFolder) async {
        do throws(Problem) {
            let told = try await ToldDossier(folder, on: SessionShelf(), by: RulesArguments.own())
            print("\n" + DossierText(told).short.joined(separator: "\n"))
        } catch {
            complain("\(error.sentence); to try again: oracy results \(folder.nameOnShelf)")
        }
    }

    /// Waits for the backend's results. A failure is reported but changes nothing, since the exam is complete and
    /// delivered.
    private func tellResults(of session: UUID, at destination: Destination, _ folder: SessionFolder) async {
        guard destination.givesResults else { return }
        let later = "later: oracy uploads results \(folder.nameOnShelf)"
        print("waiting for results from \(destination.place), up to five minutes; ^C stops waiting")
        // A reader of a file or a pipe should see this line before the wait.
        fflush(nil)
        do {
            switch try await ResultsWait(destination, home: UploadsHome()).outcome(of: session) {
            case .evaluated(let results): print("\n" + ResultsText(results, of: folder, from: destination.place).text)
            case .unscored: print("results  \(ResultsText.unscored(at: destination.place))")
            case .failed(let message): print("results  \(message)")
            case .timedOut: print("results  not yet; \(later)")
            }
        } catch let problem as Problem {
            complain("\(problem.sentence); \(later)")
        } catch {
            print("results  not waited for; \(later)")
        }
    }
}

extension SessionFolder {
    /// The name by which `oracy` finds the session: its id if it is among the user's sessions, otherwise its path.
    var nameOnShelf: String { path == SessionShelf().path + "/" + name ? name : path }
}
