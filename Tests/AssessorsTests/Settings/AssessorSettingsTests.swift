import Foundation
import Glibc
import HTTPClient
import SystemSupport
import TestSupport
import Testing

@testable import Assessors

/// Settings files for assessors.
@Suite struct AssessorSettingsTests {
    private static func read(_ entries: String, _ rest: String = "") throws -> AssessorSettings {
        let folder = try TemporaryFolder()
        return try AssessorSettings(
            file: try folder.file(Array("{\"version\":1,\"assessors\":[\(entries)]\(rest)}".utf8)))
    }

    @Test(arguments: [
        (#"{"id":"a b","kind":"command","command":["x"]}"#, "assessors[0].id: has 1 to 40 letters"),
        (#"{"id":"a","kind":"oracle"}"#, "assessors[0].kind"),
        (#"{"id":"a","kind":"command"}"#, "assessors[0].command: should be a list"),
        (
            #"{"id":"a","kind":"command","command":["x"],"model":"m"}"#,
            "assessors[0].model: is nothing that a command has"
        ),
        (#"{"id":"a","kind":"transcriber","model":"m"}"#, "assessors[0].address: should be http"),
        (#"{"id":"a","kind":"transcriber","model":"m","address":"ftp://x"}"#, "assessors[0].address: should be http"),
        (
            #"{"id":"a","kind":"transcriber","model":"m","address":"http://u:p@x"}"#,
            "assessors[0].address: should be http"
        ),
        (#"{"id":"a","kind":"transcriber","address":"http://x"}"#, "assessors[0].model: is needed"),
        (
            #"{"id":"a","kind":"transcriber","model":"m","address":"http://x","interface":"ollama"}"#,
            "assessors[0].interface"
        ),
        (
            #"{"id":"a","kind":"transcriber","model":"m","address":"http://x.example.org","key":{"file":"k"}}"#,
            "the key would be read on its way"
        ),
        (#"{"id":"a","kind":"azure","region":"West Europe","key":{"file":"k"}}"#, "assessors[0].region: is needed"),
        (#"{"id":"a","kind":"azure","region":"westeurope"}"#, "assessors[0].key: is needed"),
        (#"{"id":"a","kind":"azure","region":"westeurope","key":{}}"#, "the key itself does not belong here"),
        (#"{"id":"a","kind":"azure","region":"westeurope","key":{"file":"a","environment":"b"}}"#, "assessors[0].key"),
        (#"{"id":"a","kind":"azure","region":"westeurope","key":"sk-1"}"#, "assessors[0].key"),
        (
            #"{"id":"a","kind":"language-model","model":"m","address":"http://x","runs":0}"#,
            "assessors[0].runs: goes from 1"
        ),
        (#"{"id":"a","kind":"language-model","model":"m","address":"http://x","widest":10}"#, "assessors[0].widest"),
        (#"{"id":"a","kind":"command","command":["x"],"seconds":0}"#, "assessors[0].seconds: goes from 1"),
        (#"{"id":"a","kind":"command","command":["x"],"pricePerCall":-1}"#, "assessors[0].pricePerCall: should be 0"),
        (#"{"id":"a","kind":"command","command":["x"],"pirce":1}"#, "assessors[0].pirce: is not a field"),
        (
            #"{"id":"a","kind":"command","command":["x"]},{"id":"a","kind":"command","command":["y"]}"#,
            "assessors[1].id"
        ),
        (
            #"{"id":"a","kind":"transcriber","model":"m","address":"http://x","language":"English!"}"#,
            "assessors[0].language"
        ),
    ]) func aMistakeIsNamedWithItsField(_ entry: String, _ words: String) throws {
        let problem = #expect(throws: Problem.self) { try Self.read(entry) }
        #expect(problem?.kind == .malformed && problem?.sentence.contains(words) == true, "\(problem?.sentence ?? "")")
    }

    @Test func aNegativeBudgetIsRefused() throws {
        let problem = #expect(throws: Problem.self) { try Self.read("", ",\"budget\":{\"minutes\":-1}") }
        #expect(problem?.sentence.contains("budget.minutes: should be 0 or more") == true)
        #expect(try Self.read("", ",\"budget\":{\"money\":2.5}").budget == AssessorBudget(money: 2.5))
    }

    @Test(
        arguments: [
            ("http://localhost:8080", nil), ("http://127.0.0.1:1", nil), ("http://[::1]:11434/v1", nil),
            ("https://api.openai.com/v1", "api.openai.com"), ("http://192.168.1.4:8080", "192.168.1.4"),
            ("http://127.example.org", "127.example.org"),
        ] as [(String, String?)]) func onlyOtherMachinesAreThirdParties(_ address: String, _ party: String?) throws
    {
        var entry = AssessorEntry(id: "a", kind: .transcriber)
        entry.address = address
        entry.model = "m"
        #expect(entry.thirdParty == party)
        #expect(try entry.assessor().recipient == party)
        entry.recipient = "The School"
        // A service on this machine may be a proxy, so the named third party gets the recording.
        #expect(entry.thirdParty == "The School")
        #expect(try entry.assessor().recipient == "The School")
    }

    /// Ollama forwards the requests of some models to its cloud.
    @Test(
        arguments: [
            ("gpt-oss:120b-cloud", "ollama.com"), ("glm-4.6:cloud", "ollama.com"), ("llama3.1:8b", nil),
            ("cloud:8b", nil), ("my-cloud", nil),
        ] as [(String, String?)]) func aCloudModelIsAThirdParty(_ model: String, _ party: String?) throws
    {
        var entry = AssessorEntry(id: "a", kind: .languageModel)
        entry.address = "http://localhost:11434"
        entry.interface = .ollama
        entry.model = model
        #expect(try entry.assessor().recipient == party)
    }

    /// Programs and their files are found from any working directory.
    @Test func pathsCountFromTheSettingsFolder() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(filePath: folder.path + "/words.py"))
        var entry = AssessorEntry(id: "a", kind: .command)
        entry.command = ["python3", "words.py", "-v", "", ".", "other.py"]
        let command = try #require(try entry.assessor(in: folder.path) as? CommandAssessor)
        #expect(command.command == ["python3", folder.path + "/words.py", "-v", "", ".", "other.py"])
        entry.command = ["bin/judge"]
        entry.key = ServiceKey(file: "key")
        let placed = entry.placed(in: folder.path)
        #expect(placed.command == [folder.path + "/bin/judge"] && placed.key?.file == folder.path + "/key")
        #expect(placed.placed(in: "/elsewhere") == placed)
    }

    @Test func keysComeFromFilesAndTheEnvironment() throws {
        let folder = try TemporaryFolder()
        try Data("sk-123\n".utf8).write(to: URL(filePath: folder.path + "/key"))
        #expect(try ServiceKey(file: "key").read(for: "a", in: folder.path) == "sk-123")
        setenv("ORACY_TEST_KEY", "sk-456", 1)
        #expect(try ServiceKey(environment: "ORACY_TEST_KEY").read(for: "a", in: ".") == "sk-456")
        for key in [ServiceKey(file: "none"), ServiceKey(environment: "ORACY_NO_SUCH_KEY")] {
            let problem = #expect(throws: Problem.self) { try key.read(for: "a", in: folder.path) }
            #expect(problem?.kind == .missing)
        }
        try Data("two words".utf8).write(to: URL(filePath: folder.path + "/key"))
        let problem = #expect(throws: Problem.self) { try ServiceKey(file: "key").read(for: "a", in: folder.path) }
        #expect(problem?.kind == .malformed && problem?.sentence.contains("two words") == false)
    }

    @Test func writtenSettingsAreReadAgain() throws {
        let folder = try TemporaryFolder()
        var entry = AssessorEntry(id: "llama", kind: .languageModel)
        entry.address = "http://localhost:11434"
        entry.model = "llama3.1:8b"
        entry.interface = .ollama
        let settings = AssessorSettings(assessors: [entry], budget: AssessorBudget(minutes: 10))
        try settings.write(to: folder.path + "/assessors.json")
        #expect(try AssessorSettings(file: folder.path + "/assessors.json") == settings)
        #expect(folder.mode(of: "assessors.json") == 0o600)
    }
}
