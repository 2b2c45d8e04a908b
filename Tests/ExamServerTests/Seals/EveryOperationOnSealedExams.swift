import ExamStore
import Foundation
import HTTPClient
import StoreTrials
import Testing

@testable import ExamNode
@testable import ExamServer

/// Tries every operation of `/openapi.json` on a sealed exam, as its learner, another learner, a teacher of its group
/// and a marker. Nothing that the seal covers changes.
@Suite(.bothStores) struct EveryOperationOnSealedExams {
    private struct Ask {
        var path: String
        var headers: [(String, String)] = []
        var bytes: [UInt8]?
    }

    @Test func noOperationChangesASealedExam() async throws {
        let exam = try await SealedExam()
        let before = try await exam.seal()
        #expect(before["held"] as? String == "server" && before["recordings"] as? Int ?? 0 > 3)
        let answers = try await exam.answers()
        let marker = UUID()
        #expect(try await exam.server.services.store.service.askForMarks(of: exam.session, markers: 1))
        let task = try #require(
            try await exam.ask("POST", "/v1/marking", as: marker, .marker).object["task"] as? String)
        let callers: [(user: UUID, rights: RunningServer.Rights)] = [
            (exam.learner, .learner(in: SealedExam.group)), (UUID(), .learner(in: SealedExam.group)),
            (UUID(), .teacher(of: SealedExam.group)), (marker, .marker),
        ]
        let ids = [
            "session": exam.id, "answer": try #require(answers[0]["id"] as? String), "task": task,
            "group": SealedExam.group,
        ]
        var tried = 0
        var refused: [String: Int] = [:]
        // Operations that erase come last.
        let operations = try Described().operations.filter { !Self.erases($0) }
        for operation in operations where !operation.path.hasSuffix("/events") {
            for (user, rights) in callers {
                let ask = try await Self.ask(operation, ids, exam, user, answers[0])
                let answer = try await exam.ask(
                    operation.method, ask.path, as: user, rights, headers: ask.headers, bytes: ask.bytes)
                #expect(answer.status < 500, "\(operation.method) \(ask.path): \(answer.status) \(answer.text)")
                if user == exam.learner, answer.status == 409 { refused[answer.code, default: 0] += 1 }
                tried += 1
            }
            try await exam.expectUnchanged(before, "\(operation.method) \(operation.path)")
        }
        print("sealed exams: \(tried) requests of \(operations.count) operations tried, refused: \(refused)")
        #expect(tried > 400)
        // Adding an answer, replacing it, ending the exam anew and renaming it; uploads in pieces and by addresses.
        #expect(refused["sealed"] ?? 0 >= 6, "\(refused)")

        // Its learner may erase it, and the hashes stay.
        #expect(try await exam.ask("DELETE", exam.path).status == 204)
        let erased = try await exam.seal()
        #expect(erased["state"] as? String == "erased" && erased["seal"] as? String == before["seal"] as? String)
        #expect((erased["entries"] as? [[String: Any]])?.last?["kind"] as? String == "erasure")
        #expect(try await exam.ask("GET", exam.path + "/seal", as: UUID()).status == 404)
        try await exam.stop()
    }

    private static func erases(_ operation: Described.Operation) -> Bool {
        operation.method == "DELETE" && operation.path == "/v1/sessions/{session}"
    }

    /// Returns a request that would change the exam, if the operation could do that. Otherwise returns a valid request.
    private static func ask(
        _ operation: Described.Operation, _ ids: [String: String], _ exam: SealedExam, _ user: UUID,
        _ answer: [String: Any]
    ) async throws -> Ask {
        var path = operation.path
        for (name, id) in ids { path = path.replacing("{\(name)}", with: id) }
        let home = HomeRecording()
        func json(_ object: Any) -> Ask {
            Ask(
                path: path, headers: [("Content-Type", "application/json")],
                bytes: (try? JSONSerialization.data(withJSONObject: object)).map(Array.init))
        }
        let me = user.uuidString.lowercased()
        switch (operation.method, operation.path) {
        case ("PUT", "/v1/sessions/{session}"):
            return json([
                "id": exam.id, "name": "official test, proctored", "format": "ielts-style", "paper": "bridges",
                "startedAt": "2026-01-01T09:00:00Z",
            ])
        case ("PUT", "/v1/sessions/{session}/answers/{answer}"):
            var row = home.row(
                ids["answer"]!, of: exam.id, question: answer["question"] as? String ?? "q", order: 1,
                end: "startedAgain")
            let sha256 = try await exam.server.services.owned(by: exam.learner).responses(of: exam.session)[0].sha256
            row["recording"] = ["path": "x", "byteCount": 9, "sha256": sha256, "mediaType": "audio/ogg"]
            return json(row)
        case ("PUT", "/v1/sessions/{session}/answers/{answer}/recording"):
            // The recording of an answer that isn't stored yet.
            return Ask(
                path: "/v1/sessions/\(exam.id)/answers/\(UUID().uuidString.lowercased())/recording",
                headers: home.headers, bytes: home.bytes)
        case ("PUT", "/v1/sessions/{session}/answers/{answer}/transcript"):
            return json(["text": "what I wish I had said"])
        case ("PUT", "/v1/sessions/{session}/completion"):
            return json([
                "id": UUID().uuidString, "session": exam.id, "completedAt": "2026-11-23T09:10:00Z",
                "outcome": "completed", "answers": 1, "delivered": 1,
            ])
        case ("POST", "/v1/sessions/{session}/marking"): return json(["markers": 2])
        case ("PUT", "/v1/marking/{task}/draft"), ("PUT", "/v1/marking/{task}/sheet"):
            return json(["bands": ["fluency": 6], "comments": [Any]()])
        case ("POST", "/v1/evaluate"): return json(["user_id": me, "session_id": exam.id])
        case ("POST", "/v1/generate-upload-url"):
            return json([
                "user_id": me, "test_id": exam.id, "part_type": "part1", "question_id": "q", "file_extension": ".opus",
            ])
        case ("POST", "/v1/uploads"):
            func pair(_ name: String, _ value: String) -> String {
                "\(name) \(Data(value.utf8).base64EncodedString())"
            }
            let metadata = [
                pair("session", exam.id), pair("answer", UUID().uuidString.lowercased()), pair("filetype", "audio/ogg"),
            ].joined(separator: ",")
            return Ask(
                path: path,
                headers: [
                    ("Tus-Resumable", "1.0.0"), ("Upload-Length", "\(home.bytes.count)"), ("Upload-Metadata", metadata),
                    ("Content-Type", "application/offset+octet-stream"),
                ], bytes: home.bytes)
        default: break
        }
        guard operation.body != nil else {
            return Ask(path: path.replacing(/\{[^}]*\}/, with: UUID().uuidString.lowercased()))
        }
        let good = try await GoodRequests(server: exam.server, user: exam.learner).make(
            operation.method, operation.path)
        return Ask(
            path: good.path, headers: good.headers.map { ($0, $1) },
            bytes: good.body == .null ? GoodRequests.sound : good.body.bytes)
    }
}
