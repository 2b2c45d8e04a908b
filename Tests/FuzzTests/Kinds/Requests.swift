import Crypto
import Foundation
import HTTPTypes

/// Requests to every route, in the process, with addresses, headers and bodies that are nearly valid. Each answer has a
/// status that `/openapi.json` lists for that route.
struct Requests: FuzzKind {
    static let name = "requests"
    static let share = 60_000

    private struct Template: Sendable {
        var method: String
        var path: String
        var headers: HTTPFields = [:]
        /// The JSON body. If nil, the body is bytes.
        var json: JSON?
    }

    private let server: FuzzServer
    private let described: Described
    private let templates: [Template]

    private static let sound = [UInt8]((0..<2_000).map { UInt8($0 & 255) })

    init(_ server: FuzzServer) async throws {
        self.server = server
        described = try Described(try await server.ask("GET", "/openapi.json", headers: [:], body: []).body)
        let list =
            try JSONSerialization.jsonObject(
                with: Data(try await server.ask("GET", "/v1/templates", .word("")).body)) as? [String: [[String: Any]]]
        let template = list?["templates"]?.first?["id"] as? String ?? ""
        templates = Self.templates(template)
        // At first all requests are valid, so that later ones meet stored rows, recordings and attempts.
        for template in templates {
            let (status, _) = try await ask(
                template, template.path, template.headers, template.json.map { Array($0.written.utf8) } ?? Self.sound)
            try demand(status < 500, "\(template.method) \(template.path): \(status)")
        }
    }

    func attempt(_ chance: inout Chance) async throws {
        let template = chance.one(of: templates)
        var (path, headers) = (template.path, template.headers)
        if chance.once(in: 6) {
            // Only characters that an HTTP parser allows in an address.
            path =
                "/"
                + String(path.dropFirst()).spoiled(&chance).unicodeScalars.filter { $0.value > 32 && $0.value != 127 }
                .map { String($0) }.joined()
        } else if chance.once(in: 4) {
            path = Self.renamed(path, &chance)
        }
        if chance.once(in: 3) { Self.change(&headers, &chance) }
        let body =
            template.json.map { chance.once(in: 8) ? Array($0.written.utf8) : $0.spoiled(&chance) }
            ?? (chance.once(in: 2) ? Self.sound : chance.bytes(chance.below(500)))
        let (status, said) = try await ask(template, path, headers, body)
        guard described.allows(status, template.method, path) else {
            throw Wrong(
                "\(template.method) \(path) is answered \(status), which is not described; \(headers) \(String(decoding: body.prefix(300), as: UTF8.self)): \(String(decoding: said.prefix(300), as: UTF8.self))"
            )
        }
    }

    private func ask(
        _ template: Template, _ path: String, _ headers: HTTPFields, _ body: [UInt8]
    ) async throws -> (status: Int, body: [UInt8]) {
        var headers = headers
        if headers[.authorization] == nil { headers[.authorization] = "Bearer \(FuzzServer.token)" }
        if template.json != nil, headers[.contentType] == nil { headers[.contentType] = "application/json" }
        return try await server.ask(template.method, path, headers: headers, body: body)
    }

    /// Returns the path with another id or another query.
    private static func renamed(_ path: String, _ chance: inout Chance) -> String {
        var parts = path.split(separator: "/").map(String.init)
        guard !parts.isEmpty else { return path + "?" + Oddities.numbers.joined(separator: "&") }
        parts[chance.below(parts.count)] = chance.one(of: [
            UUID().uuidString, "%2e%2e", "x", "%00", "%ff", "uploads", "null", "direct-",
        ])
        let query = chance.once(in: 2) ? "?limit=\(chance.one(of: Oddities.numbers))&before=%zz&user_id=&&=" : ""
        return "/" + parts.joined(separator: "/") + query
    }

    private static func change(_ headers: inout HTTPFields, _ chance: inout Chance) {
        let names = Array(headers.map(\.name)) + [.contentType, .authorization, .range, .ifNoneMatch, .contentLength]
        let name = chance.one(of: names)
        switch chance.below(4) {
        case 0: headers[name] = nil
        case 1: headers.append(HTTPField(name: name, value: chance.one(of: Oddities.numbers)))
        case 2: headers[name] = UploadHeaders.changed(headers[name] ?? "bytes=0-", &chance)
        default: headers[name] = chance.one(of: Oddities.texts)
        }
    }

    // MARK: - Valid requests

    private static func templates(_ template: String) -> [Template] {
        let (session, answer, quiz) = (
            "9d0f3a55-7b29-4f0e-9f64-5f3f2f6f3a11", "9d0f3a55-7b29-4f0e-9f64-5f3f2f6f3a12",
            "9d0f3a55-7b29-4f0e-9f64-5f3f2f6f3a13"
        )
        let at = "/v1/sessions/\(session)"
        let digest = Crypto.SHA256.hash(data: Data(sound))
        let sha256 = digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let repr = "sha-256=:\(Data(digest).base64EncodedString()):"
        let tus = HTTPField.Name("Tus-Resumable")!
        let recording: JSON = [
            "path": "p", "byteCount": .word("2000"), "sha256": .text(sha256), "mediaType": "audio/ogg",
        ]
        let place: JSON = [
            "user_id": .text(FuzzServer.user), "test_id": .text(session), "part_type": "part1", "question_id": "home-1",
            "file_extension": ".opus",
        ]
        var all = [
            Template(
                method: "PUT", path: at,
                json: [
                    "id": .text(session), "name": "n", "format": "ielts-style", "paper": "bridges",
                    "startedAt": "2026-11-21T09:12:29Z",
                ]),
            Template(
                method: "PUT", path: at + "/answers/\(answer)/recording",
                headers: [.contentType: "audio/ogg", HTTPField.Name("Repr-Digest")!: repr]),
            Template(
                method: "PUT", path: at + "/answers/\(answer)",
                json: [
                    "id": .text(answer), "session": .text(session), "question": "home-1", "part": .word("1"),
                    "order": .word("1"),
                    "attempt": .word("1"), "end": "finished", "duration": .word("12.34"), "speech": .word("10.5"),
                    "recording": recording,
                ]),
            Template(
                method: "PUT", path: at + "/completion",
                json: [
                    "id": .text(quiz), "session": .text(session), "completedAt": "2026-11-21T09:30:00Z",
                    "outcome": "completed", "answers": .word("1"), "delivered": .word("1"),
                ]),
            Template(method: "POST", path: "/v1/submissions", json: ["id": .text(quiz), "template": .text(template)]),
            Template(
                method: "POST", path: "/submissions/\(quiz)",
                json: [
                    "answers": [
                        ["questionId": "q1", "answer": ["type": "multipleChoice", "selectedOption": .word("2")]],
                        ["questionId": "q2", "answer": ["type": "calculation", "numericAnswer": "3.50"]],
                        ["questionId": "q3", "answer": ["type": "fillInTheBlank", "textAnswer": "bridge"]],
                        [
                            "questionId": "q4",
                            "answer": [
                                "type": "spoken", "audioId": .text(answer), "duration": .word("1.5"),
                                "sha256": .text(sha256),
                            ],
                        ],
                    ], "batch": ["number": .word("1"), "of": .word("2")],
                ]),
            Template(
                method: "POST", path: "/v1/exams",
                json: ["format": "ielts-style", "paper": "bridges", "mode": "practice", "consent": .word("true")]),
            Template(method: "POST", path: "/v1/exams/\(session)/live", json: [:]),
            Template(method: "POST", path: "/v1/generate-upload-url", json: place),
            Template(
                method: "POST", path: "/v1/upload-complete",
                json: [
                    "user_id": .text(FuzzServer.user), "test_id": .text(session),
                    "key": .text("\(FuzzServer.user)/\(session)/direct-\(quiz)"), "response_id": .text(answer),
                    "trigger_evaluation": .word("true"),
                ]),
            Template(
                method: "POST", path: "/v1/evaluate",
                json: ["session_id": .text(session), "user_id": .text(FuzzServer.user), "template_id": .text(template)]),
            Template(
                method: "POST", path: "/v1/uploads",
                headers: [
                    tus: "1.0.0", HTTPField.Name("Upload-Length")!: "2000",
                    HTTPField.Name("Upload-Metadata")!: metadata(session, quiz),
                    .contentType: "application/offset+octet-stream",
                    HTTPField.Name("Upload-Checksum")!: "sha256 \(Data(digest).base64EncodedString())",
                ]),
            Template(
                method: "PATCH", path: "/v1/uploads/\(quiz)",
                headers: [
                    tus: "1.0.0", .contentType: "application/offset+octet-stream",
                    HTTPField.Name("Upload-Offset")!: "0",
                ]),
            Template(
                method: "POST", path: "/v1/uploads/\(quiz)",
                headers: [tus: "1.0.0", HTTPField.Name("X-HTTP-Method-Override")!: "PATCH"]),
            Template(method: "PUT", path: "/v1/uploads/direct/abc.def", headers: [.contentType: "audio/ogg"]),
            Template(method: "DELETE", path: at + "0"),
        ]
        all += practice
        for path in [
            "/health", "/ready", "/metrics", "/v1/me", "/v1/templates", "/v1/templates/\(template)", "/v1/sessions",
            "/v1/sessions?limit=5", at, at + "/results",
            at + "/answers/\(answer)/recording", "/v1/submissions/\(quiz)", "/v1/exams/choices",
            "/v1/exams/\(session)/clips/greeting", "/v1/live", "/v1/quota", "/", "/page/main.js",
            "/page/kit/screen.js", "/problems/malformed",
            "/v1/practice", "/v1/practice/packs", "/v1/practice/drill", "/v1/lessons",
            "/v1/tasks?limit=5&incomplete=true",
            "/v1/questions?topic=food&difficulty=Easy", "/v1/practice-tests", "/v1/practice/export",
        ] {
            all.append(Template(method: "GET", path: path, headers: [.range: "bytes=0-99"]))
        }
        for method in ["HEAD", "DELETE", "OPTIONS"] {
            all.append(Template(method: method, path: "/v1/uploads/\(quiz)", headers: [tus: "1.0.0"]))
        }
        return all
    }

    private static var practice: [Template] {
        let offset = HTTPField.Name("Oracy-Offset")!
        return [
            Template(
                method: "POST", path: "/v1/practice/drills", headers: [offset: "3600"],
                json: [
                    "packs": ["spoken-english"], "topics": ["food"], "count": .word("5"), "extra": .word("true"),
                    "resume": .word("false"),
                ]),
            Template(
                method: "POST", path: "/v1/practice/drill/answers", headers: [offset: "-18000"],
                json: [
                    "number": .word("1"), "questionId": "food-1", "seconds": .word("5.2"),
                    "answer": ["type": "multipleChoice", "selectedOption": .word("2")],
                ]),
            Template(method: "POST", path: "/v1/practice/drill/next", json: ["number": .word("1")]),
            Template(
                method: "PATCH", path: "/v1/practice", headers: [offset: "50400"],
                json: ["minutesADay": .word("15"), "restDays": [.word("6")], "pauseUntil": "2099-12-24"]),
            Template(
                method: "POST", path: "/v1/practice-tests",
                json: [
                    "topics": ["food"], "difficulty": "Easy", "count": .word("3"), "scheduledFor": "2026-12-01",
                    "seed": .word("7"),
                ]),
            Template(
                method: "POST", path: "/v1/tasks",
                json: ["title": "Read", "dueDate": "2026-11-25T12:00:00+01:00", "isComplete": .word("true")]),
            Template(method: "PATCH", path: "/v1/tasks", json: ["id": "drill-1", "isComplete": .word("false")]),
            Template(method: "DELETE", path: "/v1/tasks?id=drill-1"),
        ]
    }

    private static func metadata(_ session: String, _ answer: String) -> String {
        [("session", session), ("answer", answer), ("filetype", "audio/ogg")].map {
            "\($0.0) \(Data($0.1.utf8).base64EncodedString())"
        }.joined(separator: ",")
    }
}
