import ExamKit
import Foundation
import Testing
import Uploaders

@testable import ExamServer

/// The server does what its description says, asked by a program that reads nothing else.
@Suite struct DescriptionTests {
    @Test func schemathesisFindsNothing() async throws {
        guard await Programs.has("schemathesis") else { return }
        let server = try await RunningServer { $0.limits.requestsPerMinute = 10_000_000 }
        let here = URL(filePath: #filePath).deletingLastPathComponent().path
        let arguments = [
            "--config-file", here + "/schemathesis.toml", "run", server.url + "/openapi.json", "-H",
            "Authorization: Bearer " + (try await RunningServer.token(of: UUID())), "--max-examples", "15", "--phases",
            "examples,coverage,fuzzing,stateful", "--checks", "all",
            // Uploads speak a protocol of their own, and exams need a format that is there: they have tests of their own.
            "--exclude-path-regex", "metrics|upload|evaluate|quota|exams|live",
            // Foundation's JSON refuses some of what Python's can write.
            "--exclude-checks", "positive_data_acceptance", "--seed", "6",
        ]
        let (status, said) = await Programs.run(
            URL(filePath: Programs.trials + "/bin/st").path, arguments, in: server.folder,
            environment: ["SCHEMATHESIS_HOOKS": "schemathesis_hooks", "PYTHONPATH": here, "NO_COLOR": "1"])
        #expect(status == 0, "\(said.suffix(9000))")
        let cases = said.firstMatch(of: /([0-9]+) generated/)?.1 ?? "?"
        print("schemathesis: \(cases) cases")
        #expect(Int(cases) ?? 0 > 500)
        await server.stop()
    }

    @Test func everyCodeOfAProblemHasItsWords() async throws {
        let server = try await RunningServer()
        for code in ProblemCodes.words.keys {
            let answer = try await server.ask("GET", "/problems/\(code)", as: nil)
            #expect(answer.status == 200 && answer.text.hasPrefix("\(code): "))
        }
        // Every code that the source throws.
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Sources/ExamServer")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)?.allObjects as? [URL]
        var codes: Set<String> = []
        for file in files ?? [] where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /(?:APIProblem|self\.init)\(\s*\.[a-zA-Z]+, "([a-z-]+)"/) {
                codes.insert(String(match.1))
            }
        }
        #expect(codes.count > 10)
        #expect(codes.subtracting(ProblemCodes.words.keys) == [])
        await server.stop()
    }
}
