import BackendAPI
import Foundation
import HTTPClient
import StoreTrials
import SystemSupport
import Testing

/// The lifecycle of submitted answers.
@Suite(.bothStores) struct SubmissionTests {
    private let ann = UUID()
    private let ben = UUID()

    /// The recording for the last question, and its upload's id.
    private static let (audio, sound) = (UUID(), Array("what was spoken".utf8))

    private static var answers: [[String: Any]] {
        [
            ["questionId": "q1", "answer": ["type": "multipleChoice", "selectedOption": 2]],
            ["questionId": "q2", "answer": ["type": "fillInTheBlank", "textAnswer": "gave up"]],
            ["questionId": "q3", "answer": ["type": "calculation", "numericAnswer": "3,50"]],
            [
                "questionId": "q4",
                "answer": [
                    "type": "spoken", "audioId": audio.uuidString, "duration": 12.5,
                    "sha256": SHA256.hexadecimal(of: sound),
                ],
            ],
        ]
    }

    private func opened(_ server: RunningServer) async throws -> String {
        let id = UUID().uuidString.lowercased()
        let answer = try await server.ask("POST", "/v1/submissions", ["id": id], as: ann)
        #expect(answer.status == 201)
        #expect(answer.object["status"] as? String == "in_progress")
        return id
    }

    /// Stores the recording that Ann's answers name.
    private func recorded(_ server: RunningServer) async throws {
        let session = UUID().uuidString.lowercased()
        let row = ["id": session, "name": "n", "format": "f", "paper": "p", "startedAt": "2026-11-21T09:12:29Z"]
        #expect(try await server.ask("PUT", "/v1/sessions/\(session)", row, as: ann).status == 201)
        let digest = try #require(ReprDigest(sha256: SHA256.hexadecimal(of: Self.sound)))
        let put = try await server.ask(
            "PUT", "/v1/sessions/\(session)/answers/\(Self.audio)/recording", as: ann,
            headers: [("Content-Type", "audio/ogg"), ("Repr-Digest", digest.field)], bytes: Self.sound)
        #expect(put.status == 201)
    }

    @Test func repeatedAnswersAreOneAttempt() async throws {
        let server = try await RunningServer()
        let id = try await opened(server)
        try await recorded(server)
        let first = try await server.ask("POST", "/submissions/\(id)", ["answers": Self.answers], as: ann)
        #expect(first.status == 202)
        let attempt = try #require(first.object["attemptId"] as? String)
        #expect(UUID(uuidString: attempt) != nil && first.object["message"] is String)
        let again = try await server.ask("POST", "/submissions/\(id)", ["answers": Self.answers], as: ann)
        #expect(again.status == 202 && again.object["attemptId"] as? String == attempt)
        let backwards = try await server.ask(
            "POST", "/submissions/\(id)", ["answers": Array(Self.answers.reversed())], as: ann)
        #expect(backwards.status == 202 && backwards.object["attemptId"] as? String == attempt)
        let other = try await server.ask("POST", "/submissions/\(id)", ["answers": [Self.answers[0]]], as: ann)
        #expect(other.status == 409 && other.code == "already-submitted")
        let state = try await server.ask("GET", "/v1/submissions/\(id)", as: ann)
        #expect(state.object["status"] as? String == "submitted")
        await server.stop()
    }

    @Test func anAttemptMayComeInBatchesInAnyOrder() async throws {
        let server = try await RunningServer()
        let id = try await opened(server)
        func batch(_ number: Int) async throws -> (status: Int, attempt: String?) {
            let body: [String: Any] = ["answers": [Self.answers[number - 1]], "batch": ["number": number, "of": 3]]
            let answer = try await server.ask("POST", "/submissions/\(id)", body, as: ann)
            return (answer.status, answer.object["attemptId"] as? String)
        }
        let first = try await batch(3)
        #expect(first.status == 202 && first.attempt != nil)
        for number in [1, 3, 1] { #expect(try await batch(number) == first) }
        #expect(
            try await server.ask("GET", "/v1/submissions/\(id)", as: ann).object["status"] as? String == "in_progress")
        #expect(try await batch(2) == first)
        #expect(
            try await server.ask("GET", "/v1/submissions/\(id)", as: ann).object["status"] as? String == "submitted")
        await server.stop()
    }

    @Test func onlyItsOwnerSubmits() async throws {
        let server = try await RunningServer()
        let id = try await opened(server)
        let body = ["answers": Self.answers]
        #expect(try await server.ask("POST", "/submissions/\(id)", body, as: nil).status == 401)
        let stranger = try await server.ask("POST", "/submissions/\(id)", body, as: ben)
        #expect(stranger.status == 403 && stranger.code == "not-yours")
        #expect(try await server.ask("POST", "/submissions/\(UUID())", body, as: ann).status == 404)
        #expect(try await server.ask("POST", "/submissions/none", body, as: ann).status == 404)
        #expect(try await server.ask("GET", "/v1/submissions/\(id)", as: ben).status == 404)
        #expect(
            try await server.ask("GET", "/v1/submissions/\(id)", as: ann).object["status"] as? String == "in_progress")
        await server.stop()
    }

    @Test func aSpokenAnswerMustBeTheUsersOwnRecordingWithTheseBytes() async throws {
        let server = try await RunningServer()
        let id = try await opened(server)
        func submit(_ change: [String: Any], as user: UUID) async throws -> HTTPClient.HTTPResponse {
            var spoken = try #require(Self.answers[3]["answer"] as? [String: Any])
            spoken.merge(change) { $1 }
            let mine = user == ann ? id : UUID().uuidString.lowercased()
            if user != ann { _ = try await server.ask("POST", "/v1/submissions", ["id": mine], as: user) }
            let answers = [["questionId": "q4", "answer": spoken]]
            return try await server.ask("POST", "/submissions/\(mine)", ["answers": answers], as: user)
        }
        let early = try await submit([:], as: ann)
        #expect(early.status == 422 && early.code == "no-such-recording")
        try await recorded(server)
        for (change, user) in [
            (["audioId": UUID().uuidString], ann), (["audioId": "a1"], ann),
            (["sha256": String(repeating: "ab", count: 32)], ann), ([:], ben),
        ] {
            let refused = try await submit(change, as: user)
            #expect(refused.status == 422 && refused.code == "no-such-recording", "\(change)")
            #expect((refused.object["detail"] as? String ?? "").contains("answers[0].answer.audioId"))
        }
        #expect(try await submit(["sha256": SHA256.hexadecimal(of: Self.sound).uppercased()], as: ann).status == 202)
        await server.stop()
    }

    /// Numbers as learners type them: with a unit, with grouped thousands, and with either decimal mark.
    @Test(arguments: ["3.50", "-3,5", "+1 500", "1,500.0", ".5", "110 words", "20%", "5 km/h", "7 °C"])
    func aNumberIsTakenAsItIsTyped(_ text: String) throws {
        let sent = AnyAnswer.calculation(numericAnswer: text)
        #expect(try JSONDecoder().decode(AnyAnswer.self, from: JSONEncoder().encode(sent)) == sent)
    }

    @Test func anInvalidAnswerIsRefusedWithItsField() async throws {
        let server = try await RunningServer()
        let id = try await opened(server)
        let cases: [(Any, String)] = [
            ([:] as [String: Any], "answers: is missing"), (["answers": [] as [Any]], "must not be empty"),
            (["answers": 1], "answers: is of the wrong type"),
            (["answers": [["questionId": "q"]]], "answers[0].answer: is missing"),
            (["answers": [["questionId": "q", "answer": ["type": "drawing"]]]], "multipleChoice, multipleResponse"),
            (
                ["answers": [["questionId": "q", "answer": ["type": "multipleChoice", "selectedOption": -1]]]], "option"
            ),
            (["answers": [["questionId": "q", "answer": ["type": "calculation", "numericAnswer": "six"]]]], "number"),
            ("text", "is of the wrong type"),
        ]
        for (body, words) in cases {
            let answer = try await server.ask("POST", "/submissions/\(id)", body, as: ann)
            #expect(answer.status == 400, "\(words)")
            #expect((answer.object["detail"] as? String ?? "").contains(words), "\(answer.text) has not: \(words)")
        }
        let beyond = try await server.ask(
            "POST", "/submissions/\(id)", ["answers": [Self.answers[0]], "batch": ["number": 4, "of": 3]], as: ann)
        #expect(beyond.status == 422 && beyond.code == "contradictory")
        let twice = try await server.ask(
            "POST", "/submissions/\(id)", ["answers": [Self.answers[0], Self.answers[0]]], as: ann)
        #expect(twice.status == 422 && (twice.object["detail"] as? String ?? "").contains("appears twice"))
        let text = try await server.ask(
            "POST", "/submissions/\(id)", as: ann, headers: [("Content-Type", "text/plain")], bytes: Array("x".utf8))
        #expect(text.status == 415)
        await server.stop()
    }
}
