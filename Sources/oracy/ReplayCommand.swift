import ArgumentParser
import ExamKit

struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Replay a scenario's exam from recordings, and compare its log with the expected one."
    )

    @Argument(help: "The scenario's folder: scenario.json, recordings, expected.log.")
    var scenario: String

    @Option(
        help:
            "Save the session in this folder, which must be empty or new. Default: the last replay, in your cache.")
    var output: String?

    @Flag(help: "Print the result as JSON.")
    var json = false

    @Flag(help: "Say what the recordings show, too (oracy results).")
    var results = false

    @Flag(help: "Write the log as the scenario's expected.log instead of comparing it.")
    var update = false

    @Flag(inversion: .prefixedNo, help: "Encode the takes as Ogg/Opus; without it they stay WAV.")
    var encode = true

    @Option(help: "The voice for prompts without a recording: a command that reads text and writes WAV.")
    var voice: String?

    func run() async throws {
        try await failing {
            let scenario = try Scenario(folder: self.scenario)
            let command = voice.map { $0.split(separator: " ").map(String.init) } ?? ExaminerVoice.espeak
            let replay = try await Replay(scenario, voice: ExaminerVoice(command: command))
            for warning in replay.warnings { complain("warning: \(warning)") }
            let folder = try output ?? Replay.defaultFolder(for: scenario)
            let outcome = try await replay.run(into: folder, encoding: encode)
            if update { try replay.accept(outcome) }
            print(json ? ReplayReport(outcome).json : Summary(scenario, outcome.session).text)
            if let problem = outcome.session.problem { throw problem }
            if results, !json {
                let findings = try ExamFindings(outcome.session.folder, on: SessionShelf())
                print("\n" + ExamFindingsText(findings: findings).short.joined(separator: "\n"))
            }
            if let difference = outcome.difference, !update {
                throw Problem(.differs, difference.sentence(scenario))
            }
            if !outcome.hasExpectation && !update {
                complain("\(scenario.expectedLog) is not there, so nothing was compared; --update makes it")
            }
        }
    }
}

extension Replay.Difference {
    func sentence(_ scenario: Scenario) -> String {
        """
        \(scenario.expectedLog):\(line): the log differs from here on
          expected  \(expected ?? "(no more lines)")
          got       \(actual ?? "(no more lines)")
        """
    }
}

/// What `--json` prints.
private struct ReplayReport: Encodable {
    var folder: String
    var logMatches: Bool?
    var firstDifferingLine: Int?
    var manifest: Manifest

    init(_ outcome: Replay.Outcome) {
        folder = outcome.session.folder.path
        logMatches = outcome.hasExpectation ? outcome.difference == nil : nil
        firstDifferingLine = outcome.difference?.line
        manifest = outcome.session.manifest
    }

    var json: String { JSONText.of(self) }
}
