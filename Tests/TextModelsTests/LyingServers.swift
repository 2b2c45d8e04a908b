import Foundation
import HTTPClient
import Learning
import LoopbackServers
import Synchronization
import Testing

@testable import TextModels

/// Tests of models behind a server that gives arbitrary answers: the result is a reply, or a failure that says what to
/// do.
@Suite struct LyingServers {
    private let prompt = ModelPrompt(
        rules: "Be brief.", material: "{}", schema: #"{"type":"object"}"#, name: "answer", longest: 100)

    private static func json(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: ["content-type": "application/json"], body: Array(text.utf8))
    }

    /// Asks a model on a server that gives these answers.
    ///
    /// - Returns: the result and the requests.
    private func ask(
        _ model: (String, ServiceCaller) -> any TextModel, _ answer: @escaping @Sendable (Int) -> HTTPResponse
    ) async throws -> (result: Result<ModelReply, ServiceFailure>, asked: [HTTPRequest]) {
        let asked = Asked()
        let server = try HTTPServer { request in answer(asked.add(request)) }
        defer { server.stop() }
        // Attempts follow each other without waiting.
        let caller = ServiceCaller(time: .seconds(60), answerBytes: 100_000, sleep: { _ in })
        let result: Result<ModelReply, ServiceFailure>
        do throws(ServiceFailure) {
            result = .success(try await model(server.url, caller).reply(to: prompt, seed: 7, key: "k"))
        } catch {
            result = .failure(error)
        }
        return (result, asked.all)
    }

    private final class Asked: Sendable {
        private let requests = Mutex<[HTTPRequest]>([])

        /// Records a request and returns its number, from 0.
        func add(_ request: HTTPRequest) -> Int {
            requests.withLock {
                $0.append(request)
                return $0.count - 1
            }
        }

        var all: [HTTPRequest] { requests.withLock { $0 } }
    }

    private static func openAI(_ address: String, _ caller: ServiceCaller) -> any TextModel {
        OpenAIChat(model: "m", address: address + "/v1", key: "secret", caller: caller)
    }

    private static func ollama(_ address: String, _ caller: ServiceCaller) -> any TextModel {
        OllamaChat(model: "m", address: address, caller: caller)
    }

    private func body(_ request: HTTPRequest) throws -> [String: Any] {
        guard case .bytes(let bytes) = request.body else { return [:] }
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    @Test(arguments: [
        (#"{"choices":[{"finish_reason":"stop","message":{"content":"yes"}}]}"#, ModelReply.text("yes")),
        (#"{"choices":[{"finish_reason":"length","message":{"content":"ye"}}]}"#, .cutOff),
        (#"{"choices":[{"finish_reason":"stop","message":{"content":null,"refusal":"no"}}]}"#, .declined),
        (#"{"choices":[{"finish_reason":"content_filter","message":{"content":"y"}}]}"#, .declined),
        (#"{"choices":[{"message":{}}]}"#, .declined),
    ]) func aCompletionIsRead(_ text: String, _ reply: ModelReply) async throws {
        let (result, asked) = try await ask(Self.openAI) { _ in Self.json(text) }
        #expect(result == .success(reply))
        let sent = try body(try #require(asked.first))
        #expect(sent["seed"] as? Int == 7 && sent["max_tokens"] as? Int == 100 && sent["model"] as? String == "m")
        #expect(asked[0].headers.contains { $0.name.lowercased() == "authorization" && $0.value == "Bearer secret" })
        #expect(asked[0].headers.contains { $0.name.lowercased() == "idempotency-key" && $0.value == "k" })
    }

    @Test(arguments: [
        (#"{"message":{"content":"yes"},"done":true,"done_reason":"stop"}"#, ModelReply.text("yes")),
        (#"{"message":{"content":"ye"},"done":true,"done_reason":"length"}"#, .cutOff),
        (#"{"message":{"content":"ye"},"done":false}"#, .cutOff),
    ]) func aChatIsRead(_ text: String, _ reply: ModelReply) async throws {
        let (result, asked) = try await ask(Self.ollama) { _ in Self.json(text) }
        #expect(result == .success(reply))
        let sent = try body(try #require(asked.first))
        #expect(
            sent["think"] as? Bool == false && sent["stream"] as? Bool == false && asked[0].url.hasSuffix("/api/chat"))
    }

    private static let lies = [
        "", "yes", "<html>Please log in</html>", "{}", "[]", #"{"choices":[]}"#, #"{"choices":[{"message":7}]}"#,
        #"{"message":"yes","done":"no"}"#, String(repeating: "[", count: 100_000 / 2),
    ]

    @Test(arguments: lies) func anInvalidAnswerIsRequestedLater(_ text: String) async throws {
        for model in [Self.openAI, Self.ollama] {
            let (result, asked) = try await ask(model) { _ in Self.json(text) }
            guard case .failure(let failure) = result, case .later = failure.kind else {
                Issue.record("\(result)")
                return
            }
            #expect(failure.sentence.contains("something else") && !failure.sentence.contains("secret"))
            #expect(asked.count == 1)
        }
    }

    @Test func anAnswerWithoutEndIsCutOffByTheClient() async throws {
        let (result, _) = try await ask(Self.openAI) { _ in
            Self.json(#"{"choices":[{"message":{"content":""# + String(repeating: "y", count: 1_000_000) + #""}}]}"#)
        }
        guard case .failure = result else {
            Issue.record("\(result)")
            return
        }
    }

    @Test(arguments: [400, 422, 500, 501]) func aServerThatDoesNotKnowTheSchemaIsAskedForAnyObject(_ status: Int)
        async throws
    {
        let good = #"{"choices":[{"finish_reason":"stop","message":{"content":"{}"}}]}"#
        let (result, asked) = try await ask(Self.openAI) { $0 == 0 ? Self.json("{}", status: status) : Self.json(good) }
        #expect(result == .success(.text("{}")) && asked.count == 2)
        let formats = try asked.map { try (body($0)["response_format"] as? [String: Any])?["type"] as? String }
        #expect(formats == ["json_schema", "json_object"])
    }

    @Test func aModelThatCannotThinkIsNotToldToThinkOrNot() async throws {
        let good = #"{"message":{"content":"{}"},"done":true}"#
        let (result, asked) = try await ask(Self.ollama) { $0 == 0 ? Self.json("{}", status: 400) : Self.json(good) }
        #expect(result == .success(.text("{}")))
        #expect(try asked.map { try body($0)["think"] as? Bool } == [false, nil])
    }

    @Test(arguments: [
        (401, ServiceFailure.Kind.setUp, 1), (404, .setUp, 1), (302, .setUp, 1), (429, .later(nil), 3),
        (503, .later(nil), 3),
        (418, .refused, 1),
    ]) func aRefusalSaysWhatToDo(_ status: Int, _ kind: ServiceFailure.Kind, _ times: Int) async throws {
        for model in [Self.openAI, Self.ollama] {
            let (result, asked) = try await ask(model) { _ in Self.json("{}", status: status) }
            guard case .failure(let failure) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(failure.kind == kind && asked.count == times, "\(failure)")
        }
    }

    @Test func namesAreThoseThatTheServerHas() async throws {
        let server = try HTTPServer { request in
            request.url.hasSuffix("/models")
                ? Self.json(#"{"data":[{"id":"b"},{"id":"a"}]}"#)
                : Self.json(#"{"models":[{"name":"d"},{"name":"c"}]}"#)
        }
        defer { server.stop() }
        let caller = ServiceCaller(time: .seconds(60), sleep: { _ in })
        #expect(try await Self.openAI(server.url, caller).names() == ["a", "b"])
        #expect(try await Self.ollama(server.url, caller).names() == ["c", "d"])
    }

    /// After five answers that are not plans, the model is not asked again. There is no plan, and each refusal is
    /// recorded.
    @Test func aModelThatWritesNoPlanIsGivenUp() async throws {
        let asked = Asked()
        let server = try HTTPServer { request in
            let number = asked.add(request)
            let text = ["nonsense", "{}", "[1]"][number % 3]
            let reason = number == 3 ? "length" : "stop"
            return Self.json(#"{"choices":[{"finish_reason":"\#(reason)","message":{"content":"\#(text)"}}]}"#)
        }
        defer { server.stop() }
        let profile = LearnerProfile(
            name: "Ana", stage: "second year", targetRole: "IELTS 7", timeBudgetHoursPerDay: 1,
            availableDays: Weekday.allCases)
        let writing = PlanWriting(Self.openAI(server.url, ServiceCaller(time: .seconds(60), sleep: { _ in })))
        let week = try #require(StudyDay("2026-11-25"))
        let outcome = try await writing.plan(for: profile, PlanEvidence(), week: week, version: 3)
        #expect(outcome.plan == nil && outcome.refusals.count == 5 && asked.all.count == 5)
        #expect(outcome.refusals[3].contains("too long"))
        let keys = asked.all.map { request in request.headers.first { $0.name.lowercased() == "idempotency-key" }?.value
        }
        #expect(keys == (1...5).map { "plan-2026-11-23-3-\($0)" }, "each question has a key of its own")
    }
}
