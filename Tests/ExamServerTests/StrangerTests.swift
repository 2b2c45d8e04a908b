import Backends
import Foundation
import HTTPClient
import Testing
import UploadQueue

@testable import ExamServer

/// Two users: no route, id or path of one opens anything of the other. Every route of the description is tried.
@Suite struct StrangerTests {
    private let ann = UUID()
    private let ben = UUID()

    private struct Operation {
        var method, path: String
        var isOpen: Bool
        var hasBody: Bool
    }

    /// Every operation of `/openapi.json`.
    private func operations(_ server: RunningServer) async throws -> [Operation] {
        let document = try await server.ask("GET", "/openapi.json", as: nil).object
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        return paths.flatMap { path, methods in
            methods.compactMap { method, operation in
                guard let operation = operation as? [String: Any] else { return nil }
                return Operation(
                    method: method.uppercased(), path: path,
                    isOpen: (operation["security"] as? [Any])?.isEmpty ?? false,
                    hasBody: operation["requestBody"] != nil)
            }
        }
    }

    @Test func everyRouteIsDescribedAndEveryDescriptionIsARoute() async throws {
        let server = try await RunningServer()
        func plain(_ text: String) -> String { text.replacing(/\{[^}]*\}|:[a-z]+|\$\{[^}]*\}/, with: "*") }
        let described = Set(try await operations(server).map { plain("\($0.method) \($0.path)") })
        let routes = Set(server.routes.map(plain))
        // Whatever takes GET takes HEAD.
        let heads = Set(routes.filter { $0.hasPrefix("GET ") }.map { "HEAD \($0.dropFirst(4))" })
        #expect(routes.subtracting(described) == [])
        #expect(described.subtracting(routes).subtracting(heads) == [])
        await server.stop()
    }

    @Test func nobodyGetsInWithoutAToken() async throws {
        let server = try await RunningServer()
        for operation in try await operations(server) {
            let path = operation.path.replacing(/\{[^}]*\}/, with: UUID().uuidString.lowercased())
            let answer = try await server.ask(
                operation.method, path, as: nil, headers: [("Tus-Resumable", "1.0.0"), ("Upload-Offset", "0")])
            if operation.isOpen {
                #expect(answer.status != 401, "\(operation.method) \(path)")
            } else {
                #expect(answer.status == 401, "\(operation.method) \(path)")
            }
        }
        await server.stop()
    }

    @Test func whatIsAnnsIsNotThereForBen() async throws {
        let server = try await RunningServer()
        let held = try SessionTests.Held(answers: 2, in: server.folder)
        let token = try await RunningServer.token(of: ann)
        let queue = try UploadQueueOf(server)
        try await queue.send(held, token)
        let submission = UUID().uuidString.lowercased()
        #expect(try await server.ask("POST", "/v1/submissions", ["id": submission], as: ann).status == 201)
        let ids = [
            "session": held.facts.id.uuidString.lowercased(),
            "answer": held.uploads[1].id.uuidString.lowercased(), "submission": submission,
        ]
        let before = try await look(server, ids)
        #expect(before.allSatisfy { $0.hasPrefix("200") })
        var tried = 0
        for operation in try await operations(server) where operation.path.contains("{") && !operation.isOpen {
            var path = operation.path
            for (name, id) in ids { path = path.replacing("{\(name)}", with: id) }
            // A template is everybody's; what has other ids has tests of its own.
            guard !path.contains("{") else { continue }
            let answer = try await server.ask(
                operation.method, path, operation.hasBody ? Self.body(path, ids) : nil, as: ben,
                headers: [
                    ("Repr-Digest", "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"),
                    ("Tus-Resumable", "1.0.0"), ("Upload-Offset", "0"),
                ])
            #expect([400, 403, 404, 409, 415].contains(answer.status), "\(operation.method) \(path): \(answer.status)")
            #expect(!answer.text.contains("bridges") && !answer.text.contains("part1-home"))
            tried += 1
        }
        print("strangers: \(tried) operations tried")
        #expect(tried >= 10)
        #expect(try await look(server, ids) == before, "nothing of it has changed")
        let list = try await server.ask("GET", "/v1/sessions", as: ben)
        #expect((list.object["sessions"] as? [Any])?.isEmpty == true)
        await server.stop()
    }

    /// All that Ann can see, as text.
    private func look(_ server: RunningServer, _ ids: [String: String]) async throws -> [String] {
        let session = "/v1/sessions/\(ids["session"]!)"
        let paths = [
            session, "\(session)/answers/\(ids["answer"]!)/recording", "/v1/submissions/\(ids["submission"]!)",
            "/v1/sessions",
        ]
        var seen: [String] = []
        for path in paths {
            let answer = try await server.ask("GET", path, as: ann)
            // The status moves on by itself.
            seen.append(
                "\(answer.status) \(answer.body.count > 2000 ? "long" : answer.text.replacing(/"status":"[a-z_]*"/, with: ""))"
            )
        }
        return seen
    }

    /// A body that would be right if it were Ann's.
    private static func body(_ path: String, _ ids: [String: String]) -> Any {
        if path.hasPrefix("/submissions") {
            return ["answers": [["questionId": "q", "answer": ["type": "fillInTheBlank", "textAnswer": "x"]]]]
        }
        if path.hasSuffix("/completion") {
            return [
                "id": UUID().uuidString, "session": ids["session"]!, "completedAt": "2026-11-21T10:00:00Z",
                "answers": 0,
                "delivered": 0,
            ]
        }
        if path.contains("/answers/") {
            return [
                "id": ids["answer"]!, "session": ids["session"]!, "question": "q", "part": 1, "order": 1, "attempt": 1,
                "end": "finished", "duration": 1.0, "speech": 0.5,
                "recording": [
                    "path": "p", "byteCount": 3, "sha256": String(repeating: "0", count: 64), "mediaType": "audio/wav",
                ],
            ]
        }
        return [
            "id": ids["session"]!, "name": "ben's", "format": "f", "paper": "p", "startedAt": "2026-11-21T09:12:29Z",
        ]
    }

    @Test func noPathOpensAFile() async throws {
        let server = try await RunningServer()
        let secret = "a line that is in no answer"
        try secret.write(toFile: server.folder + "/secret.txt", atomically: true, encoding: .utf8)
        let up = ["..", "%2e%2e", "..%2f", "%2e%2e%2f", "..\\", "%00", "....//", "/proc/self"]
        for piece in up {
            for path in [
                "/page/\(piece)/secret.txt", "/page/\(piece)secret.txt", "/v1/sessions/\(piece)/results",
                "/v1/sessions/\(UUID())/answers/\(piece)secret.txt/recording", "/\(piece)/\(piece)/secret.txt",
                "/problems/\(piece)",
            ] {
                let answer = try await server.ask("GET", path, as: ben)
                #expect(!answer.text.contains(secret))
                #expect([400, 404].contains(answer.status), "\(path): \(answer.status)")
            }
        }
        await server.stop()
    }
}
