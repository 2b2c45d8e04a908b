import Assessment
import ExamCore
import ExamKit
import Foundation
import SessionFolders
import SystemSupport
import Testing

@testable import StudyFolders

/// Measures of a session's folder.
@Suite struct SessionAssessmentTests {
    /// Returns a replayed exam of the fixtures.
    private static func replayed() async throws -> SessionFolder {
        let fixtures = URL(filePath: #filePath).appending(path: "../../../AudioFixtures").standardizedFileURL.path
        let path = FileManager.default.temporaryDirectory.appending(path: "oracy-assessed-\(UUID())").path
        let replay = try await Replay(Scenario(folder: fixtures + "/scenarios/pocket-exam"))
        return try await replay.run(into: path).session.folder
    }

    @Test func anExamIsMeasuredOnce() async throws {
        let folder = try await Self.replayed()
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        #expect(try folder.readAssessment() == nil)
        let assessment = try ExamAssessment.assess(folder)
        let manifest = try #require(try folder.readManifest())
        #expect(assessment.answers.map(\.recording) == manifest.takes.map(\.sha256))
        for answer in assessment.answers {
            #expect(
                abs(answer.sound.timeline.duration - (answer.record.duration?.duration ?? .zero) / .seconds(1)) < 0.1)
            #expect(answer.sound.timeline.peaks.contains { $0 > 0.05 })
        }
        #expect(assessment.answers.contains { $0.sound.timeline.syllables.count > 5 })
        #expect(try folder.readAssessment() == assessment)
        #expect(try FileManager.default.attributesOfItem(atPath: folder.assessment)[.posixPermissions] as? Int == 0o600)
        // Known measures don't need the recordings, which may be gone.
        try FileManager.default.removeItem(atPath: folder.takes)
        #expect(try ExamAssessment.assess(folder) == assessment)
        // A half-written file is made again, if that is possible.
        try Data("{".utf8).write(to: URL(filePath: folder.assessment))
        #expect(throws: Problem.self) { try ExamAssessment.assess(folder) }
    }

    @Test func anExamThatIsNotOverHasNoResults() async throws {
        let folder = try await Self.replayed()
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        try FileManager.default.removeItem(atPath: folder.manifest)
        let problem = #expect(throws: Problem.self) { try ExamAssessment.assess(folder) }
        #expect(problem?.kind == .missing)
        #expect(problem?.sentence.contains("the exam is not over") == true)
    }
}
