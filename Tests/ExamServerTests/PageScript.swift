import Foundation
import TestSupport
import Testing

/// A Python script that uses the page in a browser, and the files that stay if it fails.
enum PageScript {
    /// Runs a script of `Page` to its end. If the script fails, the test ends, and `.build/tests/failed/TEST` has a
    /// picture of each page, its HTML, the browser's console, the script's output, and the server's log.
    ///
    /// - Parameters:
    ///   - server: The server whose log to save. Nil if no server runs.
    ///   - part: The name of this run, if a test has several.
    /// - Returns: The script's output.
    @discardableResult static func run(
        _ script: String, _ arguments: [String], on server: RunningServer?, part: String? = nil,
        environment: [String: String] = [:]
    ) async throws -> String {
        let folder = evidence(part)
        try? FileManager.default.removeItem(atPath: folder)
        let (status, said) = await Trials.run(
            Trials.folder + "/bin/python", [Programs.file("Page/" + script)] + arguments,
            environment: environment.merging(["ORACY_EVIDENCE": folder]) { own, _ in own })
        guard status != 0 else { return said }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(said.utf8).write(to: URL(filePath: folder + "/said.txt"))
        if let server { try Data(server.log.text.utf8).write(to: URL(filePath: folder + "/server.log")) }
        // On one line: a list of failures shows the first line of each. The page's own errors come first, because a
        // script that ended with one often waits in vain afterwards.
        let console = (try? String(contentsOfFile: folder + "/console.txt", encoding: .utf8)) ?? ""
        let errors = console.split(separator: "\n").filter { $0.hasPrefix("script:") }.prefix(3).joined(separator: " ")
        let failure = (errors + " " + said.suffix(4000)).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        try #require(status == 0, "\(failure); more of it: \(folder)")
        return said
    }

    /// Runs a script that prints one JSON object.
    @discardableResult static func seen(
        _ script: String, _ arguments: [String], on server: RunningServer?, part: String? = nil,
        environment: [String: String] = [:]
    ) async throws -> [String: Any] {
        let said = try await run(script, arguments, on: server, part: part, environment: environment)
        return try #require(try JSONSerialization.jsonObject(with: Data(said.utf8)) as? [String: Any], "\(said)")
    }

    /// Returns the folder for this test's evidence: `.build/tests/failed/SUITE.TEST`.
    private static func evidence(_ part: String?) -> String {
        // An id is MODULE.SUITE/TEST()/FILE:LINE.
        let names = (Test.current.map { "\($0.id)" } ?? "no test").split(separator: "/").dropLast()
        let name = (names.map(String.init) + [part].compactMap(\.self)).joined(separator: ".")
            .replacing("ExamServerTests.", with: "").replacing(/[^A-Za-z0-9.]+/, with: "")
        return FileManager.default.currentDirectoryPath + "/.build/tests/failed/" + name
    }
}
