import ExamCore
import Foundation
import TestSupport
import Testing

@testable import ExamKit
@testable import SessionFolders

/// Whole exams as folders and goldens: every scenario gives its expected log. `make goldens` rewrites them.
@Suite struct ScenarioGoldens {
    @Test(arguments: Fixtures.scenarios)
    func theLogIsTheExpectedOne(_ name: String) async throws {
        let folder = try TemporaryFolder()
        let scenario = try Scenario(folder: "\(Fixtures.folder)/scenarios/\(name)")
        let outcome = try await Replay(scenario, voice: Fixtures.voice).run(
            into: folder.path + "/session", encoding: false)
        #expect(outcome.hasExpectation)
        #expect(outcome.difference == nil)
        #expect(outcome.session.problem == nil)
        for take in outcome.session.takes {
            #expect(take.speech.duration <= take.duration.duration, "\(take.file)")
            let span = take.closedAt.duration - take.openedAt.duration
            let leadIn = take.record.leadIn?.duration ?? .zero
            #expect(take.duration.duration <= leadIn + span, "\(take.file) must not be longer than it was open")
        }
    }

    @Test(arguments: Fixtures.scenarios)
    func theLogAloneGivesTheSameExam(_ name: String) throws {
        let scenario = try Scenario(folder: "\(Fixtures.folder)/scenarios/\(name)")
        let script = try #require(
            ExamScript.assemble(scenario.format, scenario.paper, options: scenario.options).script)
        // Replaying also checks the phase of every line.
        let exam = try SessionLog.replay(scenario.expectedLog, script: script)
        guard case .over = exam.phase else {
            Issue.record("the exam is not over at the end of its log")
            return
        }
    }

    @Test func thereAreTenScenariosAtLeast() {
        #expect(Fixtures.scenarios.count >= 10)
    }

    /// A log that a kill cut off is as good as its complete lines.
    @Test func aLogCutAnywhereLeavesAResumableExam() throws {
        let folder = try TemporaryFolder()
        let scenario = try Scenario(folder: "\(Fixtures.folder)/scenarios/practice-skips-and-pauses")
        let script = try #require(
            ExamScript.assemble(scenario.format, scenario.paper, options: scenario.options).script)
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: scenario.expectedLog)))
        for length in stride(from: 80, to: bytes.count, by: 37) {
            let path = folder.path + "/log"
            try Data(bytes[..<length]).write(to: URL(filePath: path))
            _ = try SessionLog.replay(path, script: script)
        }
    }

    @Test func aDifferingLogNamesItsFirstLine() async throws {
        let folder = try TemporaryFolder()
        let source = "\(Fixtures.folder)/scenarios/withdraws-in-part-2"
        // A folder of the same depth, so that the scenario's relative paths still lead to the fixtures.
        let copy = folder.path + "/scenarios/copy"
        try FileManager.default.createDirectory(atPath: folder.path + "/scenarios", withIntermediateDirectories: true)
        for name in ["answers", "prompts", "noise"] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder.path)/\(name)", withDestinationPath: "\(Fixtures.folder)/\(name)")
        }
        try FileManager.default.copyItem(atPath: source, toPath: copy)
        var lines = try String(contentsOfFile: copy + "/expected.log", encoding: .utf8).split(separator: "\n")
        lines[4] = "something else"
        try lines.joined(separator: "\n").write(toFile: copy + "/expected.log", atomically: true, encoding: .utf8)
        let replay = try await Replay(Scenario(folder: copy), voice: Fixtures.voice)
        let outcome = try await replay.run(into: folder.path + "/one", encoding: false)
        #expect(outcome.difference?.line == 5)
        #expect(outcome.difference?.expected == "something else")

        try replay.accept(outcome)
        #expect(try await replay.run(into: folder.path + "/two", encoding: false).difference == nil)
    }
}
