import Foundation
import TestSupport
import Testing

/// `oracy words` before anything is installed. Nothing is fetched without a question.
@Suite struct WordsInstallTool {
    private let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func tool(_ arguments: String...) throws -> Tool.Result {
        try Tool.run(["words"] + arguments, home: home.path)
    }

    @Test func theCommandThatInstallsIsNamed() throws {
        let status = try tool()
        #expect(status.code == 0)
        #expect(status.output.contains("not installed") && status.output.contains("oracy words install"))
        #expect(try tool("remove", "--yes").output == "The recogniser is not installed.\n")
    }

    @Test func nothingIsInstalledWithoutAQuestion() throws {
        #expect(try tool("install").code == 64)
        #expect(try tool("remove").code == 64)
        #expect(try tool("install", "--yes", "--from", "/", "--public").code == 64)
    }

    @Test func aFolderWithoutTheFilesIsNamed() throws {
        let stick = home.path + "/stick"
        try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
        let install = try tool("install", "--yes", "--from", stick)
        #expect(install.code == 69)
        // On a processor without AVX2 it is refused before that.
        #expect(install.errors.contains("\(stick): has no file") || install.errors.contains("this processor lacks"))
        #expect(try tool("install", "--yes", "--from", home.path + "/nowhere").code == 66)
        #expect(try tool().output.contains("not installed"))
    }
}
