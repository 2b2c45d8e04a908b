import Foundation
import SystemSupport
import TestSupport
import Testing

@testable import AddOns

/// Tests of `PipSource`, which calls pip through Python. Here shell scripts stand in for Python.
@Suite struct PipSourceTests {
    private let folder: TemporaryFolder
    private let file: AddOnFile

    init() throws {
        folder = try TemporaryFolder()
        file = AddOnFile(
            name: "a-1.0-py3-none-any.whl", byteCount: 6, sha256: SHA256.hexadecimal(of: Array("right\n".utf8)),
            licence: "MIT", wheel: .init(project: "a", version: "1.0", python: "3", abi: "none", platform: "any"))
    }

    private var path: String { folder.path + "/downloads/a" }

    /// Makes a program that is called as Python would be.
    private func python(_ script: String) throws -> String {
        let path = try folder.file(Array("#!/bin/sh\n\(script)\n".utf8))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }

    private func problem(_ script: String) async throws -> Problem? {
        let source = PipSource(python: try python(script))
        do throws(Problem) {
            try await source.fetch(file, to: path) { _ in }
            return nil
        } catch {
            return error
        }
    }

    /// The last argument is the folder for the package.
    private static let last = #"for folder; do :; done"#

    @Test func aPackageIsTakenByItsHash() async throws {
        let problem = try await problem(
            """
            \(Self.last)
            grep -q "^a==1.0 --hash=sha256:\(file.sha256)$" "$folder/requirements.txt" || exit 3
            echo right > "$folder/\(file.name)"
            echo "$@" > "\(folder.path)/asked"
            """)
        #expect(problem == nil)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "right\n")
        #expect(folder.names(in: "/downloads") == ["a"])
        let asked = try String(contentsOfFile: folder.path + "/asked", encoding: .utf8)
        for option in ["-m pip download", "--no-deps", "--require-hashes", "--only-binary :all:"] {
            #expect(asked.contains(option))
        }
    }

    @Test func anotherPackageIsNotTaken() async throws {
        let problem = try await problem("\(Self.last)\necho wrong > \"$folder/\(file.name)\"")
        #expect(problem?.kind == .malformed)
        #expect(folder.names(in: "/downloads").isEmpty)
    }

    @Test(arguments: [
        ("/usr/bin/python3: No module named pip", "has no pip; install it (apt install python3-pip)"),
        (
            "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.",
            "a package with the wrong content"
        ),
        ("WARNING: Retrying … NewConnectionError: …", "PyPI cannot be reached"),
        ("x\nERROR: No matching distribution found for a==1.0\n", "pip: ERROR: No matching distribution found"),
    ])
    func pipsFailuresAreSaidInASentence(_ errors: String, _ sentence: String) async throws {
        let problem = try await problem("echo '\(errors)' >&2; exit 1")
        #expect(problem?.sentence.contains(sentence) == true, "\(problem?.sentence ?? "")")
        #expect(folder.names(in: "/downloads").isEmpty)
    }

    @Test func aMissingPythonIsNamed() async throws {
        let source = PipSource(python: folder.path + "/python")
        await #expect(throws: Problem.self) { try await source.fetch(file, to: path) { _ in } }
    }
}
