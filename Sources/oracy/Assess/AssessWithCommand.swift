import ArgumentParser
import Assessors
import HTTPClient
import SystemSupport

extension AssessCommand {
    struct With: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "with",
            abstract: "Set up an assessor. One with the same name is replaced.",
            subcommands: [
                WordsKind.self, TranscriberKind.self, AzureKind.self, ModelKind.self, ProgramKind.self,
                SettingsFile.self,
            ])

        /// The options that all services share.
        struct Service: ParsableArguments {
            @Option(help: "Its name in results. Default: its kind.")
            var id: String?

            @Option(help: ArgumentHelp("A file that contains only the key.", valueName: "file"))
            var keyFile: String?

            @Option(help: ArgumentHelp("An environment variable that holds the key.", valueName: "name"))
            var keyVariable: String?

            @Option(help: "The price of a minute of sound, in your budget's currency.")
            var pricePerMinute: Double?

            @Option(help: "The price of a call.")
            var pricePerCall: Double?

            @Option(help: "Seconds that a call may take. Default: 120.")
            var seconds: Double?

            @Option(help: "Who runs the server, if its host name does not tell.")
            var recipient: String?

            func entry(_ kind: AssessorEntry.Kind, named name: String) -> AssessorEntry {
                var entry = AssessorEntry(id: id ?? name, kind: kind)
                if keyFile != nil || keyVariable != nil {
                    // An absolute path, so that the file is found from any folder.
                    entry.key = ServiceKey(file: keyFile?.path(in: currentFolder()), environment: keyVariable)
                }
                entry.pricePerMinute = pricePerMinute
                entry.pricePerCall = pricePerCall
                entry.seconds = seconds
                entry.recipient = recipient
                return entry
            }
        }

        /// - Throws: `Problem`: `malformed` if the entry or its key is invalid.
        static func put(_ entry: AssessorEntry) async throws {
            try await failing {
                let home = AssessorsHome()
                var settings = try home.settings()
                // Fails now if the key is missing, rather than in the first exam.
                _ = try entry.assessor()
                entry.complainOfExposedKey(in: currentFolder())
                if let index = settings.assessors.firstIndex(where: { $0.id == entry.id }) {
                    settings.assessors[index] = entry
                } else {
                    settings.assessors.append(entry)
                }
                try home.write(settings)
                print("\(entry.id) assesses answers from now on. Next: oracy assess last")
                print("To see what it would be sent: oracy assess --try RECORDING")
            }
        }

        struct TranscriberKind: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "transcriber",
                abstract: "Use a speech recogniser: OpenAI, speaches, LocalAI, vLLM or whisper.cpp's server.")

            @Argument(help: "Its address: https://api.openai.com/v1, http://localhost:8080")
            var address: String

            @Option(help: "The model, such as whisper-1.")
            var model: String?

            @Flag(name: .customLong("whisper-cpp"), help: "The server is whisper.cpp's, called at /inference.")
            var isWhisperCPP = false

            @Option(help: "The language: en, en-GB.")
            var language: String?

            @Flag(help: "Use this if the recogniser writes fillers and false starts. Most leave them out.")
            var verbatim = false

            @OptionGroup var service: Service

            func run() async throws {
                var entry = service.entry(.transcriber, named: "transcriber")
                entry.address = address
                entry.model = model
                entry.interface = isWhisperCPP ? .whisperCPP : nil
                entry.language = language
                entry.verbatim = verbatim ? true : nil
                try await With.put(entry)
            }
        }

        struct WordsKind: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "words",
                abstract: "Use the recogniser on this machine (oracy words). It is used anyway if there is no other.")

            @Option(help: "The language: en.")
            var language: String?

            func run() async throws {
                try await failing {
                    let home = AssessorsHome()
                    var settings = try home.settings()
                    settings.words = nil
                    try home.write(settings)
                }
                var entry = AssessorEntry(id: HeardHere.usualID, kind: .words)
                entry.language = language
                try await With.put(entry)
            }
        }

        struct AzureKind: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "azure", abstract: "Use Azure Speech's pronunciation assessment.")

            @Argument(help: "The region of the resource: westeurope. Or an address: https://…")
            var region: String

            @Option(help: "The language: en-GB, en-US.")
            var language: String?

            @OptionGroup var service: Service

            func run() async throws {
                var entry = service.entry(.azure, named: "azure")
                if region.contains("://") { entry.address = region } else { entry.region = region }
                entry.language = language
                try await With.put(entry)
            }
        }

        struct ModelKind: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "language-model",
                abstract: "Use a language model to assess words: OpenAI's chat API or Ollama.")

            @Argument(help: "Its address: https://api.openai.com/v1, http://localhost:11434")
            var address: String

            @Option(help: "The model: llama3.1:8b.")
            var model: String

            @Flag(help: "The server is Ollama, called at /api/chat.")
            var ollama = false

            @Option(help: "Calls for each answer, 1 to 9. Default: 3.")
            var runs: Int?

            @OptionGroup var service: Service

            func run() async throws {
                var entry = service.entry(.languageModel, named: "language-model")
                entry.address = address
                entry.model = model
                entry.interface = ollama ? .ollama : nil
                entry.runs = runs
                try await With.put(entry)
            }
        }

        struct ProgramKind: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "command",
                abstract: "Use your own program: JSON in, JSON out (docs/assessors.md).")

            @Option(help: "Its name in results.")
            var id: String = "command"

            @Option(help: "The program's version. Answers are assessed again when it rises.")
            var programVersion: String?

            @Flag(help: "The program assesses words, and is called if there is a transcript.")
            var needsWords = false

            @Option(help: "Seconds that a call may take. Default: 120.")
            var seconds: Double?

            @Argument(parsing: .captureForPassthrough, help: "The program and its arguments.")
            var command: [String]

            func run() async throws {
                var entry = AssessorEntry(id: id, kind: .command)
                // The command may begin with "--".
                entry.command = command.first == "--" ? Array(command.dropFirst()) : command
                entry.programVersion = programVersion
                entry.needsWords = needsWords ? true : nil
                entry.seconds = seconds
                try await With.put(entry.placed(in: currentFolder()))
            }
        }

        struct SettingsFile: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "file", abstract: "Use exactly the assessors of a file.")

            @Argument(help: "The file (docs/assessors.md). A server can use the same one.")
            var file: String

            func run() async throws {
                try await failing {
                    var settings = try AssessorSettings(file: file)
                    let folder = file.path(in: currentFolder()).folder
                    settings.assessors = settings.assessors.map { $0.placed(in: folder) }
                    for entry in settings.assessors { _ = try entry.assessor() }
                    try AssessorsHome().write(settings)
                    let names = settings.assessors.map(\.id).joined(separator: ", ")
                    print(names.isEmpty ? "No assessor is set up any more." : "Assessors from now on: \(names)")
                }
            }
        }
    }
}
