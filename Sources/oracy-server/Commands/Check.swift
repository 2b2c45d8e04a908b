import ArgumentParser
import ExamServer
import ExamStore
import Foundation
import RecordingStores
import SystemSupport

/// The command `oracy-server check`.
struct Check: ServerCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check whether a server can run with these options.",
        discussion: """
            Takes the server's own options: see "oracy-server serve --help". It prints a line for each part. It \
            changes nothing, does not disturb a running server and prints no secrets. It writes one small object to S3 \
            storage and deletes it.

            Exit codes: 0 success; otherwise the code that a server would end with for the first problem: 64 invalid \
            option; 65 unusable database, token keys, schools, formats, assessors, rules or webhooks; 66 file not found; 69 \
            database, storage or a school's sign-in not available, or the clock is wrong; 73 not a folder; 74 folder not writable, or disk full.
            """)

    @OptionGroup var options: ServerOptions

    func validate() throws { try options.requireSignIn() }

    func run(with found: OptionSources) async throws {
        var worst: Int32 = 0
        for part in Examination(options: options, environment: found.environment).parts {
            do {
                say("ok     \(part.name): \(try await part.look())")
            } catch {
                let (code, sentence) = Self.told(error)
                say("wrong  \(part.name): \(sentence)")
                if worst == 0 { worst = code }
            }
        }
        for sentence in warnings(found) { say("note   \(sentence)") }
        if worst != 0 { throw ExitCode(worst) }
    }

    private func warnings(_ found: OptionSources) -> [String] {
        StartWarnings(
            place: options.place, storage: options.storage, signingIn: options.signingIn, live: options.live,
            found: found
        ).sentences
    }

    private static func told(_ error: any Error) -> (Int32, String) {
        switch error {
        case let problem as Problem: (problem.exitCode, problem.sentence)
        case let error as StoreError: (error.kind == .unavailable ? 69 : 65, error.message)
        case let error as AudioStoreError: (69, error.message)
        default: (64, "\(OracyServer.message(for: error))")
        }
    }
}
