import ExamKit
import Foundation
import TestSupport
import Testing

/// The example of README, compiled and run.
@Suite struct ReadmeExample {
    private func example(answers: String, folder: String) async throws -> SessionResult {
        let sitting = try await PreparedExam(.builtIn("ielts-style"), .builtIn("bridges"))
        let candidate = Candidate(
            turns: ["bridge-card": .says("\(answers)/talk.flac")],
            otherwise: .says("\(answers)/home-4.flac")
        )
        let room = try ReplayRoom(sitting, candidate: candidate)
        let session = try Session(sitting, in: room, folder: .create(at: folder))
        let result = try await session.run()
        for take in result.takes { print(take.question, take.speech.duration, take.file) }
        return result
    }

    @Test func itHoldsAnExam() async throws {
        let folder = try TemporaryFolder()
        let result = try await example(answers: Fixtures.folder + "/answers", folder: folder.path + "/my-exam")
        #expect(result.outcome == .completed)
        let talk = try #require(result.takes.first { $0.question == "bridge-card" })
        #expect(talk.speech.duration > .seconds(60))
    }

    /// Line for line what stands above.
    @Test func readmeShowsTheSame() throws {
        let readme = try String(contentsOfFile: Fixtures.folder + "/../README.md", encoding: .utf8)
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let start = try #require(source.range(of: "        let sitting = "))
        let end = try #require(source.range(of: "        return result\n"))
        let lines = source[start.lowerBound..<end.lowerBound].split(separator: "\n").map { $0.dropFirst(8) }
        #expect(readme.contains(lines.joined(separator: "\n")))
    }
}
