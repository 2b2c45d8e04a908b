import ExamCore
import Foundation
import Learning
import SessionFolders
import Study
import SystemSupport
import TestSupport
import Testing

@testable import StudyFolders

/// The sentences that come back in drills, kept beside the recordings in which they were said.
@Suite struct MendedFilesTests {
    private let home: TemporaryFolder
    private let shelf: SessionShelf

    init() throws {
        home = try TemporaryFolder()
        shelf = SessionShelf(path: home.path)
    }

    private func session(_ name: String) throws -> SessionFolder {
        try SessionFolder.create(at: "\(home.path)/\(name)")
    }

    private static func question(_ id: String) -> PracticeQuestion {
        PracticeQuestion(
            id: id, topic: "t", difficulty: .medium, prompt: "I ___ home.",
            key: .fillInTheBlank(.init(accepted: ["went"])), explanation: "e")
    }

    @Test func eachSentenceIsKeptOnceInPrivate() throws {
        #expect(try shelf.mendedSentences() == nil)
        let (one, two) = (try session("one"), try session("two"))
        #expect(try one.keep(mended: [Self.question("a"), Self.question("b")]) == 2)
        #expect(try one.keep(mended: [Self.question("b"), Self.question("c")]) == 1)
        #expect(try two.keep(mended: [Self.question("a")]) == 1)
        let pack = try #require(try shelf.mendedSentences())
        #expect(pack.id == MendedSentences.pack && pack.questions.map(\.id).sorted() == ["a", "b", "c"])
        let file = "\(one.path)/mended.json"
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    }

    @Test func nothingNewWritesNothing() throws {
        let folder = try session("one")
        #expect(try folder.keep(mended: []) == 0)
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/mended.json"))
    }

    @Test func theyAreErasedWithTheirExam() throws {
        let folder = try session("one")
        _ = try folder.keep(mended: [Self.question("a")])
        let erasure = try shelf.erase(folder)
        #expect(erasure.left.isEmpty && erasure.removed.contains { $0.name == "mended.json" && $0.sha256 != nil })
        #expect(try shelf.mendedSentences() == nil)
    }

    @Test func aFileThatCannotBeReadIsNamed() throws {
        let folder = try session("one")
        try Data("{".utf8).write(to: URL(filePath: "\(folder.path)/mended.json"))
        let problem = #expect(throws: Problem.self) { try shelf.mendedSentences() }
        #expect(problem?.kind == .malformed && problem?.sentence.contains("mended.json") == true)
    }
}
