import Foundation
import TestSupport
import Testing

@testable import SystemSupport

@Suite struct UserFileTests {
    private struct Consent: Codable, Equatable {
        var words, givenAt: String
    }

    /// Two exams that began at the same moment must not use the same temporary file.
    @Test func manyMayWriteAtOnce() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/deep/consent.json"
        let consent = Consent(words: "yes", givenAt: "2026-11-21T09:12:29Z")
        try await withThrowingTaskGroup { group in
            for _ in 0..<50 { group.addTask { try UserFile.write(consent, to: path) } }
            try await group.waitForAll()
        }
        #expect(try UserFile.read(Consent.self, from: path) == consent)
        #expect(folder.names(in: "/deep") == ["consent.json"])
        #expect(folder.mode(of: "deep/consent.json") == 0o600)
    }

    @Test func aForeignFileIsRefusedByName() throws {
        let folder = try TemporaryFolder()
        try "{}".write(toFile: folder.path + "/consent.json", atomically: true, encoding: .utf8)
        let error = #expect(throws: Problem.self) {
            try UserFile.read(Consent.self, from: folder.path + "/consent.json")
        }
        #expect(error?.kind == .malformed && error?.sentence.contains("consent.json") == true)
    }
}
