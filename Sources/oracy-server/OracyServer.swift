import ArgumentParser
import ExamKit
import ExamServer
import ExamStore
import Foundation
import Glibc
import Logging

/// `oracy-server`: exams in browsers and from other programs.
@main
struct OracyServer: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "oracy-server",
        abstract: "Holds speaking exams over HTTP and WebSocket.",
        discussion: """
            On a laptop:   oracy-server --development, then open http://localhost:8080/
            For others:    oracy-server --host 0.0.0.0 --jwks https://sign-in.example.org/jwks.json \\
                             --database postgresql:///oracy --audio s3://recordings?endpoint=https://s3.example.org

            Every option can also be set in the environment (ORACY_SERVER_METRICS_PORT for --metrics-port) or in the --config \
            file (metrics-port = 9090). The command line overrides the environment, which overrides the file.

            Stops on SIGTERM or SIGINT: running exams are saved and can be continued.

            Exit codes: 0 stopped as asked; 64 invalid option; 65 unusable database or token keys; 66 file not found; 69 \
            address or port not available, or database not reachable; 73 folder in use by another server; 74 folder not \
            writable.
            """,
        version: OracyVersion.text
    )

    @OptionGroup var place: PlaceOptions
    @OptionGroup var keeping: KeepingOptions
    @OptionGroup var signingIn: SignInOptions
    @OptionGroup var allowed: LimitOptions
    @OptionGroup var live: LiveOptions
    @OptionGroup var log: LogOptions

    @Option(help: "A file of options, one per line: name = value. Or set ORACY_SERVER_CONFIG.")
    var config: String?

    func validate() throws {
        guard !signingIn.development || place.isLoopback else {
            throw ValidationError(
                "--development with --host \(place.host) would let in anybody who can reach it; use it only on 127.0.0.1"
            )
        }
    }

    static func main() async {
        var found: OptionSources?
        do {
            let sources = try OptionSources(
                Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment)
            found = sources
            try await parse(sources.arguments).serve(sources)
        } catch let problem as Problem {
            end(problem.exitCode, problem.sentence)
        } catch let error as StoreError {
            end(error.kind == .unavailable ? 69 : 65, error.message)
        } catch  where exitCode(for: error).isSuccess {
            exit(withError: error)  // Help, or the version.
        } catch {
            let sentence = message(for: error)
            end(exitCode(for: error).rawValue, found?.placed(sentence) ?? sentence)
        }
    }

    private func serve(_ found: OptionSources) async throws {
        LoggingSystem.bootstrap { [log, place] _ in LineLog(log.format, level: log.level, node: place.node) }
        let logger = Logger(label: "oracy-server")
        let lock = try FolderLock(folder: keeping.folder)
        let services = Services(
            settings: settings, store: try await keeping.store(),
            audio: try keeping.audioStore(environment: found.environment), logger: logger)
        let panel =
            try live.assessors.map { (file) throws(Problem) in try AssessorPanel(file: file) } ?? AssessorPanel()
        let webhooks = try live.webhooks.map { (file) throws(Problem) in try Webhooks(file: file) } ?? Webhooks()
        let server = try await ExamBackend(
            services, signIn: try await signingIn.signIn(), assessors: panel, webhooks: webhooks)
        let warnings = StartWarnings(
            place: place, keeping: keeping, signingIn: signingIn, live: live, found: found)
        for sentence in warnings.sentences { logger.warning("\(sentence)") }
        Task {
            do throws(AudioStoreError) {
                try await services.audio.ping()
            } catch {
                // It may come later; until then nothing that is said can be stored, and /ready says no.
                logger.warning("recordings cannot be stored", metadata: ["what": "\(error.message)"])
            }
        }
        try await server.run(host: place.host, port: place.port, workers: keeping.workers) { port in
            // What scripts wait for, and people click on.
            let line = Array((place.address(port: port) + "\n").utf8)
            _ = write(STDOUT_FILENO, line, line.count)
        }
        withExtendedLifetime(lock) {}
    }

    private var settings: ServerSettings {
        var settings = ServerSettings(folder: keeping.folder, node: place.node)
        settings.nodeURL = place.nodeURL
        settings.metricsPort = place.metricsPort
        settings.development = signingIn.development
        settings.allowedHosts = Set(place.allowedHosts)
        settings.allowedOrigins = Set(live.allowedOrigins)
        settings.anyPace = live.anyPace
        settings.ownExams = live.ownExams
        settings.limits = allowed.limits()
        settings.retentionDays = keeping.retention
        settings.markers = live.markers
        return settings
    }

    /// Says in one sentence, on standard error, why the server ends.
    private static func end(_ code: Int32, _ sentence: String) -> Never {
        let line = Array("oracy-server: \(sentence)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        Glibc.exit(code)
    }
}
