import BackendAPI
import Backends
import Foundation
import HTTPClient
import StoreTrials
import TestSupport
import Testing
import UploadQueue

@testable import ExamServer
@testable import ServerWork

/// `QuizClient` and the queue's quizzes against the server of this package.
@Suite(.bothStores) struct QuizClientAgainstServer {
    private let user = UUID()

    private func client(_ server: RunningServer, _ rights: RunningServer.Rights = .noRole) async throws -> QuizClient {
        let token = try await RunningServer.token(of: user, rights)
        return QuizClient(url: server.url, client: CurlClient(), token: { token })
    }

    /// Returns four questions of the bank with answers, the last of them wrong.
    private func attempt(_ client: QuizClient) async throws -> QuizAttempt {
        let questions = try await client.questions(limit: 4)
        try #require(questions.count == 4)
        #expect(absentFields(of: questions) == [])
        var attempt = QuizAttempt(id: UUID())
        for (place, question) in questions.enumerated() {
            let choice = place < 3 ? question.answerIndex : (question.answerIndex + 1) % question.options.count
            attempt.handle(.answer(question: question.id, .multipleChoice(selectedOption: choice)))
        }
        return attempt
    }

    private func expectGraded(_ state: SubmissionState) {
        #expect(state.isGraded && state.isFinal && state.grading == .done)
        #expect(state.right == 3 && state.count == 4 && state.percentage == 75)
        #expect(absentFields(of: state) == [])
    }

    @Test func anOwnQuizIsOpenedHandedInAndGraded() async throws {
        let server = try await RunningServer()
        let client = try await client(server)
        let attempt = try await attempt(client)
        let submitted = await client.submit(attempt)
        #expect(submitted.failure == nil)
        let state = try await client.state(of: attempt.id)
        expectGraded(state)
        let number = try #require(state.attemptId)
        #expect(submitted.state == .submitted(attempt: number))
        // Submitted again, it is the same attempt.
        #expect(await client.submit(attempt).state == .submitted(attempt: number))
        #expect(try await client.submit(attempt.submission, of: attempt.id).message.isEmpty == false)
        await server.stop()
    }

    @Test func anOpenQuizSaysThatItIsInProgress() async throws {
        let server = try await RunningServer()
        let client = try await client(server)
        let attempt = try await attempt(client)
        let opened = try await client.open(attempt.id)
        #expect(opened.state == "inProgress" && !opened.isFinal)
        #expect(absentFields(of: opened) == ["attemptId", "grading", "right", "count", "percentage"])
        #expect(try await client.open(attempt.id) == opened, "opening the attempt again changes nothing")
        #expect(try await client.state(of: attempt.id) == opened)
        let template = try await client.open(UUID(), template: TemplateIDs.template("ielts-style", "bridges"))
        #expect(template.state == "inProgress")
        let unknown = await #expect(throws: SubmissionFailure.self) { try await client.open(UUID(), template: UUID()) }
        #expect(unknown?.kind == .inconsistent)
        await server.stop()
    }

    @Test func aQuizThatTheBankHasNoKeysForIsFinalWhenItIsHandedIn() async throws {
        let server = try await RunningServer()
        let client = try await client(server)
        var attempt = try await attempt(client)
        attempt.handle(.answer(question: "a question of the application's", .fillInTheBlank(textAnswer: "gave up")))
        #expect(await client.submit(attempt).failure == nil)
        let state = try await client.state(of: attempt.id)
        #expect(state.state == "submitted" && state.grading == .never && state.isFinal && !state.isGraded)
        #expect(absentFields(of: state) == ["right", "count", "percentage"])
        let path = "/v1/submissions/\(attempt.id.uuidString.lowercased())/events"
        #expect(try await server.ask("GET", path, as: user).status == 204, "no events will come")
        await server.stop()
    }

    @Test func aQuizThatWaitedOnDiskIsOpenedAndGraded() async throws {
        let server = try await RunningServer()
        let client = try await client(server)
        let attempt = try await attempt(client)
        let token = try await RunningServer.token(of: user)
        for round in 1...2 {
            let queue = try DeliveryQueue(folder: "\(server.folder)/client-\(round)")
            try queue.add([QuizClient.queued(attempt)])
            let uploader = BackendUploader(url: server.url, client: CurlClient(), token: { token })
            let end = try await queue.send(through: uploader, until: .atRest, deadline: .seconds(60))
            #expect(end.delivered == 1 && end.parked == 0)
            expectGraded(try await client.state(of: attempt.id))
        }
        await server.stop()
    }

    @Test func aPracticeTestIsMadeTakenAndGraded() async throws {
        let server = try await RunningServer()
        let client = try await client(server)
        let made = try await client.makeTest(of: 3)
        #expect(made.state == .ready && made.questions?.count == 3)
        #expect(try await client.tests().map(\.id) == [made.id])
        let test = try await client.start(made.id)
        var attempt = QuizAttempt(of: test)
        for question in try #require(test.questions) {
            #expect(question.isRight == nil && question.rightAnswer == nil && question.explanation == nil)
            attempt.handle(.answer(question: question.id, .multipleChoice(selectedOption: 0)))
        }
        #expect(await client.submit(attempt).failure == nil)
        var state = try await client.state(of: test.id)
        try await eventually("the test is graded") {
            #expect(state.isGraded || state.grading == .waiting)
            state = try await client.state(of: test.id)
            return state.isFinal
        }
        #expect(absentFields(of: state) == [])
        let graded = try await client.test(test.id)
        #expect(graded.state == .graded && graded.result?.right == state.right)
        // It was not planned for a day, did not fail, and has only questions with five choices.
        #expect(
            absentFields(of: graded).subtracting(["topics"]) == [
                "scheduledFor", "failure", "questions.units", "questions.premises",
            ])
        await server.stop()
    }

    @Test func aTestForADayAndOfTopicsSaysSo() async throws {
        let server = try await RunningServer()
        let client = try await client(server)
        let topic = try #require(try await client.questions(limit: 1).first?.topic)
        #expect(try await client.makeTest(of: 2, topics: [topic]).topics == [topic])
        let planned = try await server.ask(
            "POST", "/v1/practice-tests", ["count": 2, "scheduledFor": "2099-12-01"], as: user)
        let test = try JSONDecoder().decode(OfferedTest.self, from: Data(planned.body))
        #expect(planned.status == 201 && test.scheduledFor == "2099-12-01")
        #expect(try await client.tests().contains { $0.scheduledFor == "2099-12-01" })
        await server.stop()
    }

    /// If a deleted test were opened again, the server would store the answers as one of the learner's own quizzes, and
    /// grade them by another order of the options.
    @Test func aPracticeTestThatWasDeletedIsNotOpenedAgain() async throws {
        let server = try await RunningServer()
        let client = try await client(server)
        let test = try await client.start(client.makeTest(of: 1).id)
        let question = try #require(test.questions?.first)
        let path = "/v1/practice-tests/\(test.id.uuidString.lowercased())"
        #expect(try await server.ask("DELETE", path, as: user).status == 204)
        var attempt = QuizAttempt(of: test)
        attempt.handle(.answer(question: question.id, .multipleChoice(selectedOption: 0)))
        let after = await client.submit(attempt)
        #expect(after.state == .inProgress && after.failure?.isEmpty == false)
        await #expect(throws: SubmissionFailure.self) { try await client.state(of: test.id) }
        await server.stop()
    }

    @Test func boardsAreSeenByMembers() async throws {
        let server = try await RunningServer()
        let client = try await client(server, .learner(in: "8 b/c"))
        let before = try await client.boards()
        #expect(before.map(\.group) == ["8 b/c"] && absentFields(of: before) == ["name", "rows"])
        try await client.joinBoard(of: "8 b/c", as: "Ana")
        let joined = try await client.boards()
        #expect(joined.first?.name == "Ana" && joined.first?.rows?.map(\.isYou) == [true])
        #expect(absentFields(of: joined) == [])
        try await client.leaveBoard(of: "8 b/c")
        #expect(try await client.boards() == before)
        await server.stop()
    }

    @Test func aTaskIsKept() async throws {
        let server = try await RunningServer()
        let task = QuizTask(title: "Which?", dueDate: "2026-11-25T12:00:00Z", isComplete: true)
        try await client(server).keep(task)
        let kept = try await server.ask("GET", "/v1/tasks", as: user).object["tasks"] as? [[String: Any]]
        #expect(kept?.map { $0["title"] as? String } == ["Which?"])
        #expect(kept?.map { $0["isComplete"] as? Bool } == [true])
        await server.stop()
    }
}
