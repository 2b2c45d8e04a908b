import ArgumentParser
import SystemSupport

@main
struct Oracy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "oracy",
        abstract: "Sit, record and replay IELTS-style speaking exams.",
        discussion: """
            Exit codes: 0 success; 1 a replay's log differs from the expected one, or a microphone check found a \
            problem; 64 the command was not understood; 65 a format, paper, scenario or recording cannot be used; 66 a \
            file or session does not exist; 69 the examiner's voice, the microphone, the loudspeaker or the backend is \
            not available; 73 a folder cannot be made or is in use, or a session is in use; 74 something could not be \
            written; 75 an exam was left and can be resumed, or uploads still wait; 77 consent to be recorded was \
            refused, or you are not signed in.
            """,
        version: OracyVersion.text,
        subcommands: [
            HomeCommand.self, TodayCommand.self, PlanCommand.self, RunCommand.self, AgainCommand.self,
            ResumeCommand.self, CheckCommand.self,
            DevicesCommand.self, SessionsCommand.self,
            ExamResultsCommand.self, ProgressCommand.self, UploadsCommand.self, TemplatesCommand.self,
            AccountCommand.self, PapersCommand.self, PracticeCommand.self, TasksCommand.self, VoicesCommand.self,
            ReplayCommand.self,
            ValidateCommand.self, VadCommand.self, MarkCommand.self, AgreementCommand.self, ReportCommand.self,
            TranscribeCommand.self, WordsCommand.self,
            AssessCommand.self, CalibrateCommand.self, DeveloperCommand.self,
        ],
        defaultSubcommand: HomeCommand.self
    )

    /// Runs the command. Help, and errors in the arguments, are printed in lines that fit the terminal.
    static func main() async {
        do {
            var command = try await asyncParseAsRoot(nil)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            let (code, message) = (exitCode(for: error), fullMessage(for: error))
            let forPrograms = ["--generate-completion-script", "--experimental-dump-help"]
            let isForProgram = CommandLine.arguments.contains { argument in
                forPrograms.contains { argument.hasPrefix($0) }
            }
            guard !message.isEmpty, !isForProgram else { exit(withError: error) }
            if code.isSuccess {
                print(message)
            } else if code == .validationFailure, let meant = Slip.meant(by: Array(CommandLine.arguments.dropFirst())) {
                complain("there is no such command. Did you mean `\(meant)`?")
            } else {
                tell(message + "\n")
            }
            exit(withError: code)
        }
    }
}
