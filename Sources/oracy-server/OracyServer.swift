import ArgumentParser
import ExamKit
import ExamServer
import ExamStore
import Foundation
import Glibc
import Logging

/// `oracy-server`: exams in browsers and from other programs.
@main
struct OracyServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "oracy-server",
        abstract: "Holds speaking exams over HTTP and WebSocket.",
        discussion: """
            On a laptop:   oracy-server --development        then open http://localhost:8080/
            For others:    oracy-server --host 0.0.0.0 --jwks https://sign-in.example.org/jwks.json \\
                             --database postgresql:///oracy --audio s3://recordings?endpoint=https://s3.example.org

            Ends on SIGTERM or SIGINT: exams that are held are saved, and can be gone on with.
            """
    )

    @OptionGroup var place: PlaceOptions
    @OptionGroup var keeping: KeepingOptions
    @OptionGroup var signingIn: SignInOptions
    @OptionGroup var allowed: LimitOptions
    @OptionGroup var live: LiveOptions

    func run() async throws {
        do {
            try await serve()
        } catch let problem as Problem {
            complain(problem.sentence)
            throw ExitCode(problem.exitCode)
        } catch let error as StoreError {
            complain(error.words)
            throw ExitCode(error.kind == .unavailable ? 69 : 65)
        }
    }

    private func serve() async throws {
        var settings = ServerSettings(folder: keeping.folder, node: place.node)
        settings.nodeURL = place.nodeURL
        settings.allowedOrigins = Set(live.allowedOrigins)
        settings.anyPace = live.anyPace
        settings.ownExams = live.ownExams
        settings.limits = allowed.limits()
        let signIn = try await signingIn.signIn(host: place.host)
        if case .development = signIn {
            settings.development = true
            complain("DEVELOPMENT: everybody who reaches this address is one and the same user, without signing in")
        }
        let logger = Logger(label: "oracy-server", factory: { StreamLogHandler.standardError(label: $0) })
        let services = Services(
            settings: settings, store: try await keeping.store(), audio: try keeping.audioStore(), logger: logger)
        Task {
            do throws(AudioStoreError) {
                try await services.audio.ping()
            } catch {
                // It may come later; until then nothing that is said can be stored, and /ready says no.
                complain("recordings cannot be stored: \(error.words)")
            }
        }
        let server = try await ExamServer(services, signIn: signIn)
        try await server.run(host: place.host, port: place.port, workers: keeping.workers) { port in
            // What scripts wait for, and people click on.
            let line = Array("http://\(place.host == "127.0.0.1" ? "localhost" : place.host):\(port)/\n".utf8)
            _ = write(STDOUT_FILENO, line, line.count)
        }
    }
}

/// Says one thing to whoever started the server, on standard error.
func complain(_ sentence: String) {
    let line = Array("oracy-server: \(sentence)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
}
