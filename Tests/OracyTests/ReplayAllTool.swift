import Foundation
import SystemSupport
import Testing
import Waiting
import XMLFiles

/// `oracy replay --all`: many scenarios in one command.
@Suite struct ReplayAllTool {
    private static let source = Tool.fixtures + "/scenarios/withdraws-in-part-2"

    /// Returns a folder with a good scenario, one with another log, an invalid one, one with a name that XML must
    /// escape and without a log, and one that lost its scenario. It also contains a folder of recordings, which isn't a
    /// scenario.
    private static func scenarios(in home: Home) throws -> String {
        let text = try String(contentsOfFile: source + "/scenario.json", encoding: .utf8)
            .replacingOccurrences(of: "../../", with: Tool.fixtures + "/")
        let log = try String(contentsOfFile: source + "/expected.log", encoding: .utf8)
        for name in ["a-good", "b-other-log", "d <new> & \"odd\""] {
            try home.write(text, to: "all/\(name)/scenario.json")
        }
        try home.write(log, to: "all/a-good/expected.log")
        try home.write(
            log.replacingOccurrences(of: "preparing bridge-card", with: "preparing a-pie"),
            to: "all/b-other-log/expected.log")
        try home.write("{ \"version\": 1,\n", to: "all/c-broken/scenario.json")
        try home.write(log, to: "all/e-lost/expected.log")
        try home.write("no scenario", to: "all/recordings/read-me.txt")
        return home.path + "/all"
    }

    /// Runs a replay with a folder for temporary files that no other test uses.
    private static func replay(_ arguments: [String], in home: Home, started: (pid_t) -> Void = { _ in }) throws
        -> Tool.Result
    {
        try FileManager.default.createDirectory(atPath: home.path + "/tmp", withIntermediateDirectories: true)
        return try Tool.run(
            ["replay", "--all"] + arguments, home: home.path, environment: ["TMPDIR": home.path + "/tmp"],
            started: started)
    }

    /// Returns the output without the elapsed times.
    private static func timeless(_ output: String) -> String { output.replacing(/\s+\d+\.\d\d s/, with: " TIME") }

    @Test func scenariosAreListedInTheOrderOfTheirNames() throws {
        let home = try Home()
        let folder = try Self.scenarios(in: home)
        let one = try Self.replay([folder, "--jobs", "1"], in: home)
        #expect(one.code == 1)
        #expect(one.errors.isEmpty, "\(one.errors)")
        let lines = Self.timeless(one.output).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        try #require(lines.count == 8, "\(one.output)")
        #expect(lines[0] == "a-good           passed TIME")
        #expect(lines[1].hasPrefix("b-other-log      failed TIME  expected.log:5: expected {"), "\(lines[1])")
        #expect(lines[1].contains("preparing a-pie") && lines[1].contains(", got {"))
        #expect(lines[2].hasPrefix("c-broken         error TIME  \(folder)/c-broken/scenario.json:"), "\(lines[2])")
        #expect(lines[3] == "d <new> & \"odd\"  new TIME  has no expected.log; create it with --update")
        #expect(lines[4].hasPrefix("e-lost           error TIME  \(folder)/e-lost/scenario.json: "), "\(lines[4])")
        #expect(lines[5].isEmpty)
        #expect(
            lines[6]
                == "5 scenarios in TIME: 1 passed, 1 failed, 2 could not be replayed, 1 without an expected log")
        for jobs in ["2", "5", "64"] {
            let more = try Self.replay([folder, "--jobs", jobs], in: home)
            #expect(Self.timeless(more.output) == Self.timeless(one.output))
            #expect(more.code == 1)
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: home.path + "/tmp")
        #expect(left.isEmpty, "\(left)")
        #expect(!FileManager.default.fileExists(atPath: home.path + "/.cache/oracy/replays"))
    }

    @Test func aReportForCISaysTheSame() throws {
        let home = try Home()
        let report = home.path + "/report.xml"
        #expect(try Self.replay([Self.scenarios(in: home), "--junit", report], in: home).code == 1)
        let root = try XMLReader.read([UInt8](Data(contentsOf: URL(filePath: report))), name: report)
        let suite = try #require(root.children.first)
        for node in [root, suite] {
            #expect(node.attributes["tests"] == "5")
            #expect(node.attributes["failures"] == "1")
            #expect(node.attributes["errors"] == "2")
            #expect(node.attributes["skipped"] == "1")
            #expect(try #require(node.attributes["time"].flatMap { Double($0) }) > 0)
        }
        #expect(root.name == "testsuites" && suite.name == "testsuite" && suite.attributes["name"] == "all")
        let cases = suite.children("testcase")
        #expect(
            cases.map { $0.attributes["name"] } == [
                "a-good", "b-other-log", "c-broken", "d <new> & \"odd\"", "e-lost",
            ])
        #expect(cases.map { $0.children.map(\.name) } == [[], ["failure"], ["error"], ["skipped"], ["error"]])
        let failure = try #require(cases[1].children.first)
        #expect(failure.attributes["message"]?.hasPrefix("expected.log:5: expected {\"at\":") == true)
        #expect(failure.text == failure.attributes["message"])
    }

    @Test func successExitsWithZeroAndKeepsTheSession() throws {
        let home = try Home()
        let folder = try Self.scenarios(in: home)
        for name in ["b-other-log", "c-broken", "e-lost"] {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        let output = home.path + "/sessions"
        let result = try Self.replay([folder, "--update", "--output", output], in: home)
        #expect(result.code == 0, "\(result.output)")
        #expect(result.output.contains("2 scenarios in ") && result.output.contains(" s: 2 updated"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: output).count == 2)
        #expect(FileManager.default.fileExists(atPath: "\(output)/a-good/takes/part2_q1.opus"))
        let log = try String(contentsOfFile: Self.source + "/expected.log", encoding: .utf8)
        for name in ["a-good", "d <new> & \"odd\""] {
            #expect(try String(contentsOfFile: "\(folder)/\(name)/expected.log", encoding: .utf8) == log)
        }
        let again = try Self.replay([folder, "--output", output], in: home)
        #expect(again.code == 73)
        #expect(again.errors == "oracy: \(output): already holds files; name a folder that is empty or new\n")
    }

    @Test func theExitCodeSaysWhyNothingWasReplayed() throws {
        let home = try Home()
        try home.write("{", to: "bad/one/scenario.json")
        #expect(try Self.replay([home.path + "/bad"], in: home).code == 65)
        try home.write("", to: "lost/one/expected.log")
        #expect(try Self.replay([home.path + "/lost"], in: home).code == 66)
        try home.write("nothing", to: "empty/read-me.txt")
        for (folder, sentence) in [
            (home.path + "/nowhere", "there is no such folder"),
            (home.path + "/empty", "holds no scenarios; name a folder that holds their folders"),
            (Self.source, "holds no scenarios; it is a scenario itself; leave out --all"),
        ] {
            let result = try Self.replay([folder], in: home)
            #expect(result.code == 66)
            #expect(result.errors == "oracy: \(folder): \(sentence)\n")
        }
        for options in [["--jobs", "0"], ["--json"], ["--results"]] {
            #expect(try Self.replay([Self.source] + options, in: home).code == 64)
        }
        for options in [["--jobs", "2"], ["--junit", "x.xml"]] {
            #expect(try Tool.run(["replay", Self.source] + options, home: home.path).code == 64)
        }
    }

    /// All scenarios have the same new words, which are spoken into one folder.
    @Test func replaysAtOnceShareNothingThatChanges() throws {
        let home = try Home()
        let text = try String(contentsOfFile: Self.source + "/scenario.json", encoding: .utf8)
            .replacingOccurrences(of: "../../", with: Tool.fixtures + "/")
        for number in 1...8 { try home.write(text, to: "all/\(number)/scenario.json") }
        let voice = ["--voice", "cat \(Tool.fixtures)/answers/short.flac"]
        let result = try Self.replay([home.path + "/all", "--jobs", "8", "--update"] + voice, in: home)
        #expect(result.code == 0, "\(result.output)")
        try FileManager.default.copyItem(
            atPath: home.path + "/all/1/scenario.json", toPath: home.path + "/scenario.json")
        let alone = try Tool.run(["replay", home.path, "--update", "--no-encode"] + voice, home: home.path)
        #expect(alone.code == 0, "\(alone.errors)")
        let log = try String(contentsOfFile: home.path + "/expected.log", encoding: .utf8)
        for number in 1...8 {
            #expect(try String(contentsOfFile: "\(home.path)/all/\(number)/expected.log", encoding: .utf8) == log)
        }
        let spoken = try FileManager.default.contentsOfDirectory(atPath: home.path + "/.cache/oracy/prompts")
        #expect(spoken.allSatisfy { $0.hasSuffix(".opus") }, "\(spoken)")
    }

    @Test(arguments: [SIGINT, SIGTERM]) func interruptedItEndsAtOnceAndLeavesNothingHalfWritten(_ signal: Int32) throws
    {
        let home = try Home()
        let output = home.path + "/sessions"
        let arguments = ["\(Tool.fixtures)/scenarios", "--output", output, "--junit", home.path + "/report.xml"]
        let result = try Self.replay(arguments, in: home) { process in
            // The first scenario is running, and many are still to come.
            let begun = Patience.poll {
                (try? FileManager.default.contentsOfDirectory(atPath: output))?.isEmpty ?? true ? nil : true
            }
            #expect(begun == true)
            kill(process, signal)
        }
        #expect(result.code == signal)
        #expect(!result.output.contains("scenarios in"))
        #expect(!FileManager.default.fileExists(atPath: home.path + "/report.xml"))
        let names = try FileManager.default.contentsOfDirectory(atPath: output)
        #expect(names.count < 30)
        for name in names {
            #expect(
                FileManager.default.fileExists(atPath: "\(output)/\(name)/manifest.json"), "\(name) is half a session")
        }
    }
}
