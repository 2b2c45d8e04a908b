import BackendAPI
import ExamStore
import Foundation
import HTTPClient
import StoreTrials
import Testing
import UploadQueue

@testable import ExamNode
@testable import ExamServer

/// Two users: no route, id or path of one opens anything of the other. Every route of the description is tried.
@Suite(.bothStores) struct StrangerTests {
    private let ann = UUID()
    private let ben = UUID()

    private struct Operation {
        var method, path: String
        var isOpen: Bool
        var hasBody: Bool
    }

    /// Returns every operation of `/openapi.json`.
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
        // Every address with GET also has HEAD.
        let heads = Set(routes.filter { $0.hasPrefix("GET ") }.map { "HEAD \($0.dropFirst(4))" })
        #expect(routes.subtracting(described) == [])
        #expect(described.subtracting(routes).subtracting(heads) == [])
        await server.stop()
    }

    @Test func onlyOpenRoutesWorkWithoutAToken() async throws {
        let server = try await RunningServer()
        let operations = try await operations(server)
        #expect(operations.count > 50)
        for operation in operations {
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

    @Test func anotherUsersDataLooksMissing() async throws {
        let server = try await RunningServer()
        let held = try SessionTests.Held(answers: 2, in: server.folder)
        let token = try await RunningServer.token(of: ann, .learner(in: "7b"))
        let queue = try UploadQueueOf(server)
        try await queue.send(held, token)
        let submission = UUID().uuidString.lowercased()
        #expect(try await server.ask("POST", "/v1/submissions", ["id": submission], as: ann).status == 201)
        let session = held.facts.id
        #expect(try await server.services.store.service.askForMarks(of: session, markers: 1))
        let marker = UUID()
        let taken = try await server.ask("POST", "/v1/marking", as: marker, .marker)
        let ids = [
            "session": session.uuidString.lowercased(), "group": "7b",
            "task": try #require(taken.object["task"] as? String),
            "answer": held.uploads[1].id.uuidString.lowercased(), "submission": submission,
        ]
        // Ben has one of everything, too, so that a refusal is about the owner.
        let other = try SessionTests.Held(answers: 2, in: server.folder)
        try await queue.send(other, try await RunningServer.token(of: ben))
        let before = try await look(server, ids)
        #expect(before.allSatisfy { $0.hasPrefix("200") })
        var tried: [Ask] = []
        for operation in try await operations(server) where operation.path.contains("{") && !operation.isOpen {
            var path = operation.path
            for (name, id) in ids { path = path.replacing("{\(name)}", with: id) }
            // A template belongs to every user. A board belongs to a group, on which each learner has a place
            // (`Boards`). Addresses with other ids have tests of their own.
            guard !path.contains("{"), !path.contains("/boards/") else { continue }
            let ask = Ask(operation.method, path, operation.hasBody ? Self.body(path, ids, held) : nil)
            // Ben is tried as a learner of her group, a teacher of another, and a marker of others' exams.
            for rights in [RunningServer.Rights.noRole, .learner(in: "7b"), .teacher(of: "8c"), .marker] {
                let answer = try await ask.send(to: server, as: ben, rights)
                let what = "\(ask.method) \(path) \(rights.roles)"
                // Storing a part of an object that he can't see is refused as too early.
                let isEarly = answer.status == 409 && answer.code == "parent-missing"
                #expect([403, 404].contains(answer.status) || isEarly, "\(what): \(answer.status) \(answer.text)")
                #expect(!answer.text.contains("bridges") && !answer.text.contains("part1-home"))
            }
            tried.append(ask)
        }
        print("strangers: \(tried.count) operations tried")
        #expect(tried.count >= 10)
        #expect(try await look(server, ids) == before, "no data of the user has changed")
        let list = try await server.ask("GET", "/v1/sessions", as: ben)
        let names = (list.object["sessions"] as? [[String: Any]])?.map { $0["id"] as? String }
        #expect(names == [other.facts.id.uuidString.lowercased()])
        // The same requests succeed for Ann. Those that erase come last.
        for ask in tried.sorted(by: { ($0.method == "DELETE" ? 1 : 0) < ($1.method == "DELETE" ? 1 : 0) }) {
            // A session that was held elsewhere can't continue here, so it is refused for another reason.
            if ask.path.hasSuffix("/live") { continue }
            // A stream doesn't end.
            if ask.path.hasSuffix("/events") { continue }
            // Requests of teachers and markers have tests of their own.
            if ask.path.contains("/marking") || ask.path.contains("/groups/") { continue }
            let answer = try await ask.send(to: server, as: ann)
            // A request that would change her exam is refused because the exam is sealed.
            let isSealed = answer.status == 409 && answer.code == "sealed"
            #expect(
                (200..<300).contains(answer.status) || isSealed,
                "\(ask.method) \(ask.path): \(answer.status) \(answer.text)")
        }
        await server.stop()
    }

    /// A request that any user can send.
    private struct Ask {
        var method, path: String
        var body: (kind: String, bytes: [UInt8], headers: [(String, String)])?

        init(_ method: String, _ path: String, _ body: (kind: String, bytes: [UInt8], headers: [(String, String)])?) {
            (self.method, self.path, self.body) = (method, path, body)
        }

        func send(
            to server: RunningServer, as user: UUID, _ rights: RunningServer.Rights = .noRole
        ) async throws -> HTTPClient.HTTPResponse {
            try await server.ask(
                method, path, as: user, rights, headers: body.map { $0.headers + [("Content-Type", $0.kind)] } ?? [],
                bytes: body?.bytes)
        }
    }

    /// Returns the text of everything that Ann can see.
    private func look(_ server: RunningServer, _ ids: [String: String]) async throws -> [String] {
        let session = "/v1/sessions/\(ids["session"]!)"
        let paths = [
            session, "\(session)/answers/\(ids["answer"]!)/recording", "/v1/submissions/\(ids["submission"]!)",
            "/v1/sessions",
        ]
        var seen: [String] = []
        for path in paths {
            let answer = try await server.ask("GET", path, as: ann)
            // The status changes by itself.
            seen.append(
                "\(answer.status) \(answer.body.count > 2000 ? "long" : answer.text.replacing(/"status":"[a-z_]*"/, with: ""))"
            )
        }
        return seen
    }

    /// Returns a body that is valid for Ann.
    private static func body(
        _ path: String, _ ids: [String: String], _ held: SessionTests.Held
    ) -> (kind: String, bytes: [UInt8], headers: [(String, String)]) {
        let file = held.uploads[1].file!
        if path.hasSuffix("/recording") {
            let bytes = (try? Data(contentsOf: URL(filePath: file.path))).map(Array.init) ?? []
            return (file.mediaType, bytes, [("Repr-Digest", ReprDigest(sha256: file.sha256)!.field)])
        }
        let object: Any =
            if path.contains("/submissions") {
                ["answers": [["questionId": "q", "answer": ["type": "fillInTheBlank", "textAnswer": "x"]]]]
            } else if path.hasSuffix("/transcript") {
                ["text": "I live in a town"]
            } else if path.hasPrefix("/v1/marking/") {
                ["bands": ["fluency": 6], "comments": [Any]()]
            } else if path.hasSuffix("/marking") {
                ["markers": 1]
            } else if path.hasSuffix("/completion") {
                [
                    "id": UUID().uuidString, "session": ids["session"]!, "completedAt": "2026-11-21T10:00:00Z",
                    "answers": 2, "delivered": 2,
                ]
            } else if path.contains("/answers/") {
                [
                    "id": ids["answer"]!, "session": ids["session"]!, "question": "q", "part": 1, "order": 1,
                    "attempt": 1, "end": "finished", "duration": 1.0, "speech": 0.5,
                    "recording": [
                        "path": "p", "byteCount": file.byteCount, "sha256": file.sha256, "mediaType": file.mediaType,
                    ],
                ]
            } else {
                [
                    "id": ids["session"]!, "name": "a session", "format": "f", "paper": "p",
                    "startedAt": "2026-11-21T09:12:29Z",
                ]
            }
        return ("application/json", Array((try? JSONSerialization.data(withJSONObject: object)) ?? Data()), [])
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
