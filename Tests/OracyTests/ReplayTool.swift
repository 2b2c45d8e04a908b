import Foundation
import TestSupport
import Testing

/// `oracy replay` from the point of view of a person, a script and continuous integration.
@Suite struct ReplayTool {
    private let scenario = Tool.fixtures + "/scenarios/withdraws-in-part-2"

    @Test func aPersonGetsATableAndTheSessionsFolder() throws {
        let home = try Home()
        let result = try Tool.run(["replay", scenario], home: home.path)
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.errors.isEmpty)
        #expect(result.output.contains("question     began  length  speech  ended by    file"))
        #expect(result.output.contains("\nbridge-card   1:23  19.6 s"))
        #expect(result.output.contains("withdrawn, 1:41 long; 1 answer with 0:14 of speech"))
        let folder = home.path + "/.cache/oracy/replays/withdraws-in-part-2"
        #expect(result.output.contains("session  \(folder)"))
        #expect(FileManager.default.fileExists(atPath: folder + "/takes/part2_q1.opus"))
        // The last replay is kept until a new one replaces it.
        #expect(try Tool.run(["replay", scenario], home: home.path).code == 0)
    }

    @Test func theProgramGetsJSON() throws {
        let home = try Home()
        let result = try Tool.run(["replay", scenario, "--json", "--no-encode"], home: home.path)
        let report = try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(report["logMatches"] as? Bool == true)
        let manifest = try #require(report["manifest"] as? [String: Any])
        #expect(manifest["outcome"] as? String == "withdrawn")
        #expect((manifest["takes"] as? [[String: Any]])?.first?["end"] as? String == "withdrawn")
    }

    @Test func anotherLogIsAnErrorThatShowsTheFirstDifferingLine() throws {
        let home = try Home()
        let text = try String(contentsOfFile: scenario + "/scenario.json", encoding: .utf8)
        let expected = try String(contentsOfFile: scenario + "/expected.log", encoding: .utf8)
        let folder = try home.write(
            text.replacingOccurrences(of: "../../", with: Tool.fixtures + "/"), to: "mine/scenario.json")
        try home.write(
            expected.replacingOccurrences(of: "preparing bridge-card", with: "preparing a-pie"), to: "mine/expected.log"
        )
        let mine = URL(filePath: folder).deletingLastPathComponent().path
        let result = try Tool.run(["replay", mine, "--no-encode"], home: home.path)
        #expect(result.code == 1)
        #expect(result.errors.contains("\(mine)/expected.log:5: the log differs from here on"))
        #expect(result.errors.contains("expected  {"))
        #expect(result.errors.contains("preparing a-pie"))

        let updated = try Tool.run(["replay", mine, "--no-encode", "--update"], home: home.path)
        #expect(updated.code == 0)
        #expect(try Tool.run(["replay", mine, "--no-encode"], home: home.path).code == 0)
        #expect(try String(contentsOfFile: mine + "/expected.log", encoding: .utf8) == expected)
    }

    /// The same scenario gives the same log in debug, in release, and in twenty runs.
    @Test(.onlyInCheck) func everyLogIsTheSameInReleaseTwentyTimes() throws {
        let release = try #require(Tool.release, "make thorough names its release build in ORACY_RELEASE")
        let home = try Home()
        let names = try FileManager.default.contentsOfDirectory(atPath: Tool.fixtures + "/scenarios").sorted()
        for name in names {
            for run in 1...20 {
                let arguments = ["replay", "\(Tool.fixtures)/scenarios/\(name)", "--no-encode"]
                let result = try Tool.run(arguments, tool: release, home: home.path)
                #expect(result.code == 0, "\(name), run \(run): \(result.errors)")
                if result.code != 0 { break }
            }
        }
    }
}
