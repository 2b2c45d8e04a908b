import Foundation
import Testing

/// A mistake of the user gives one plain sentence and its own exit code, and leaves nothing behind.
@Suite struct BadInput {
    /// A scenario of Part 3 with one mistake.
    struct Mistake: CustomTestStringConvertible, Sendable {
        var name: String
        var code: Int32
        /// The text that the sentence must contain, after the scenario's folder if it begins with `/`.
        var sentence: String
        /// Files of the scenario's folder besides `scenario.json`.
        var files: [String: String] = [:]
        var scenario = BadInput.scenario("\"say\": \"sound.wav\"")

        var testDescription: String { name }
    }

    static func scenario(_ step: String, format: String = "ielts-style", paper: String = "bridges", more: String = "")
        -> String
    {
        """
        { "version": 1, "about": "A mistake.", "format": "\(format)", "paper": "\(paper)", \(more)
          "turns": {}, "otherwise": { "answer": [{ \(step) }] } }
        """
    }

    static let mistakes = [
        Mistake(name: "missing recording", code: 66, sentence: "/sound.wav: no such file or directory"),
        Mistake(
            name: "empty recording", code: 65, sentence: "/sound.wav: is empty (0 bytes)", files: ["sound.wav": ""]),
        Mistake(
            name: "text as recording", code: 65, sentence: "/sound.wav: is not a sound file that can be read",
            files: ["sound.wav": "This is a letter, not a sound."]),
        Mistake(
            name: "missing format", code: 66, sentence: "/rules.json: no such file or directory",
            scenario: scenario("\"wait\": 1", format: "rules.json")),
        Mistake(
            name: "unknown format", code: 66,
            sentence:
                "does not exist; use ielts-style, ieltspeak, toefl-2026, pte-style, celpip-style, aptis-style, interview, hskk-style, questions or a .json file",
            scenario: scenario("\"wait\": 1", format: "cambridge")),
        Mistake(
            name: "malformed paper", code: 65, sentence: "/paper.json: is not JSON",
            files: ["paper.json": "{ \"version\": 1,"],
            scenario: scenario("\"wait\": 1", paper: "paper.json")),
        Mistake(
            name: "paper of the future", code: 65,
            sentence: "/paper.json: version: this paper has version 9; this program reads version 1",
            files: ["paper.json": "{ \"version\": 9 }"], scenario: scenario("\"wait\": 1", paper: "paper.json")),
        Mistake(
            name: "paper without a part's questions", code: 65,
            sentence: "sections.discussion: is missing; part 3 needs it",
            files: ["paper.json": "{ \"version\": 1, \"id\": \"x\", \"title\": \"x\", \"sections\": {} }"],
            scenario: scenario("\"wait\": 1", paper: "paper.json")),
        Mistake(
            name: "scenario of the future", code: 65, sentence: "/scenario.json: version: this scenario has version 2",
            scenario: scenario("\"wait\": 1").replacingOccurrences(of: "\"version\": 1", with: "\"version\": 2")),
        Mistake(
            name: "misspelt field", code: 65, sentence: "/scenario.json: pprompts: is not a field of a scenario",
            scenario: scenario("\"wait\": 1", more: "\"pprompts\": \"x\",")),
        Mistake(
            name: "missing prompts", code: 66, sentence: "/scenario.json: prompts: ",
            scenario: scenario("\"wait\": 1", more: "\"prompts\": \"nowhere\",")),
        Mistake(name: "no scenario", code: 66, sentence: "/scenario.json: no such file or directory", scenario: ""),
    ]

    @Test(arguments: mistakes)
    func eachMistakeGetsOneSentence(_ mistake: Mistake) throws {
        let home = try Home()
        for (file, text) in mistake.files { try home.write(text, to: "scenario/\(file)") }
        if !mistake.scenario.isEmpty { try home.write(mistake.scenario, to: "scenario/scenario.json") }
        let folder = home.path + "/scenario"
        let result = try Tool.run(["replay", folder, "--output", home.path + "/session"], home: home.path)
        #expect(result.code == mistake.code, "\(result.errors)")
        let sentence = mistake.sentence.hasPrefix("/") ? folder + mistake.sentence : mistake.sentence
        #expect(result.errors.contains(sentence), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count <= 6, "no heap of words: \(result.errors)")
        #expect(result.errors.hasPrefix("oracy: "))
        #expect(result.output.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: home.path + "/session"), "nothing is left behind")
    }

    /// The candidate says all that is there. A warning names the file and the missing part.
    @Test func aTruncatedRecordingIsPlayedAsFarAsItGoes() throws {
        let home = try Home()
        let whole = try Data(contentsOf: URL(filePath: Tool.fixtures + "/answers/because.flac"))
        try home.write(Self.scenario("\"say\": \"sound.flac\"", more: "\"part\": 3,"), to: "scenario/scenario.json")
        try whole.prefix(whole.count / 2).write(to: URL(filePath: home.path + "/scenario/sound.flac"))
        let result = try Tool.run(
            ["replay", home.path + "/scenario", "--output", home.path + "/session"], home: home.path)
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.errors.contains("oracy: warning: \(home.path)/scenario/sound.flac: ends "), "\(result.errors)")
        #expect(result.errors.contains(" s before its header says"), "\(result.errors)")
        #expect(FileManager.default.fileExists(atPath: home.path + "/session/manifest.json"))
    }

    /// A fault in the middle of a file shows up only in the middle of an exam.
    @Test func aRecordingThatCannotBeReadToItsEndLeavesNoSession() throws {
        let home = try Home()
        try home.write(Self.scenario("\"say\": \"sound.flac\"", more: "\"part\": 3,"), to: "scenario/scenario.json")
        // A 32-bit float WAV, 16 kHz mono: two seconds, then a value that isn't a number.
        let samples = [Float](repeating: 0.1, count: 32_000) + [.nan]
        func bytes(_ numbers: UInt32...) -> Data {
            Data(numbers.flatMap { number in [0, 8, 16, 24].map { UInt8(number >> $0 & 0xff) } })
        }
        let size = UInt32(4 * samples.count)
        let form = bytes(16, 1 << 16 | 3, 16_000, 64_000, 32 << 16 | 4)
        let header =
            Data("RIFF".utf8) + bytes(36 + size) + Data("WAVEfmt ".utf8) + form + Data("data".utf8) + bytes(size)
        try (header + samples.reduce(into: Data()) { $0 += bytes($1.bitPattern) })
            .write(to: URL(filePath: home.path + "/scenario/sound.flac"))
        let result = try Tool.run(
            ["replay", home.path + "/scenario", "--output", home.path + "/session"], home: home.path)
        #expect(result.code == 65)
        #expect(result.errors.contains("/scenario/sound.flac: "), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: home.path + "/session"))
    }

    @Test func aFolderInUseIsLeftAlone() throws {
        let home = try Home()
        let letter = try home.write("Dear aunt", to: "letters/one.txt")
        let scenario = Tool.fixtures + "/scenarios/withdraws-in-part-2"
        let result = try Tool.run(["replay", scenario, "--output", home.path + "/letters"], home: home.path)
        #expect(result.code == 73)
        #expect(result.errors.contains("/letters: already holds files; name a folder that is empty or new"))
        #expect(try String(contentsOfFile: letter, encoding: .utf8) == "Dear aunt")
    }

    @Test func aFolderThatCannotBeMadeIsNamed() throws {
        let home = try Home()
        let scenario = Tool.fixtures + "/scenarios/withdraws-in-part-2"
        let result = try Tool.run(["replay", scenario, "--output", "/proc/oracy/session"], home: home.path)
        #expect(result.code == 73)
        #expect(result.errors.contains("/proc/oracy: "), "\(result.errors)")
    }

    @Test func aVoiceThatIsNotInstalledIsNamed() throws {
        let home = try Home()
        // A paper with words that have no recording.
        let paper = try String(
            contentsOfFile: Tool.fixtures + "/../Sources/ExamKit/Papers/bridges.json", encoding: .utf8)
        try home.write(
            paper.replacingOccurrences(of: "First, what we build.", with: "First, what we bake."),
            to: "scenario/paper.json")
        try home.write(
            Self.scenario("\"wait\": 1", paper: "paper.json", more: "\"part\": 3,"), to: "scenario/scenario.json")
        let arguments = ["replay", home.path + "/scenario", "--voice", "/no/such/voice --loud"]
        let result = try Tool.run(arguments, home: home.path)
        #expect(result.code == 69)
        #expect(result.errors.contains("/no/such/voice: the examiner's voice cannot be started"), "\(result.errors)")
    }

    @Test func anUnknownCommandIsAUsageError() throws {
        let home = try Home()
        #expect(try Tool.run(["dance"], home: home.path).code == 64)
        #expect(try Tool.run(["replay"], home: home.path).code == 64)
    }

    @Test func validateReportsMistakesBeforeAnExam() throws {
        let home = try Home()
        let good = try Tool.run(["validate", "ielts-style", "bridges"], home: home.path)
        #expect(good.code == 0)
        #expect(good.output.contains("3 parts, up to"))
        let bad = try Tool.run(["validate", "ielts-style", "echoes"], home: home.path)
        #expect(bad.code == 65)
        #expect(bad.errors.contains("sections.card: is missing; part 2 needs it"))
    }

    /// Problems that would disturb an exam are found before it, all at once.
    @Test func validateHearsTheRecordingsThatAPaperNames() throws {
        let home = try Home()
        let source = Tool.fixtures + "/../Sources/ExamKit/Papers/bridges.json"
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: source)))
        var paper = try #require(json as? [String: Any])
        var sections = try #require(paper["sections"] as? [String: [[String: Any]]])
        var questions = try #require(sections["discussion"]?[0]["questions"] as? [[String: Any]])
        let whole = try Data(contentsOf: URL(filePath: Tool.fixtures + "/answers/home-1.flac"))
        try home.write("", to: "here")
        try whole.write(to: URL(filePath: home.path + "/whole.flac"))
        try whole.prefix(whole.count / 2).write(to: URL(filePath: home.path + "/cut.flac"))
        for (index, file) in ["whole.flac", "cut.flac", "gone.flac"].enumerated() { questions[index]["audio"] = file }
        sections["discussion"]?[0]["questions"] = questions
        paper["sections"] = sections
        try JSONSerialization.data(withJSONObject: paper).write(to: URL(filePath: home.path + "/paper.json"))
        let result = try Tool.run(["validate", "ielts-style", home.path + "/paper.json"], home: home.path)
        #expect(result.code == 65 || result.code == 66)
        let names = try questions.prefix(3).map { try #require($0["id"] as? String) }
        #expect(!result.errors.contains("whole.flac"), "\(result.errors)")
        #expect(result.errors.contains("/cut.flac: the recording of \"\(names[1])\" ends "))
        #expect(result.errors.contains("/gone.flac: the recording of \"\(names[2])\" is missing"))
    }
}
