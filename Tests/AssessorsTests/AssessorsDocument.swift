import Assessment
import Foundation
import TestSupport
import Testing

@testable import Assessors

/// The examples in docs/assessors.md are right.
@Suite struct AssessorsDocument {
    private static let text = try! String(
        contentsOfFile: URL(filePath: #filePath).appending(path: "../../../docs/assessors.md").standardizedFileURL.path,
        encoding: .utf8)

    /// Returns the first code block of a language.
    private static func block(_ language: String) throws -> String {
        let start = try #require(text.range(of: "```\(language)\n"))
        let end = try #require(text[start.upperBound...].range(of: "\n```"))
        return String(text[start.upperBound..<end.lowerBound])
    }

    @Test func theSettingsAreRead() throws {
        let folder = try TemporaryFolder()
        let settings = try AssessorSettings(file: try folder.file(Array(Self.block("json").utf8)))
        #expect(settings.assessors.map(\.kind) == [.transcriber, .words, .azure, .languageModel, .command])
        #expect(Set(settings.assessors.map(\.kind)) == Set(AssessorEntry.Kind.allCases), "every kind is shown")
        #expect(
            settings.assessors.map(\.thirdParty) == [
                "api.openai.com", nil, "westeurope.stt.speech.microsoft.com", nil, nil,
            ])
    }

    @Test func theProgramDoesWhatItSays() async throws {
        let program = try Self.block("python")
        #expect(program.split(separator: "\n").count <= 20)
        func run(_ words: String?) async throws -> AssessorFinding {
            let sample = try SampleAnswer(words: words)
            let path = try sample.folder.file(Array(program.utf8))
            let command = CommandAssessor(
                id: "words", command: ["python3", path], version: "1", needsWords: true, time: .seconds(600))
            return try await command.assess(sample.answer, try await sample.calls(command))
        }
        let finding = try await run("I really like it, really, it is really, really good")
        #expect(finding.strengths == ["You used 6 different words."])
        #expect(finding.improvements == ["Find other words for: really."] && finding.evidence.isEmpty)
        #expect(try await run(nil).failure == "There are no words to count.")
    }
}
