import ArgumentParser
import ExamNode
import ExamServer
import ExamStore
import Foundation
import Glibc
import RecordingStores
import SystemSupport

/// The program `oracy-server`: it holds exams for browsers and other programs, and has commands for its operators.
@main
struct OracyServer: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "oracy-server",
        abstract: "Run speaking exams over HTTP and WebSocket.",
        discussion: """
            For a class:   oracy-server class --name "Form 9B"
            On a laptop:   oracy-server --development, then open http://localhost:8080/
            In production: oracy-server --host 0.0.0.0 --jwks https://sign-in.example.org/jwks.json \\
                             --database postgresql:///oracy --audio s3://recordings?endpoint=https://s3.example.org

            Without a command, it serves. "oracy-server serve --help" lists the options.
            """,
        version: OracyVersion.text,
        subcommands: [
            Serve.self, ClassCommand.self, Check.self, Export.self, Erase.self, Seal.self, BackUp.self, Restore.self,
            Jobs.self,
        ],
        defaultSubcommand: Serve.self
    )

    static func main() async {
        // Check this before anything else is created: a worker reads untrusted recordings.
        if CommandLine.arguments.dropFirst().first == SoundWorker.argument { SoundWorker.main() }
        var found: OptionSources?
        do {
            let sources = try OptionSources(
                Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment)
            found = sources
            let command = try parseAsRoot(sources.arguments)
            guard let command = command as? any ServerCommand else {
                var help = command
                return try help.run()
            }
            try await command.run(with: sources)
        } catch let problem as Problem {
            end(problem.exitCode, problem.sentence)
        } catch let error as StoreError {
            end(error.kind == .unavailable ? 69 : 65, error.message)
        } catch let error as AudioStoreError {
            end(69, "recordings: \(error.message)")
        } catch  where exitCode(for: error).isSuccess {
            exit(withError: error)  // Help, or the version.
        } catch let code as ExitCode {
            Glibc.exit(code.rawValue)  // The reason was already printed.
        } catch {
            let sentence = message(for: error)
            end(exitCode(for: error).rawValue, found?.placed(sentence) ?? sentence)
        }
    }

    /// Writes in one sentence to standard error why the program ends, and exits.
    private static func end(_ code: Int32, _ sentence: String) -> Never {
        let line = Array("oracy-server: \(sentence)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        Glibc.exit(code)
    }
}

/// A command that also needs the sources of its options.
protocol ServerCommand: ParsableCommand {
    func run(with found: OptionSources) async throws
}

extension ServerCommand {
    /// Writes a line to standard output.
    func say(_ line: String) {
        let line = Array((line + "\n").utf8)
        _ = write(STDOUT_FILENO, line, line.count)
    }
}
