import Foundation
import SessionFolders
import SystemSupport
import TestSupport
import Testing
import UploadQueue

@testable import SessionUploads

/// The file in a session's folder with its destinations, and its id at each.
@Suite struct DeliveryMarksTests {
    private let home: TemporaryFolder
    private let folder: SessionFolder

    init() throws {
        home = try TemporaryFolder()
        folder = try SessionFolder.create(at: home.path + "/sessions/one")
    }

    private func write(_ text: String) throws {
        try PrivateFile.replace(folder.delivery, with: Array(text.utf8))
    }

    @Test func eachDestinationHasAnIDOfItsOwnThatStays() throws {
        #expect(try DeliveryMarks(of: folder).id(at: "backend-1") == nil)
        let first = try DeliveryMarks.mark(folder, "backend-1")
        let second = try DeliveryMarks.mark(folder, "backend-2")
        #expect(first != second)
        for _ in 1...2 {
            #expect(try DeliveryMarks.mark(folder, "backend-1") == first)
            #expect(try DeliveryMarks.mark(folder, "backend-2") == second)
        }
        #expect(try SessionDelivery.id(of: folder, at: "backend-2") == second)
        #expect(try SessionDelivery.id(of: folder, at: "backend-3") == nil)
        // The second id is derived from the first, so that both are found again after a lost journal.
        #expect(second == DeliveryID.make("at backend-2", of: first))
        let lines = try String(contentsOfFile: folder.delivery, encoding: .utf8).split(separator: "\n")
        #expect(lines == ["\(first.name) backend-1", "\(second.name) backend-2"].map { $0[...] })
        #expect(home.mode(of: "sessions/one/delivery") == 0o600)
    }

    @Test func aLineWithoutANameIsTakenOverByTheFirstQueueWithOne() throws {
        let id = UUID()
        try write(id.name + "\n")
        #expect(try SessionDelivery.id(of: folder) == id && SessionDelivery.id(of: folder, at: "folder-9") == id)
        #expect(try DeliveryMarks.mark(folder, "folder-9") == id)
        #expect(try DeliveryMarks.mark(folder, "folder-10") != id)
    }

    /// Answers are stored concurrently. Those of one session must not be sent as two sessions.
    @Test func answersThatAreStoredAtOnceHaveOneID() async throws {
        for number in 1...50 {
            let folder = try SessionFolder.create(at: home.path + "/sessions/at-once-\(number)")
            let ids = try await withThrowingTaskGroup(of: UUID.self) { group in
                for _ in 1...8 { group.addTask { try DeliveryMarks.mark(folder, "backend-1") } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(try ids == [#require(try SessionDelivery.id(of: folder, at: "backend-1"))])
        }
    }

    @Test(arguments: ["", "\n", "words\n", "9d9e7a3b\n", "9d9e7a3b-0b5c-4b84-9d6c-7f0c2e6e1a11 a b\n"])
    func anotherTextIsRefusedByTheFilesName(_ text: String) throws {
        try write(text)
        let problem = #expect(throws: Problem.self) { try DeliveryMarks(of: folder) }
        #expect(problem?.kind == .malformed && problem?.sentence.hasPrefix(folder.delivery) == true)
        #expect(throws: Problem.self) { try SessionDelivery.id(of: folder) }
    }

    @Test func aFolderThatTakesNoFileSaysSo() throws {
        try FileManager.default.removeItem(atPath: folder.path)
        let problem = #expect(throws: Problem.self) { try DeliveryMarks.mark(folder, "backend-1") }
        #expect(problem?.kind == .unwritable)
    }
}
