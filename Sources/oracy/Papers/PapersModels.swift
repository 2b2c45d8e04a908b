import ArgumentParser
import Assessors
import HTTPClient
import SystemSupport
import TextModels

extension PapersCommand {
    struct Models: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "models",
            abstract: "List the models that could write items now.",
            discussion:
                "Asks Ollama on this machine, or the servers of --ollama and --openai. Sends none of your data.")

        @Option(help: "Ollama's address.")
        var ollama = ModelArguments.defaultAddress(.ollama)

        @Option(help: "The address of a server with OpenAI's API: http://localhost:8000/v1.")
        var openai: String?

        @Option(help: ArgumentHelp("A file that contains that server's key.", valueName: "file"))
        var keyFile: String?

        @Option(help: ArgumentHelp("An environment variable that holds that key.", valueName: "name"))
        var keyVariable: String?

        func run() async throws {
            try await failing {
                print("ollama  \(try await answer(.ollama, ollama))".cleaned)
                let other =
                    if let openai { try await answer(.openai, openai) } else {
                        "not asked; give its address with --openai"
                    }
                print("openai  \(other)".cleaned)
                print("mlx     not available on this platform")
            }
        }

        private func answer(_ source: ModelArguments.Source, _ address: String) async throws -> String {
            var entry = AssessorEntry(id: source.rawValue, kind: .languageModel)
            entry.interface = source == .ollama ? .ollama : nil
            entry.address = address
            entry.model = source.rawValue
            entry.seconds = 10
            if source == .openai, keyFile != nil || keyVariable != nil {
                entry.key = ServiceKey(file: keyFile?.path(in: currentFolder()), environment: keyVariable)
                entry.complainOfExposedKey(in: currentFolder())
            }
            let model = try entry.textModel(client: UploadsHome.client(), in: currentFolder(), waits: false)
            do throws(ServiceFailure) {
                let names = try await model.names()
                return "\(address)  " + (names.isEmpty ? "answers, but has no models" : names.joined(separator: ", "))
            } catch {
                return "\(address)  no answer: \(error.sentence)"
            }
        }
    }
}
