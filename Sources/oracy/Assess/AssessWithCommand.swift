import ArgumentParser
import Assessors
import ExamKit
import HTTPClient

extension AssessCommand {
    struct With: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "with",
            abstract: "Say who assesses answers from now on; one of the same name is replaced.",
            subcommands: [TranscriberKind.self, AzureKind.self, ModelKind.self, ProgramKind.self, SettingsFile.self])

        /// The options that all services share.
        struct Service: ParsableArguments {
            @Option(help: "A name for it in results; nothing said: its kind's.")
            var id: String?

            @Option(help: ArgumentHelp("A file that holds the key, and nothing else.", valueName: "file"))
            var keyFile: String?

            @Option(help: ArgumentHelp("A variable of the environment that holds the key.", valueName: "name"))
            var keyVariable: String?

            @Option(help: "What a minute of sound costs, in whatever your budget counts.")
            var pricePerMinute: Double?

            @Option(help: "What a call costs.")
            var pricePerCall: Double?

            @Option(help: "How many seconds a call may take; nothing said: 120.")
            var seconds: Double?

            @Option(help: "Who runs the server, where its host's name does not say.")
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
                if let index = settings.assessors.firstIndex(where: { $0.id == entry.id }) {
                    settings.assessors[index] = entry
                } else {
                    settings.assessors.append(entry)
                }
                try home.write(settings)
                print("\(entry.id) assesses answers from now on: oracy assess last")
                print("What it would be sent: oracy assess --try RECORDING")
            }
        }

        struct TranscriberKind: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "transcriber",
                abstract: "A recogniser: OpenAI, speaches, LocalAI, vLLM, or whisper.cpp's own server.")

            @Argument(help: "Its address: https://api.openai.com/v1, http://localhost:8080")
            var address: String

            @Option(help: "The model, such as whisper-1.")
            var model: String?

            @Flag(name: .customLong("whisper-cpp"), help: "It is whisper.cpp's server, asked at /inference.")
            var isWhisperCPP = false

            @Option(help: "The language: en, en-GB.")
            var language: String?

            @Flag(help: "It writes fillers and false starts as they are said; most do not.")
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

        struct AzureKind: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "azure", abstract: "Azure Speech's pronunciation assessment.")

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
                abstract: "A language model that judges words: whoever speaks as OpenAI's chat does, or Ollama.")

            @Argument(help: "Its address: https://api.openai.com/v1, http://localhost:11434")
            var address: String

            @Option(help: "The model: llama3.1:8b.")
            var model: String

            @Flag(help: "It is Ollama, asked at /api/chat.")
            var ollama = false

            @Option(help: "How often it is asked about an answer, 1 to 9; nothing said: 3.")
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
                abstract: "A program of your own: JSON in, JSON out (docs/assessors.md).")

            @Option(help: "A name for it in results.")
            var id: String = "command"

            @Option(help: "Its own version; answers are assessed again when it rises.")
            var programVersion: String?

            @Flag(help: "It judges words, and is called when there is a transcript.")
            var needsWords = false

            @Option(help: "How many seconds it may take; nothing said: 120.")
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
                commandName: "file", abstract: "Everybody whom a file names, and nobody else.")

            @Argument(help: "The file, as docs/assessors.md describes it; the same one serves a server.")
            var file: String

            func run() async throws {
                try await failing {
                    var settings = try AssessorSettings(file: file)
                    let folder = file.path(in: currentFolder()).folder
                    settings.assessors = settings.assessors.map { $0.placed(in: folder) }
                    for entry in settings.assessors { _ = try entry.assessor() }
                    try AssessorsHome().write(settings)
                    let names = settings.assessors.map(\.id).joined(separator: ", ")
                    print(names.isEmpty ? "Nobody assesses answers." : "From now on assess answers: \(names)")
                }
            }
        }
    }
}
