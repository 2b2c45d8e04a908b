import Foundation
import HTTPClient
import StoreTrials
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import ExamStore
@testable import RecordingStores

/// A learner tries to replace answers with better ones after an exam: one that the server held, and one that was
/// recorded elsewhere, before and after marking.
@Suite(.bothStores) struct AnswersSwappedAfterwards {
    private let marker = UUID()

    /// Returns the material that a marker gets: the answers and their recordings.
    private func heard(_ exam: SealedExam, _ task: String) async throws -> [String: [UInt8]] {
        let desk = try await exam.ask("GET", "/v1/marking/\(task)", as: marker, .marker).object
        var heard: [String: [UInt8]] = [:]
        for answer in try #require(desk["answers"] as? [[String: Any]]) {
            let (name, recording) = (answer["answer"] as? String ?? "", answer["recording"] as? String ?? "")
            heard[name] = try await exam.ask("GET", recording, as: marker, .marker).body
        }
        return heard
    }

    /// The learner sends a record that says that the answer was begun again, so that the real answer wouldn't count.
    /// Then the learner uploads a recording from home as the second attempt.
    @Test func anAnswerThatTheServerHeldIsNotSwapped() async throws {
        let exam = try await SealedExam()
        let (before, answers) = (try await exam.seal(), try await exam.answers())
        #expect(try await exam.server.services.store.service.askForMarks(of: exam.session, markers: 1))
        let task = try #require(
            try await exam.ask("POST", "/v1/marking", as: marker, .marker).object["task"] as? String)
        let real = try await heard(exam, task)
        #expect(real.count == answers.count && real.values.allSatisfy { $0.count > 100 })

        var refused = 0
        for isMarked in [false, true] {
            if isMarked {
                let sheet =
                    ["bands": ["fluency": 3, "vocabulary": 3, "grammar": 3, "pronunciation": 3], "comments": [Any]()]
                    as [String: Any]
                #expect(
                    try await exam.ask("PUT", "/v1/marking/\(task)/sheet", sheet, as: marker, .marker).status == 201)
            }
            for answer in answers {
                let id = try #require(answer["id"] as? String)
                let stored = try #require(
                    try await exam.server.services.owned(by: exam.learner).recording(UUID(uuidString: id)!))
                let (question, order) = (answer["question"] as? String ?? "", answer["order"] as? Int ?? 1)
                let part = answer["part"] as? Int ?? 1
                let home = HomeRecording("home \(id) \(isMarked)")
                var discarded = home.row(
                    id, of: exam.id, question: question, part: part, order: order, end: "startedAgain")
                discarded["recording"] = [
                    "path": "x.ogg", "byteCount": stored.byteCount, "sha256": stored.sha256,
                    "mediaType": stored.mediaType,
                ]
                let second = UUID().uuidString.lowercased()
                for (path, body, bytes) in [
                    ("\(exam.path)/answers/\(id)", discarded, nil),
                    ("\(exam.path)/answers/\(second)/recording", nil, home.bytes),
                    (
                        "\(exam.path)/answers/\(second)",
                        home.row(second, of: exam.id, question: question, part: part, order: order, attempt: 2), nil
                    ),
                    ("\(exam.path)/answers/\(id)/recording", nil, home.bytes),
                ] as [(String, [String: Any]?, [UInt8]?)] {
                    let said = try await exam.ask(
                        "PUT", path, body, headers: bytes == nil ? [] : home.headers, bytes: bytes)
                    #expect(said.status == 409, "\(path): \(said.status) \(said.text)")
                    refused += said.status == 409 ? 1 : 0
                }
            }
            let again: [String: Any] = [
                "id": UUID().uuidString, "session": exam.id, "completedAt": "2026-11-22T09:10:00Z",
                "outcome": "completed", "answers": 12, "delivered": 12,
            ]
            let completed = try await exam.ask("PUT", exam.path + "/completion", again)
            #expect(completed.status == 409 && completed.code == "sealed")
            #expect(completed.object["detail"] as? String == APIProblem.sealed.detail, "it says why")
            refused += completed.status == 409 ? 1 : 0
        }
        #expect(refused == 2 * (4 * answers.count + 1))
        print("answers swapped: \(refused) of \(refused) requests refused, \(answers.count) answers")
        try await exam.expectUnchanged(before, "no request changed the exam")
        #expect(try await heard(exam, task) == real, "the marker hears the original recording")
        // The storage contains nothing of the recordings from home.
        let keys = try await exam.node.backend.audio.keys(of: exam.session, user: exam.learner)
        #expect(keys.count == answers.count)
        try await exam.stop()
    }

    /// The server marks an exam that was recorded elsewhere as such, and seals it when it is completed.
    @Test func anUploadedExamDoesNotChangeOnceItIsCompleted() async throws {
        let school = try await School()
        let (session, learner) = try await school.sat(answers: 1)
        let path = "/v1/sessions/\(session)"
        let before = try await school.ask("GET", path + "/seal", as: learner).object
        #expect(before["state"] as? String == "sealed" && before["held"] as? String == "client")
        try await school.askForMarks(of: session, by: 1)
        let task = try #require(try await school.take(as: marker))
        #expect(try await school.save(School.sheet(3), of: task, as: marker).status == 201)
        let results = try await school.marked(session, learner)
        let answer = try #require((results["answers"] as? [[String: Any]])?.first)
        let (id, home) = (answer["id"] as? String ?? "", HomeRecording())
        let (second, ninth) = (UUID().uuidString.lowercased(), UUID().uuidString.lowercased())
        func row(_ id: String, _ question: String, _ order: Int, _ attempt: Int, _ end: String) -> [String: Any] {
            home.row(id, of: session, question: question, order: order, attempt: attempt, end: end)
        }
        var discarded = row(id, "part1-home-1", 1, 1, "discarded")
        let stored = try #require(
            try await school.server.services.owned(by: learner).recording(UUID(uuidString: id)!))
        discarded["recording"] = [
            "path": "x", "byteCount": stored.byteCount, "sha256": stored.sha256, "mediaType": stored.mediaType,
        ]
        let attacks: [(path: String, body: [String: Any]?, bytes: [UInt8]?)] = [
            ("\(path)/answers/\(second)/recording", nil, home.bytes),
            ("\(path)/answers/\(second)", row(second, "part1-home-1", 1, 2, "silence"), nil),
            ("\(path)/answers/\(ninth)/recording", nil, home.bytes),
            ("\(path)/answers/\(ninth)", row(ninth, "p1-q9", 9, 1, "silence"), nil),
            ("\(path)/answers/\(id)", discarded, nil),
            (
                "\(path)/completion",
                [
                    "id": UUID().uuidString, "session": session, "completedAt": "2026-11-23T09:10:00Z", "answers": 3,
                    "delivered": 3,
                ], nil
            ),
            (
                path,
                [
                    "id": session, "name": "official mock, proctored", "format": "ielts-style", "paper": "bridges",
                    "startedAt": "2026-01-01T09:00:00Z",
                ], nil
            ),
        ]
        var refused: [String] = []
        for attack in attacks {
            let said = try await school.server.ask(
                "PUT", attack.path, attack.body, as: learner, headers: attack.bytes == nil ? [] : home.headers,
                bytes: attack.bytes)
            #expect(said.status == 409, "\(attack.path): \(said.status) \(said.text)")
            refused.append(said.code)
        }
        #expect(refused == Array(repeating: "sealed", count: attacks.count))
        let after = try await school.ask("GET", path + "/seal", as: learner).object
        #expect(after["state"] as? String == "sealed" && after["seal"] as? String == before["seal"] as? String)

        // Teachers and markers see that it was recorded elsewhere, and that its marks rest on the sealed recordings.
        let list = try await school.ask(
            "GET", "/v1/groups/\(School.group.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!)/sessions",
            as: school.teacher, .teacher(of: School.group))
        let listed = try #require(
            (list.object["sessions"] as? [[String: Any]])?.first { $0["id"] as? String == session })
        #expect(listed["held"] as? String == "client" && listed["seal"] as? String == before["seal"] as? String)
        let desk = try await school.ask("GET", "/v1/marking/\(task)", as: marker, .marker).object
        let told = try #require(desk["task"] as? [String: Any])
        #expect(told["held"] as? String == "client" && told["seal"] as? String == before["seal"] as? String)
        let evidence = try #require(try await school.results(session, as: learner)["evidence"] as? [String: Any])
        #expect(evidence["state"] as? String == "sealed" && evidence["seal"] as? String == before["seal"] as? String)
        let kinds = (after["entries"] as? [[String: Any]])?.map { $0["kind"] as? String ?? "" } ?? []
        #expect(kinds.contains("marks") && kinds.last == "result", "\(kinds)")
        // A report says so, too.
        let report = try await school.ask("GET", path + "/report", as: school.teacher, .teacher(of: School.group))
        #expect(report.text.contains("recorded elsewhere"))
        await school.server.stop()
    }
}
