import ArgumentParser
import ExamKit
import SessionFolders
import SystemSupport

struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Replay a scenario's exam from recordings, and compare the log with the expected one."
    )

    @Argument(
        help:
            "The scenario's folder: scenario.json, recordings, expected.log. With --all, a folder of such folders."
    )
    var scenario: String

    @Flag(help: "Replay every scenario in the folder, by name. Prints a line for each, then a summary.")
    var all = false

    @Option(
        help: ArgumentHelp(
            "How many scenarios to replay at a time. Default: the number of processors.", valueName: "number"))
    var jobs: Int?

    @Option(help: ArgumentHelp("With --all: write the results as JUnit XML, for CI.", valueName: "file"))
    var junit: String?

    @Option(
        help:
            """
            Save the session in this folder, empty or new. Default: the last replay's folder in your cache. With \
            --all: a folder for each scenario; by default sessions are not kept.
            """
    )
    var output: String?

    @Flag(help: "Print the result as JSON.")
    var json = false

    @Flag(help: "Also show the results of the recordings (oracy results).")
    var results = false

    @Flag(help: "Write the log as the scenario's expected.log instead of comparing it.")
    var update = false

    @Flag(inversion: .prefixedNo, help: "Encode the takes as Ogg/Opus. Default: WAV.")
    var encode = true

    @Option(help: "The voice for prompts without a recording: a command that reads text and writes WAV.")
    var voice: String?

    func validate() throws {
        if all && (json || results) {
            throw ValidationError("--json and --results are for one scenario; with --all, use --junit FILE.")
        }
        if !all && (jobs != nil || junit != nil) { throw ValidationError("--jobs and --junit need --all.") }
        if let jobs, jobs < 1 { throw ValidationError("--jobs: \(jobs) is less than 1.") }
    }

    func run() async throws {
        try await failing { if all { try await replayAll() } else { try await replayOne() } }
    }

    private var examiner: ExaminerVoice {
        ExaminerVoice(command: voice.map { $0.split(separator: " ").map(String.init) } ?? ExaminerVoice.espeak)
    }

    private func replayOne() async throws {
        let scenario = try Scenario(folder: self.scenario)
        let replay = try await Replay(scenario, voice: examiner)
        for warning in replay.warnings { complain("warning: \(warning)") }
        let folder = try output ?? Replay.defaultFolder(for: scenario)
        let outcome = try await replay.run(into: folder, encoding: encode)
        if update { try replay.accept(outcome) }
        print(json ? ReplayReport(outcome).json : Summary(scenario, outcome.session).text, whole: json)
        if let problem = outcome.session.problem { throw problem }
        if results, !json {
            let told = try await ToldDossier(
                outcome.session.folder, on: SessionShelf(), by: RulesArguments.own())
            print("\n" + DossierText(told).short.joined(separator: "\n"))
        }
        if let difference = outcome.difference, !update {
            throw Problem(.differs, difference.sentence(scenario))
        }
        if !outcome.hasExpectation && !update {
            complain("\(scenario.expectedLog) does not exist, so nothing was compared; create it with --update")
        }
    }

    private func replayAll() async throws {
        let scenarios = try ScenarioCollection(scenario)
        if let junit { try OutputFile.checkPlace(junit) }
        let place = try ReplayPlace(keptIn: output)
        defer { place.close() }
        let replays = ManyReplays(
            scenarios: scenarios, voice: examiner, place: place, encoding: encode && output != nil, updating: update)
        let width = scenarios.names.map(\.count).max() ?? 0
        let report = try await replays.run(jobs: jobs) { verdict in
            for warning in verdict.warnings { complain("warning: \(verdict.name): \(warning)") }
            try OutputFile.print(verdict.line(width: width) + "\n")
        }
        try OutputFile.print("\n\(report.summary)\n")
        if let junit { try OutputFile.replace(junit, with: JUnitText(report).text) }
        if report.exitCode != 0 { throw ExitCode(report.exitCode) }
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

/// The output of `--json`.
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
