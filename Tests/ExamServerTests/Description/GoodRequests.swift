import BackendAPI
import ExamStore
import Foundation
import HTTPClient
import SystemSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// A valid request for each address that takes a body. It is made anew each time, because stored objects are not
/// replaced.
struct GoodRequests {
    struct Good {
        var path: String
        var headers: [String: String] = [:]
        var body: JSONValue = .null
        /// Fields and headers that must name an existing object. The server accepts only their present value, although
        /// the description allows others.
        var fixed: Set<String> = []
    }

    let server: RunningServer
    let user: UUID
    /// The rights of the user. Nil for the server's default rights.
    var rights: RunningServer.Rights?
    static let sound = Array("bytes that stand for a sound".utf8)
    static let sha256 = SHA256.hexadecimal(of: sound)

    private func id() -> String { UUID().uuidString.lowercased() }

    private func session() async throws -> String {
        let good = try await make("PUT", "/v1/sessions/{session}")
        #expect(try await send("PUT", good).status == 201)
        return String(good.path.split(separator: "/").last!)
    }

    /// Makes a completed session of another user in a group of this user, with an answer.
    private func over() async throws -> String {
        let other = GoodRequests(server: server, user: UUID(), rights: .learner(in: "7b"))
        let answer = try await other.make("PUT", "/v1/sessions/{session}/answers/{answer}")
        #expect(try await other.send("PUT", answer).status == 201)
        let session = answer.body["session"]!.text!
        let completion: JSONValue = [
            "id": .string(id()), "session": .string(session), "completedAt": "2026-11-21T09:26:01Z",
            "outcome": "completed",
            "answers": 1, "delivered": 1,
        ]
        let done = try await server.ask(
            "PUT", "/v1/sessions/\(session)/completion", as: other.user,
            headers: [("Content-Type", "application/json")], bytes: completion.bytes)
        #expect(done.status == 202)
        return session
    }

    private func recording(_ session: String) async throws -> String {
        let good = try await recordingRequest(session)
        #expect(
            try await server.ask(
                "PUT", good.path, as: user, rights, headers: good.headers.map { ($0, $1) }, bytes: Self.sound
            ).status == 201)
        return String(good.path.split(separator: "/").dropLast().last!)
    }

    private func recordingRequest(_ session: String) async throws -> Good {
        Good(
            path: "/v1/sessions/\(session)/answers/\(id())/recording",
            headers: ["Content-Type": "audio/ogg", "Repr-Digest": ReprDigest(sha256: Self.sha256)!.field],
            fixed: ["Repr-Digest"])
    }

    func send(_ method: String, _ good: Good) async throws -> HTTPClient.HTTPResponse {
        try await server.ask(
            method, good.path, as: user, rights, headers: good.headers.map { ($0, $1) },
            bytes: good.body == .null ? Self.sound : good.body.bytes)
    }

    /// Makes a valid request.
    ///
    /// - Throws: If the description has a body at an address that is not known here.
    func make(_ method: String, _ path: String) async throws -> Good {
        let json = ["Content-Type": "application/json"]
        let me = JSONValue.string(user.uuidString.lowercased())
        switch (method, path) {
        case ("PUT", "/v1/sessions/{session}"):
            let id = id()
            return Good(
                path: "/v1/sessions/\(id)", headers: json,
                body: [
                    "id": .string(id), "name": "a session", "format": "f", "paper": "p",
                    "startedAt": "2026-11-21T09:12:29Z",
                ], fixed: ["id"])
        case ("PUT", "/v1/sessions/{session}/answers/{answer}"):
            let session = try await session()
            let answer = try await recording(session)
            return Good(
                path: "/v1/sessions/\(session)/answers/\(answer)", headers: json,
                body: [
                    "id": .string(answer), "session": .string(session), "question": "q", "part": 1, "order": 1,
                    "attempt": 1, "end": "finished", "duration": 1.25, "speech": 0.5,
                    "recording": [
                        "path": "p", "byteCount": 30, "sha256": .string(Self.sha256), "mediaType": "audio/ogg",
                    ],
                ], fixed: ["id", "session", "recording.sha256"])
        case ("PUT", "/v1/sessions/{session}/answers/{answer}/transcript"):
            let answer = try await make("PUT", "/v1/sessions/{session}/answers/{answer}")
            #expect(try await send("PUT", answer).status < 300)
            return Good(path: answer.path + "/transcript", headers: json, body: ["text": "I live in a town"])
        case ("POST", "/v1/sessions/{session}/marking"):
            return Good(path: "/v1/sessions/\(try await over())/marking", headers: json, body: ["markers": 2])
        case ("POST", "/v1/groups/{group}/assignments"):
            return Good(
                path: "/v1/groups/7b/assignments", headers: json,
                body: ["work": "sit:part2", "due": "2099-12-24", "note": "About a journey."], fixed: ["work", "due"])
        case ("PUT", "/v1/marking/{task}/draft"), ("PUT", "/v1/marking/{task}/sheet"):
            let session = try await over()
            #expect(try await server.services.store.service.askForMarks(of: UUID(uuidString: session)!, markers: 1))
            let taken = try await server.ask("POST", "/v1/marking", as: user)
            let task = try #require(JSONValue(taken.body)["task"]?.text)
            return Good(
                path: path.replacing("{task}", with: task), headers: json,
                body: [
                    "bands": ["fluency": 6.5, "grammar": 6], "topicRelevance": 7,
                    "comments": [["answer": "part1_q1", "at": 1, "text": "hesitates"]],
                ], fixed: ["comments[0].answer", "comments[0].at"])
        case ("PUT", "/v1/profile"):
            return Good(path: path, headers: json, body: ["username": "ada", "fullName": "Ada Lovelace"])
        case ("PUT", "/v1/profile/picture"):
            return Good(path: path, headers: ["Content-Type": "image/png"])
        case ("POST", "/v1/class/join"), ("POST", "/v1/class/sign-in"), ("POST", "/v1/class/link"):
            return try await signingIn(path)
        case ("PUT", "/v1/class/pin"):
            try await joinWithPIN("502916")
            return Good(path: path, headers: json, body: ["pin": "502916", "newPin": "602917"], fixed: ["pin"])
        case ("POST", "/v1/line-check"):
            return Good(path: path, headers: ["Content-Type": "application/octet-stream"])
        case ("PUT", "/v1/sessions/{session}/completion"):
            let session = try await session()
            return Good(
                path: "/v1/sessions/\(session)/completion", headers: json,
                body: [
                    "id": .string(id()), "session": .string(session), "completedAt": "2026-11-21T09:26:01Z",
                    "outcome": "completed", "answers": 0, "delivered": 0,
                ], fixed: ["session"])
        case ("PUT", "/v1/sessions/{session}/answers/{answer}/recording"):
            return try await recordingRequest(session())
        case ("POST", "/v1/submissions"):
            let templates = try await server.ask("GET", "/v1/templates", as: user)
            let template = try #require(JSONValue(templates.body)["templates"]?[0]?["id"])
            return Good(
                path: path, headers: json, body: ["id": .string(id()), "template": template], fixed: ["template"])
        case ("POST", "/submissions/{submission}"):
            let opened = try await make("POST", "/v1/submissions")
            #expect(try await send("POST", opened).status == 201)
            let recording = try await recording(session())
            return Good(
                path: "/submissions/\(opened.body["id"]!.text!)", headers: json,
                body: [
                    "answers": [
                        ["questionId": "choice", "answer": ["type": "multipleChoice", "selectedOption": 2]],
                        ["questionId": "gap", "answer": ["type": "fillInTheBlank", "textAnswer": "gave up"]],
                        ["questionId": "sum", "answer": ["type": "calculation", "numericAnswer": "-3,50"]],
                        [
                            "questionId": "talk",
                            "answer": [
                                "type": "spoken", "audioId": .string(recording), "duration": 1.5,
                                "sha256": .string(Self.sha256),
                            ],
                        ],
                    ], "batch": ["number": 1, "of": 100],
                ], fixed: ["answers[3].answer.audioId", "answers[3].answer.sha256"])
        case ("POST", "/v1/exams"):
            return Good(
                path: path, headers: json,
                body: ["format": "ielts-style", "paper": "bridges", "mode": "practice", "consent": true],
                fixed: ["format", "paper"])
        case ("POST", "/v1/papers"):
            return Good(
                path: path, headers: json,
                body: ["format": "ielts-style", "topics": ["rain"], "difficulty": "Easy", "minutes": 12, "seed": 3],
                fixed: ["format", "from", "minutes"])
        case ("POST", "/v1/question-lists"):
            return Good(
                path: path, headers: json,
                body: ["title": "Lunch", "table": "question\nWhat did you have for lunch?\nWho cooked it?\n"],
                fixed: ["table"])
        case (_, let path)
        where ["/v1/practice", "/v1/tasks", "/v1/lessons", "/v1/plan", "/generate", "/reroll"].contains {
            path.hasPrefix($0)
        }
            || path == "/v1/submissions/{submission}":
            return try await practice(method, path)
        case ("POST", "/v1/generate-upload-url"):
            return Good(
                path: path, headers: json,
                body: [
                    "user_id": me, "test_id": .string(id()), "part_type": "part1", "question_id": "q",
                    "file_extension": ".opus",
                ], fixed: ["user_id"])
        case ("POST", "/v1/upload-complete"):
            let (_, key) = try await address(filled: true)
            return Good(
                path: path, headers: json,
                body: [
                    "user_id": me, "key": .string(key), "response_id": .string(id()), "trigger_evaluation": false,
                ], fixed: ["user_id", "key", "response_id"])
        case ("POST", "/v1/evaluate"):
            return Good(
                path: path, headers: json, body: ["user_id": me, "session_id": .string(try await session())],
                fixed: ["user_id", "session_id"])
        case ("PUT", "/v1/uploads/direct/{ticket}"):
            return Good(path: try await address().path, headers: ["Content-Type": "audio/ogg"], fixed: ["Content-Type"])
        case ("POST", "/v1/uploads"):
            return Good(path: path, headers: try await uploadHeaders(byteCount: Self.sound.count))
        case ("PATCH", "/v1/uploads/{upload}"), ("POST", "/v1/uploads/{upload}"):
            var begin = Good(path: "/v1/uploads", headers: try await uploadHeaders(byteCount: Self.sound.count))
            begin.headers["Content-Type"] = nil
            begin.headers["Upload-Checksum"] = nil
            let begun = try await server.ask("POST", begin.path, as: user, headers: begin.headers.map { ($0, $1) })
            let place = try #require(begun.header("Location").flatMap { URL(string: $0)?.path })
            var good = Good(path: place, headers: try await uploadHeaders(byteCount: nil))
            good.headers["Upload-Offset"] = "0"
            if method == "POST" { good.headers["X-HTTP-Method-Override"] = "PATCH" }
            good.fixed = ["Upload-Offset", "X-HTTP-Method-Override"]
            return good
        default: throw Problem(.missing, "no good request is known for \(method) \(path)")
        }
    }

    /// Makes this user a member of a class of its own with this PIN.
    private func joinWithPIN(_ pin: String) async throws {
        let service = server.services.store.service
        if let own = try await service.schoolClass(of: user) {
            _ = try await service.remove(learner: user, from: own.id)
        }
        let made = SchoolClass(id: UUID(), name: id(), code: JoinCode.fresh())
        #expect(try await service.make(made))
        let hash = await PINHash.make(of: pin, cost: ClassAccounts.unguarded.cost)
        let member = ClassMember(id: user, name: "Ann", role: .learner)
        #expect(try await service.add(member, to: made.id, pinHash: hash.text, limit: 9) == .joined)
    }

    /// Makes a class with a member, and a request of its sign-in screen.
    private func signingIn(_ path: String) async throws -> Good {
        let room = try await ClassRoom(on: server, named: id())
        let headers = ["Content-Type": "application/json", "Origin": server.url]
        if path == "/v1/class/link" {
            return Good(path: path, headers: headers, body: ["link": .string(try await room.link())], fixed: ["link"])
        }
        let body: JSONValue = ["code": .string(room.code), "name": "Ann", "pin": "502916"]
        guard path == "/v1/class/sign-in" else {
            return Good(path: path, headers: headers, body: body, fixed: ["code"])
        }
        #expect(try await send("POST", Good(path: "/v1/class/join", headers: headers, body: body)).status == 201)
        return Good(path: path, headers: headers, body: body, fixed: ["code", "name", "pin"])
    }

    /// Requests an address to upload to.
    private func address(filled: Bool = false) async throws -> (path: String, key: String) {
        let made = try await send("POST", make("POST", "/v1/generate-upload-url"))
        let url = try #require(JSONValue(made.body)["upload_url"]?.text)
        let (path, key) = (
            String(url.dropFirst(server.url.count)), try #require(JSONValue(made.body)["key"]?.text)
        )
        if filled {
            let put = try await server.ask(
                "PUT", path, as: nil, headers: [("Content-Type", "audio/ogg")], bytes: Self.sound)
            #expect(put.status == 201)
        }
        return (path, key)
    }

    private func uploadHeaders(byteCount: Int?) async throws -> [String: String] {
        let digest = ReprDigest(sha256: Self.sha256)!.field.dropFirst("sha-256=:".count).dropLast()
        var headers = [
            "Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream",
            "Upload-Checksum": "sha256 \(digest)",
        ]
        guard let byteCount else { return headers }
        func pair(_ name: String, _ value: String) -> String { "\(name) \(Data(value.utf8).base64EncodedString())" }
        headers["Upload-Length"] = String(byteCount)
        headers["Upload-Metadata"] = try await [
            pair("session", session()), pair("answer", id()), pair("filetype", "audio/ogg"),
        ].joined(separator: ",")
        return headers
    }
}
