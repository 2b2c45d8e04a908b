import Foundation
import HTTPClient
import Learning
import StoreTrials
import Study
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import ExamStore
@testable import ServerWork

/// Practice tests over HTTP: made, taken, submitted like submissions, and graded by any node.
@Suite(.bothStores) struct PracticeTestsOverHTTP {
    private func made(_ learner: Learner, _ wish: [String: Any] = ["count": 4, "seed": 7]) async throws -> [String: Any]
    {
        let test = try await learner.told("POST", "practice-tests", wish)
        #expect(test["state"] as? String == "ready" && test["result"] == nil)
        return test
    }

    private static func questions(_ test: [String: Any]) throws -> [[String: Any]] {
        try #require(test["questions"] as? [[String: Any]])
    }

    /// Returns the right answer to a question of a test from the core's bank, with the option's place in the test's
    /// order.
    private static func right(_ question: [String: Any]) throws -> [String: Any] {
        let known = try #require(PracticeContent.builtIn.bank.first { $0.id == question["id"] as? String })
        guard case .multipleChoice(let key) = known.key else { return try Learner.wire(known.solution) }
        let options = try #require(question["options"] as? [String])
        let place = try #require(options.firstIndex(of: key.options[key.correct]))
        return ["type": "multipleChoice", "selectedOption": place]
    }

    private static func wrong(_ question: [String: Any]) throws -> [String: Any] {
        let right = try #require(try Self.right(question)["selectedOption"] as? Int)
        return ["type": "multipleChoice", "selectedOption": (right + 1) % 5]
    }

    private func graded(_ id: String, _ learner: Learner) async throws -> [String: Any] {
        var told: [String: Any] = [:]
        try await eventually("the test is graded") {
            told = try await learner.told("GET", "practice-tests/\(id)")
            return told["state"] as? String == "graded"
        }
        return told
    }

    @Test func aTestIsTakenChangedHandedInAndGraded() async throws {
        let server = try await RunningServer()
        let learner = Learner(server: server)
        let test = try await made(learner)
        let id = try #require(test["id"] as? String)
        let questions = try Self.questions(test)
        #expect(questions.count == 4 && questions.allSatisfy { $0["rightAnswer"] == nil && $0["explanation"] == nil })
        let first = try #require(questions[0]["id"] as? String)
        let kept: [String: Any] = ["answer": try Self.wrong(questions[0]), "seconds": 4.5]
        // Answers to a test that has not begun are refused.
        let early = try await learner.ask("PUT", "practice-tests/\(id)/answers/\(first)", kept)
        #expect(early.status == 409 && early.code == "not-in-progress")
        let tooEarly = try await learner.ask("POST", "submissions/\(id)", ["answers": [Any]()])
        #expect(tooEarly.status == 409 && tooEarly.code == "not-in-progress", "\(tooEarly.text)")
        #expect(try await learner.told("POST", "practice-tests/\(id)/start")["state"] as? String == "inProgress")
        #expect(try await learner.told("POST", "practice-tests/\(id)/start")["state"] as? String == "inProgress")

        #expect(try await learner.ask("PUT", "practice-tests/\(id)/answers/\(first)", kept).status == 204)
        let better: [String: Any] = ["answer": try Self.right(questions[0]), "seconds": 6.5]
        // Sent twice, as after a lost reply: the time counts once.
        for _ in 1...2 {
            #expect(try await learner.ask("PUT", "practice-tests/\(id)/answers/\(first)", better).status == 204)
        }
        let going = try Self.questions(try await learner.told("GET", "practice-tests/\(id)"))
        #expect(going[0]["seconds"] as? Double == 6.5 && going[1]["seconds"] == nil)
        for (question, answer, status) in [
            ("none", try Self.right(questions[0]), 404),
            (first, ["type": "fillInTheBlank", "textAnswer": "x"], 422),
            (first, ["type": "multipleChoice", "selectedOption": 5], 422),
        ] as [(String, [String: Any], Int)] {
            let refused = try await learner.ask(
                "PUT", "practice-tests/\(id)/answers/\(question)", ["answer": answer])
            #expect(refused.status == status, "\(refused.text)")
        }
        let board = try await learner.told("GET", "practice-tests")
        #expect((board["current"] as? [String: Any])?["answered"] as? Int == 1)

        // The second answer is stored and then submitted differently, the third is submitted wrong, and the fourth
        // question has no answer.
        let second = try #require(questions[1]["id"] as? String)
        #expect(
            try await learner.ask(
                "PUT", "practice-tests/\(id)/answers/\(second)", ["answer": try Self.wrong(questions[1])]
            ).status == 204)
        let body: [String: Any] = [
            "answers": [
                ["questionId": second, "answer": try Self.right(questions[1])],
                ["questionId": try #require(questions[2]["id"]), "answer": try Self.wrong(questions[2])],
            ]
        ]
        let submitted = try await learner.ask("POST", "submissions/\(id)", body)
        try #require(submitted.status == 202, "\(submitted.text)")
        #expect(submitted.object["message"] as? String == "Your answers are submitted and pending grading.")
        let attempt = try #require(submitted.object["attemptId"] as? String)
        let again = try await learner.ask("POST", "submissions/\(id)", body)
        #expect(again.status == 202 && again.object["attemptId"] as? String == attempt)
        let otherwise = try await learner.ask("POST", "submissions/\(id)", ["answers": [Any]()])
        #expect(otherwise.status == 409 && otherwise.code == "already-submitted")
        let late = try await learner.ask("PUT", "practice-tests/\(id)/answers/\(first)", better)
        #expect(late.status == 409 && late.code == "not-in-progress")

        let told = try await graded(id, learner)
        let result = try #require(told["result"] as? [String: Any])
        #expect(
            result["right"] as? Int == 2 && result["percentage"] as? Int == 50 && result["grade"] as? String == "orange"
        )
        #expect(result["seconds"] as? Double == 6.5)
        let verdicts = try Self.questions(told).map { $0["isRight"] as? Bool }
        #expect(verdicts == [true, true, false, false])
        for (question, before) in zip(try Self.questions(told), questions) {
            let right = try #require(question["rightAnswer"] as? [String: Any])
            #expect(NSDictionary(dictionary: right) == NSDictionary(dictionary: try Self.right(before)))
            #expect(question["explanation"] is String)
        }
        let standing = try await learner.told("GET", "submissions/\(id)")
        #expect(standing["state"] as? String == "graded" && standing["status"] as? String == "graded")
        #expect(
            standing["right"] as? Int == 2 && standing["count"] as? Int == 4 && standing["percentage"] as? Int == 50)
        let figures = try await learner.told("GET", "practice")["statistics"] as? [String: Any]
        #expect(figures?["tests"] as? Int == 1 && figures?["averageTestScore"] as? Double == 0.5)
        await server.stop()
    }

    @Test func answersOfATestAreCheckedAgainstItsQuestions() async throws {
        let server = try await RunningServer()
        let learner = Learner(server: server)
        let test = try await made(learner)
        let id = try #require(test["id"] as? String)
        _ = try await learner.told("POST", "practice-tests/\(id)/start")
        let question = try Self.questions(test)[0]
        func submit(_ question: Any?, _ answer: [String: Any]) async throws -> HTTPClient.HTTPResponse {
            try await learner.ask(
                "POST", "submissions/\(id)",
                ["answers": [["questionId": question ?? "", "answer": answer]], "batch": ["number": 2, "of": 2]])
        }
        for (name, answer, field) in [
            ("none", try Self.right(question), "answers[0].questionId"),
            (question["id"], ["type": "calculation", "numericAnswer": "5 km"], "answers[0].answer"),
            (question["id"], ["type": "multipleChoice", "selectedOption": 7], "answers[0].answer"),
        ] as [(Any?, [String: Any], String)] {
            let refused = try await submit(name, answer)
            #expect(refused.status == 422 && refused.text.contains(field), "\(refused.text)")
        }
        let nothing = try await learner.ask("POST", "submissions", ["id": UUID().uuidString.lowercased()])
        let quiz = try #require(nothing.object["id"] as? String)
        #expect(try await learner.ask("POST", "submissions/\(quiz)", ["answers": [Any]()]).status == 400)
        // Batches may come in any order. The test is graded when all are there.
        #expect(try await submit(question["id"], Self.right(question)).status == 202)
        #expect(try await learner.told("GET", "practice-tests/\(id)")["state"] as? String == "inProgress")
        let last: [String: Any] = ["answers": [Any](), "batch": ["number": 1, "of": 2]]
        #expect(try await learner.ask("POST", "submissions/\(id)", last).status == 202)
        #expect((try await graded(id, learner)["result"] as? [String: Any])?["right"] as? Int == 1)
        await server.stop()
    }

    /// The node that took the submission is gone, and the worker that claimed it was killed. When the lease has run
    /// out, the submission is graded once.
    @Test func anotherNodeGradesWhatAKilledOneHad() async throws {
        let database = try await TestDatabase.migrated()
        var store = try database.open()
        var learner = Learner(server: try await RunningServer(store: store, workers: 0))
        let test = try await made(learner)
        let id = try #require(test["id"] as? String)
        _ = try await learner.told("POST", "practice-tests/\(id)/start")
        #expect(try await learner.ask("POST", "submissions/\(id)", ["answers": [Any]()]).status == 202)
        #expect(try await learner.told("GET", "submissions/\(id)")["state"] as? String == "submitted")
        let killed = try #require(try await store.service.claimTest(.submitted, seconds: 60))
        let grading = TestGraders(services: learner.server.services)
        #expect(try await !grading.gradeOne(), "the killed node still has it")
        await learner.server.stop()

        store = try database.open()
        try await store.migrate()
        // Let the lease expire.
        try await store.service.write { _ = try $0.change("UPDATE practice_tests SET until = 0") }
        learner.server = try await RunningServer(store: store)
        #expect((try await graded(id, learner)["result"] as? [String: Any])?["right"] as? Int == 0)
        // The killed worker's grade comes too late.
        #expect(try await !store.service.grade(killed, result: "{}", line: "x"))
        let lines = try await learner.told("GET", "practice/export")["lines"] as? [String] ?? []
        #expect(lines.count { $0.contains(" tested ") } == 1 && lines.contains { $0.hasSuffix("0 4 0.0") }, "\(lines)")
        await learner.server.stop()
    }

    @Test func gradingIsReportedOnceAlsoToLateClients() async throws {
        let server = try await RunningServer(workers: 0)
        let learner = Learner(server: server)
        let token = try await RunningServer.token(of: learner.user)
        let test = try await made(learner)
        let id = try #require(test["id"] as? String)
        _ = try await learner.told("POST", "practice-tests/\(id)/start")
        let waiting = try EventStream(server.port, token: token, path: "/v1/submissions/\(id)/events")
        #expect(waiting.status == 200 && waiting.head.lowercased().contains("text/event-stream"))
        let submitted = try await learner.told("POST", "submissions/\(id)", ["answers": [Any]()])
        #expect(try await TestGraders(services: server.services).gradeOne())
        #expect(try await !TestGraders(services: server.services).gradeOne())
        let later = try EventStream(server.port, token: token, path: "/v1/submissions/\(id)/events")
        for stream in [waiting, later] {
            let event = try #require(try stream.next())
            #expect(event.name == "graded" && event.id == "1")
            #expect(event.object["attemptId"] as? String == submitted["attemptId"] as? String)
            #expect(event.object["submissionId"] as? String == id && event.object["count"] as? Int == 4)
            #expect(event.object["percentage"] as? Int == 0)
            #expect(try stream.next() == nil, "the stream ends after the grade")
        }
        let told = try EventStream(server.port, token: token, last: "1", path: "/v1/submissions/\(id)/events")
        #expect(told.status == 204)
        let stranger = try await Learner(server: server).ask("GET", "submissions/\(id)/events")
        #expect(stranger.status == 404)
        await server.stop()
    }

    /// A client that waits at one node hears when another node has graded.
    @Test(.store(only: .postgres, because: "Nodes hear of each other through PostgreSQL."), .endsIfItHangs)
    func gradingByAnotherNodeIsReportedAtOnce() async throws {
        try await withTwoPracticeNodes(workers: [0, 1]) { nodes in
            let learner = Learner(server: nodes[0])
            let id = try #require(try await made(learner)["id"] as? String)
            _ = try await learner.told("POST", "practice-tests/\(id)/start")
            let token = try await RunningServer.token(of: learner.user)
            let waiting = try EventStream(nodes[0].port, token: token, path: "/v1/submissions/\(id)/events")
            // Nodes also look by themselves twice a minute. That is switched off here, so that only the event can bring
            // the news.
            for node in nodes { node.services.store.wakeUps.endSafetyNet() }
            _ = try await learner.told("POST", "submissions/\(id)", ["answers": [Any]()])
            let event = try await onThread { try waiting.next() }
            #expect(event?.name == "graded" && event?.object["submissionId"] as? String == id)
        }
    }

    /// Every answer that was confirmed counts, even right before the submission.
    @Test func noAnswerThatWasKeptIsLost() async throws {
        try await withTwoPracticeNodes { nodes in
            let user = UUID()
            let learner = Learner(server: nodes[0], user: user)
            for round in 0..<3 {
                let test = try await made(learner, ["count": 8, "seed": round])
                let id = try #require(test["id"] as? String)
                _ = try await learner.told("POST", "practice-tests/\(id)/start")
                let answers = try Self.questions(test).map {
                    (try #require($0["id"] as? String), try #require(try Self.right($0)["selectedOption"] as? Int))
                }
                let kept = try await withThrowingTaskGroup(of: Int.self) { group in
                    for (place, (question, option)) in answers.enumerated() {
                        group.addTask {
                            let status = try await Learner(server: nodes[place % 2], user: user).ask(
                                "PUT", "practice-tests/\(id)/answers/\(question)",
                                ["answer": ["type": "multipleChoice", "selectedOption": option]]
                            ).status
                            #expect([204, 409].contains(status))
                            return status == 204 ? 1 : 0
                        }
                        guard place == 3 else { continue }
                        group.addTask {
                            let submitted = try await Learner(server: nodes[1], user: user).ask(
                                "POST", "submissions/\(id)", ["answers": [Any]()])
                            #expect(submitted.status == 202, "\(submitted.text)")
                            return 0
                        }
                    }
                    return try await group.reduce(0, +)
                }
                #expect((try await graded(id, learner)["result"] as? [String: Any])?["right"] as? Int == kept)
            }
        }
    }

    @Test func onlyItsMakerSeesATest() async throws {
        let server = try await RunningServer { $0.limits.practiceTests = 2 }
        let (ann, ben) = (Learner(server: server), Learner(server: server))
        let id = try #require(try await made(ann)["id"] as? String)
        let question = "practice-tests/\(id)/answers/food-1"
        for (method, path, body) in [
            ("GET", "practice-tests/\(id)", nil), ("DELETE", "practice-tests/\(id)", nil),
            ("POST", "practice-tests/\(id)/start", nil), ("POST", "practice-tests/\(id)/retry", nil),
            ("PUT", question, ["answer": ["type": "multipleChoice", "selectedOption": 1]]),
            ("GET", "submissions/\(id)", nil),
        ] as [(String, String, [String: Any]?)] {
            #expect(try await ben.ask(method, path, body).status == 404, "\(method) \(path)")
        }
        let answers = [["questionId": "q", "answer": ["type": "fillInTheBlank", "textAnswer": "x"]]]
        #expect(try await ben.ask("POST", "submissions/\(id)", ["answers": answers]).status == 403)
        #expect((try await ben.told("GET", "practice-tests")["others"] as? [Any])?.isEmpty == true)
        #expect(try await ann.ask("POST", "practice-tests/\(id)/retry").status == 409)

        _ = try await made(ann)
        let third = try await ann.ask("POST", "practice-tests", ["count": 3])
        #expect(third.status == 429 && third.code == "tests-used-up", "\(third.text)")
        #expect(try await ben.ask("POST", "practice-tests", ["count": 3]).status == 201)
        #expect(try await ann.ask("DELETE", "practice-tests/\(id)").status == 204)
        #expect(try await ann.ask("GET", "submissions/\(id)").status == 404)
        #expect(try await ann.ask("POST", "practice-tests", ["count": 3]).status == 201)
        await server.stop()
    }

    @Test func invalidWishesAreNamedAndTheSameWishIsTheSameTest() async throws {
        let server = try await RunningServer()
        let learner = Learner(server: server)
        for (wish, status, words) in [
            ([:], 400, "count"), (["count": 101], 400, "count"), (["count": 3, "from": "friend"], 400, "from"),
            (["count": 3, "from": "model"], 400, "no model writes tests"),
            (["count": 3, "scheduledFor": "2026-02-31"], 422, "scheduledFor"),
            (["count": 3, "difficulty": "easy"], 400, "difficulty"),
            (["count": 3, "topics": ["food", "volcanoes"]], 400, "topics[1]: volcanoes: the bank has no questions"),
        ] as [([String: Any], Int, String)] {
            let answer = try await learner.ask("POST", "practice-tests", wish)
            #expect(answer.status == status && answer.text.contains(words), "\(wish): \(answer.text)")
        }
        let wish: [String: Any] = ["count": 5, "topics": ["food"], "seed": 3, "scheduledFor": "2099-01-01"]
        let (one, other) = (try await made(learner, wish), try await made(learner, wish))
        #expect(
            try NSArray(array: Self.questions(one)) == NSArray(array: Self.questions(other)),
            "the same seed draws the same questions")
        let board = try await learner.told("GET", "practice-tests")
        #expect((board["scheduled"] as? [Any])?.count == 2 && board["current"] == nil)
        await server.stop()
    }
}
