import Foundation
import TestSupport
import Testing

/// The Swift in README, docs/ and comments compiles in another package.
@Suite struct Snippets {
    private let folder = NSTemporaryDirectory() + "oracy-snippets-\(UUID().uuidString)"
    private let compiler: Compiler

    init() throws {
        compiler = try Compiler()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// Compiles one after another, because each `main.swift` is a program, and there are about ten.
    @Test func everyProgramInADocumentCompilesAsAMainFile() async throws {
        let programs = try Snippet.inDocuments().filter(\.isProgram)
        #expect(programs.count >= 8, "the documents have fewer programs than before")
        for snippet in programs {
            let said = try await compiler.check([main(snippet)])
            #expect(!said.contains("error:"), "\(snippet.file):\(snippet.line)\n\(said)")
        }
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func everyOtherSnippetCompiles() async throws {
        let snippets = try (Snippet.inDocuments() + Snippet.inComments()).filter { !$0.isProgram }
        #expect(snippets.count >= 15, "there are fewer snippets than before")
        let files = try snippets.enumerated().map { number, snippet in
            try write(Snippet.head + snippet.function(number), "snippet\(number).swift")
        }
        let said = try await compiler.check(["-parse-as-library", "-module-name", "Snippets"] + files)
        #expect(!said.contains("error:"), "\(said)")
        try FileManager.default.removeItem(atPath: folder)
    }

    /// Tests this test: the compiler rejects code that another package could not use.
    @Test(arguments: [
        ("import ExamKit\nlet _: Int = OracyVersion()", "error:"),
        ("struct Once: ~Copyable { consuming func run() {} }\nlet once = Once()\nonce.run()", "noncopyable"),
        ("import SessionFolders\nprint(SessionShelf().folders())", "package"),
    ])
    func aProgramThatDoesNotCompileIsNoticed(code: String, complaint: String) async throws {
        let said = try await compiler.check([main(Snippet(file: "here", line: 1, code: code))])
        #expect(said.contains("error:") && said.contains(complaint), "\(said)")
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func readmesFirstExampleHoldsAnExam() async throws {
        let said = try await output(of: #require(try Snippet.all(in: "README.md").first))
        #expect(said.contains("bridge-card "), "\(said)")
        // The number of answers depends on the time.
        #expect(said.split(separator: "\n").count > 25, "\(said)")
        #expect(FileManager.default.fileExists(atPath: folder + "/my-exam/manifest.json"))
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test(.endsIfItHangs) func answersOfTheExampleOfUploadsArrive() async throws {
        let said = try await output(of: #require(try Snippet.all(in: "docs/uploads.md").first))
        // The session, eleven answers, and the completion.
        #expect(said.hasSuffix("13 arrived, 0 parked\n"), "\(said)")
        let arrived = try FileManager.default.subpathsOfDirectory(atPath: folder + "/answers")
        #expect(arrived.count { $0.hasSuffix(".opus") } == 11)
        #expect(arrived.contains { $0.hasSuffix("complete.json") })
        try FileManager.default.removeItem(atPath: folder)
    }

    /// Returns the output of a program that runs in an empty folder beside the fixtures.
    private func output(of snippet: Snippet) async throws -> String {
        try await compiler.link(main(snippet), as: folder + "/example")
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/AudioFixtures", withDestinationPath: House.root + "/AudioFixtures")
        let (status, said) = try await compiler.run(folder + "/example", [], in: folder)
        #expect(status == 0, "\(said)")
        return said
    }

    private func main(_ snippet: Snippet) throws -> String {
        try write(
            "#sourceLocation(file: \"\(snippet.file)\", line: \(snippet.line))\n\(snippet.code)", "main.swift")
    }

    private func write(_ text: String, _ name: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        return "\(folder)/\(name)"
    }
}
