import Foundation
import HTTPClient
import StoreTrials
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// The server does what its description says, tested by a program that reads nothing else.
@Suite(.bothStores(quick: .sqlite)) struct DescriptionTests {
    @Test(.needs(Trials.obstacle(to: "schemathesis"))) func schemathesisFindsNothing() async throws {
        let server = try await RunningServer { $0.limits.requestsPerMinute = 10_000_000 }
        let here = URL(filePath: #filePath).deletingLastPathComponent().path
        let arguments = [
            "--config-file", here + "/schemathesis.toml", "run", server.url + "/openapi.json", "-H",
            "Authorization: Bearer " + (try await RunningServer.token(of: UUID())), "--max-examples",
            "\(Thoroughness.count(3, check: 15))", "--phases",
            "examples,coverage,fuzzing,stateful", "--checks", "all",
            // Uploads have a protocol of their own, exams need an existing format, and streams don't end. Other tests
            // cover them.
            "--exclude-path-regex", "metrics|upload|evaluate|quota|exams|live|events",
            // Foundation's JSON rejects some texts that Python's can write.
            "--exclude-checks", "positive_data_acceptance", "--seed", "6",
        ]
        let (status, said) = await Trials.run(
            URL(filePath: Trials.folder + "/bin/st").path, arguments, in: server.folder,
            environment: ["SCHEMATHESIS_HOOKS": "schemathesis_hooks", "PYTHONPATH": here, "NO_COLOR": "1"])
        #expect(status == 0, "\(said.suffix(9000))")
        let cases = said.firstMatch(of: /([0-9]+) generated/)?.1 ?? "?"
        print("schemathesis: \(cases) cases")
        #expect(Int(cases) ?? 0 > Thoroughness.count(100, check: 500))
        await server.stop()
    }

    @Test(.needs(Trials.obstacle(to: "openapi_spec_validator"))) func theDescriptionIsValidOpenAPI() async throws {
        let path = NSTemporaryDirectory() + "oracy-openapi-\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(PackageResources.openapi_json).write(to: URL(filePath: path))
        let (status, said) = await Trials.run(
            Trials.folder + "/bin/python", [Programs.file("Description/validate.py"), path])
        #expect(status == 0 && said.contains("valid as JSON and as YAML"), "\(said.suffix(2000))")
    }

    @Test func theDescriptionHasNoInvisibleCharacters() throws {
        let text = try #require(String(bytes: PackageResources.openapi_json, encoding: .utf8))
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
    }

    /// Every problem has a code that is described, and every described code exists.
    @Test func theCodesOfProblemsAreDescribed() throws {
        let codes = try Described().schema("ProblemCode")["enum"]?.items.compactMap(\.text)
        #expect(Set(codes ?? []) == Set(ProblemCodes.words.keys))
    }

    /// Every answer has the fields that are described, and no others.
    @Test func answersHaveTheFieldsThatAreDescribed() async throws {
        let described = try Described()
        let server = try await RunningServer(
            classes: .unguarded, rights: .init(roles: ["marker", "teacher"], groups: ["7b"])
        ) {
            $0.limits.storedBytes = 1 << 40
        }
        let requests = GoodRequests(server: server, user: UUID())
        var looked = 0
        for operation in described.operations where operation.method != "HEAD" {
            var (path, headers, body) = (operation.path, [(String, String)](), [UInt8]?.none)
            if operation.body != nil {
                let good = try await requests.make(operation.method, operation.path)
                (path, headers) = (good.path, good.headers.map { ($0, $1) })
                body = good.body == .null ? GoodRequests.sound : good.body.bytes
            }
            let answer = try await server.ask(
                operation.method, path, as: operation.isOpen ? nil : requests.user, headers: headers, bytes: body)
            let name = "\(operation.method) \(path): \(answer.status)"
            let response = try #require(operation.responses[String(answer.status)], "\(name) is not described")
            let known = described.resolved(response)
            for (header, what) in known["headers"]?.fields ?? [:] where answer.status < 300 {
                #expect(answer.header(header) != nil, "\(name) has no \(header), \(what)")
            }
            let kind = answer.status < 300 ? "application/json" : "application/problem+json"
            guard operation.method != "HEAD", let schema = known["content"]?[kind]?["schema"] else { continue }
            #expect(described.complaints(try JSONValue(answer.body), schema, isWhole: true) == [], "\(name)")
            looked += 1
        }
        #expect(looked > 20)
        await server.stop()
    }

    @Test func everyCodeOfAProblemHasItsWords() async throws {
        let server = try await RunningServer()
        for code in ProblemCodes.words.keys {
            let answer = try await server.ask("GET", "/problems/\(code)", as: nil)
            #expect(answer.status == 200 && answer.text.hasPrefix("\(code): "))
        }
        // Every code that the sources throw.
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
