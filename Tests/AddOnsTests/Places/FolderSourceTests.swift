import Foundation
import SystemSupport
import TestSupport
import Testing

@testable import AddOns

@Suite struct FolderSourceTests {
    private let folder: TemporaryFolder
    private let target: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        target = try TemporaryFolder()
    }

    private func file(_ text: String) -> AddOnFile {
        let bytes = Array(text.utf8)
        return AddOnFile(
            name: "wanted", byteCount: bytes.count, sha256: SHA256.hexadecimal(of: bytes), licence: "MIT")
    }

    private func write(_ text: String, to name: String) throws {
        let place = URL(filePath: folder.path + "/" + name)
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: place)
    }

    @Test func filesAreKnownByTheirContent() async throws {
        try write("wrong", to: "wanted")
        try write("right", to: "deep/in/some name (1).whl")
        try await FolderSource(folder.path).fetch(file("right"), to: target.path + "/wanted") { _ in }
        #expect(try String(contentsOfFile: target.path + "/wanted", encoding: .utf8) == "right")
        #expect(target.names() == ["wanted"])
        // A copy: the stick may be taken away.
        #expect(FileManager.default.fileExists(atPath: folder.path + "/deep/in/some name (1).whl"))
    }

    @Test func aMissingFileIsNamed() async throws {
        try write("wrong", to: "wanted")
        let source = try FolderSource(folder.path)
        await #expect(
            throws: Problem(.missing, "\(folder.path): has no file with the content of wanted (5 bytes)")
        ) {
            try await source.fetch(file("right"), to: target.path + "/wanted") { _ in }
        }
        #expect(target.names().isEmpty)
    }

    @Test func linksAreNotFollowed() async throws {
        try write("right", to: "elsewhere/right")
        let stick = folder.path + "/stick"
        try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: stick + "/link", withDestinationPath: folder.path + "/elsewhere/right")
        let source = try FolderSource(stick)
        await #expect(throws: Problem.self) {
            try await source.fetch(file("right"), to: target.path + "/wanted") { _ in }
        }
    }

    @Test func aFolderThatIsMissingIsNamed() {
        #expect(throws: Problem(.missing, "/nowhere/at/all: no such file or directory")) {
            try FolderSource("/nowhere/at/all")
        }
    }
}
