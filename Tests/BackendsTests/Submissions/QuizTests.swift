import BackendAPI
import Foundation
import HTTPClient
import Synchronization
import Testing
import UploadQueue

@testable import Backends

/// A simulated network that records requests, and answers as the test says.
private final class MockNetwork: HTTPExchanging {
    private let asked = Mutex<[HTTPRequest]>([])
    private let answer: @Sendable (Int) throws(HTTPFailure) -> HTTPResponse

    /// - Parameter answer: Returns the answer to the request with this number, from 0.
    init(_ answer: @escaping @Sendable (Int) throws(HTTPFailure) -> HTTPResponse) { self.answer = answer }

    convenience init(status: Int, _ body: String, type: String = "application/json") {
        self.init { _ in HTTPResponse(status: status, headers: ["content-type": type], body: Array(body.utf8)) }
    }

    var requests: [HTTPRequest] { asked.withLock { $0 } }

    func exchange(
        _ request: HTTPRequest, limits: HTTPLimits, sent: @escaping @Sendable (Int) -> Void
    ) async throws(HTTPFailure) -> HTTPResponse {
        let number = asked.withLock { asked in
            asked.append(request)
            return asked.count - 1
        }
        return try answer(number)
    }
}

@Suite struct QuizTests {
    private static let attemptId = UUID(uuidString: "9D9E7A3B-0B5C-4B84-9D6C-7F0C2E6E1A11")!
    private static let accepted = """
        {"attemptId":"9d9e7a3b-0b5c-4b84-9d6c-7f0c2e6e1a11","message":"Your answers are submitted and pending grading."}
        """

    private var attempt: QuizAttempt {
        var attempt = QuizAttempt(id: UUID(uuidString: "11111111-2222-4333-8444-555555555555")!)
        attempt.handle(.answer(question: "q2", .fillInTheBlank(textAnswer: "on the other hand")))
        attempt.handle(.answer(question: "q1", .multipleChoice(selectedOption: 1)))
        attempt.handle(.answer(question: "q1", .multipleChoice(selectedOption: 2)))
        attempt.handle(.answer(question: "q3", .calculation(numericAnswer: "3,5")))
        return attempt
    }

    private func client(_ network: MockNetwork, token: String? = "good") -> QuizClient {
        QuizClient(url: "https://exams.example.org/", client: network) { () throws(DeliveryFailure) in token }
    }

    // MARK: - Requests

    @Test func answersAreBuiltFromAnAttempt() {
        let submission = attempt.submission
        #expect(submission.answers.map(\.questionId) == ["q1", "q2", "q3"] && submission.batch == nil)
        #expect(submission.answers[0].answer == .multipleChoice(selectedOption: 2), "the last answer counts")
    }

    @Test func theRequestIsTheWiresJSON() async throws {
        let network = MockNetwork(status: 202, Self.accepted)
        _ = await client(network).submit(attempt)
        guard case .bytes(let body) = try #require(network.requests.first).body else {
            Issue.record("there is no body")
            return
        }
        let wire = """
            {"answers":[{"answer":{"selectedOption":2,"type":"multipleChoice"},"questionId":"q1"},\
            {"answer":{"textAnswer":"on the other hand","type":"fillInTheBlank"},"questionId":"q2"},\
            {"answer":{"numericAnswer":"3,5","type":"calculation"},"questionId":"q3"}]}
            """
        #expect(String(decoding: body, as: UTF8.self) == wire)
        #expect(try JSONDecoder().decode(QuizSubmissionRequest.self, from: Data(body)) == attempt.submission)
    }

    @Test func aMockNetworkTakesASubmission() async throws {
        let network = MockNetwork(status: 202, Self.accepted)
        let submitted = await client(network).submit(attempt)
        #expect(submitted.state == .submitted(attempt: Self.attemptId))
        #expect(submitted.failure == nil)
        let request = try #require(network.requests.first)
        #expect(request.method == "POST")
        #expect(request.url == "https://exams.example.org/v1/submissions/11111111-2222-4333-8444-555555555555")
        let token = request.headers.first(where: { $0.name == "Authorization" })?.value
        #expect(token == "Bearer good")
    }

    // MARK: - States

    @Test func statesFollowTheirEvents() throws {
        var attempt = attempt
        func goes(_ event: QuizAttempt.Event) -> Bool { attempt.handle(event) }
        let failure = QuizAttempt.Event.failed(SubmissionFailure(.timeout, "no answer"))
        let success = QuizAttempt.Event.succeeded(QuizSubmissionResponse(attemptId: Self.attemptId, message: ""))
        let late = QuizAttempt.Event.answer(question: "q9", .multipleChoice(selectedOption: 0))
        let answers = attempt.answers
        #expect(!goes(failure))
        #expect(!goes(success))
        #expect(goes(.submit))
        #expect(attempt.state == .submitting)
        #expect(!goes(.submit))
        #expect(!goes(late))
        // It returns to the state before.
        #expect(goes(failure))
        #expect(attempt.state == .inProgress && attempt.answers == answers && attempt.failure == "no answer")
        #expect(goes(.submit))
        #expect(attempt.failure == nil)
        #expect(goes(success))
        for event in [QuizAttempt.Event.submit, failure, late] { #expect(!goes(event)) }
        let kept = try JSONEncoder().encode(attempt)
        #expect(try JSONDecoder().decode(QuizAttempt.self, from: kept) == attempt)
        var empty = QuizAttempt(id: UUID())
        let isSubmitted = empty.handle(.submit)
        #expect(!isSubmitted, "nothing was answered")
    }

    /// Each kind of failure with its message, and whether to offer a retry.
    @Test(arguments: [
        (400, "wrong-answers", SubmissionFailure.Kind.wrongAnswerFormat, false),
        (400, "malformed", .missingField, false), (401, "no-token", .signInNeeded, false),
        (403, "not-yours", .refused, false), (404, "not-found", .inconsistent, false),
        (409, "not-in-progress", .inconsistent, false), (422, "contradictory", .wrongAnswerFormat, false),
        (500, "", .serverProblem, true), (503, "maintenance", .maintenance, true), (503, "busy", .serverProblem, true),
    ]) func refusalsAreReportedAndAnswersStay(
        _ status: Int, _ code: String, _ kind: SubmissionFailure.Kind, _ isRetryable: Bool
    ) async throws {
        let problem = "{\"type\":\"https://x/problems/\(code)\",\"title\":\"Title\",\"detail\":\"Detail.\"}"
        let network = MockNetwork(status: status, problem, type: "application/problem+json")
        let failure = await #expect(throws: SubmissionFailure.self) {
            try await client(network).submit(attempt.submission, of: attempt.id)
        }
        #expect(failure?.kind == kind && failure?.isRetryable == isRetryable, "\(failure.debugDescription)")
        let after = await client(network).submit(attempt)
        #expect(after.state == .inProgress && after.answers == attempt.answers && after.failure == failure?.sentence)
    }

    @Test(arguments: [
        (HTTPFailure.Kind.networkUnavailable, SubmissionFailure.Kind.connectionFailed), (.timeout, .timeout),
        (.cancelled, .cancelled),
    ]) func aMissingAnswerComesWithAReason(_ why: HTTPFailure.Kind, _ kind: SubmissionFailure.Kind) async {
        let network = MockNetwork { _ throws(HTTPFailure) in throw HTTPFailure(why, "the cable is out") }
        let failure = await #expect(throws: SubmissionFailure.self) {
            try await client(network).submit(attempt.submission, of: attempt.id)
        }
        #expect(failure?.kind == kind)
    }

    @Test func aForeignPageIsNotAnAnswer() async {
        let network = MockNetwork(status: 200, "<html>Please log in to the hotel's network</html>", type: "text/html")
        #expect(await client(network).submit(attempt).state == .inProgress)
        let odd = MockNetwork(status: 202, "{\"attemptId\":7}")
        let failure = await #expect(throws: SubmissionFailure.self) {
            try await client(odd).submit(attempt.submission, of: attempt.id)
        }
        #expect(failure?.kind == .inconsistent)
    }

    // MARK: - Grades and the item bank

    @Test func aGradeIsRead() async throws {
        let waiting = MockNetwork(
            status: 200, "{\"attemptId\":\"9d9e7a3b-0b5c-4b84-9d6c-7f0c2e6e1a11\",\"state\":\"submitted\"}")
        #expect(try await !client(waiting).state(of: attempt.id).isGraded)
        let graded = MockNetwork(
            status: 200,
            """
            {"attemptId":"9d9e7a3b-0b5c-4b84-9d6c-7f0c2e6e1a11","state":"graded","right":2,"count":3,"percentage":67}
            """)
        let state = try await client(graded).state(of: attempt.id)
        #expect(state.isGraded && state.right == 2 && state.percentage == 67)
    }

    @Test func theItemBankIsAsked() async throws {
        let network = MockNetwork(
            status: 200,
            """
            [{"id":"food-1","question":"Which?","options":["a","b"],"answerIndex":1,"explanation":"B.","topic":"food",
            "difficulty":"Easy"}]
            """)
        let questions = try await client(network).questions(topic: "food & drink", limit: 5)
        #expect(questions.map(\.id) == ["food-1"] && questions[0].answerIndex == 1)
        #expect(network.requests[0].url == "https://exams.example.org/v1/questions?limit=5&topic=food%20%26%20drink")
        let tasks = MockNetwork(status: 201, "{\"id\":\"own-1\"}")
        try await client(tasks).keep(QuizTask(title: "Which?", dueDate: "2026-11-25T12:00:00Z", isComplete: true))
        #expect(tasks.requests[0].url.hasSuffix("/v1/tasks"))
    }

    // MARK: - Without a network

    @Test func anAttemptWaitsAsAnUploadAndIsTakenAsIfItWereSent() async throws {
        let upload = try QuizClient.queued(attempt)
        #expect(try QuizClient.queued(attempt) == upload, "handing the attempt in again gives the same upload")
        let network = MockNetwork(status: 202, Self.accepted)
        let uploader = BackendUploader(url: "https://exams.example.org", client: network) {
            () throws(DeliveryFailure) in "good"
        }
        let courier = Courier(note: nil, arrived: { 0 }, keep: { _ in }, sent: { _ in })
        try await uploader.deliver(upload, with: courier)
        let direct = MockNetwork(status: 202, Self.accepted)
        _ = await client(direct).submit(attempt)
        #expect(network.requests.map(\.url) == direct.requests.map(\.url))
        #expect(network.requests.map(\.body) == direct.requests.map(\.body))
    }
}
