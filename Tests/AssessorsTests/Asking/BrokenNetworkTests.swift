import Assessment
import Foundation
import HTTPClient
import LoopbackServers
import Synchronization
import TestSupport
import Testing
import TextModels

@testable import Assessors

/// Tests that any fault of the network between an assessor and its service leaves an answer stored whole or requested
/// again.
@Suite struct BrokenNetworkTests {
    enum Service: CaseIterable, Sendable {
        case transcriber, azure, languageModel

        func assessor(at address: String, _ caller: ServiceCaller) -> any Assessor {
            switch self {
            case .transcriber:
                Transcriber(
                    id: "service", interface: .openAI, address: address + "/v1", model: "m", language: "en",
                    isVerbatim: false, key: nil, recipient: nil, caller: caller)
            case .azure:
                AzurePronunciation(
                    id: "service", address: address, language: "en-GB", key: "k", recipient: nil, caller: caller)
            case .languageModel:
                LanguageModelJudge(
                    id: "service", model: OpenAIChat(model: "m", address: address, key: nil, caller: caller), runs: 1,
                    widest: 1, recipient: nil)
            }
        }

        /// An answer longer than any fault lets through.
        var answer: String {
            let rest = "\"rest\":\"\(String(repeating: "x", count: 500))\""
            switch self {
            case .transcriber: return "{\(rest),\"text\":\"I live here\"}"
            case .azure:
                return
                    "{\(rest),\"RecognitionStatus\":\"Success\",\"NBest\":[{\"Display\":\"I live here\",\"PronScore\":80}]}"
            case .languageModel:
                return """
                    {\(rest),"choices":[{"finish_reason":"stop","message":{"content":\
                    "{\\"strengths\\":[\\"I live here\\"],\\"mistakes\\":[]}"}}]}
                    """
            }
        }

        func heard(in finding: AssessorFinding) -> String? {
            self == .languageModel ? finding.strengths.first : finding.transcript?.text
        }

        /// Whether calls have keys. Azure doesn't support them.
        var hasKeys: Bool { self != .azure }
    }

    private func expectAnswer(_ service: Service, after fault: Fault, time: Duration = .seconds(600)) async throws {
        let sample = try SampleAnswer(words: "I live here.")
        let server = try ScriptedServer { _, _ in .json(service.answer) }
        let proxy = try FaultProxy(to: server.port, script: [fault])
        defer { proxy.stop() }
        let caller = ServiceCaller(time: time) { _ in }
        let assessor = service.assessor(at: proxy.url, caller)
        let finding = try await assessor.assess(sample.answer, try await sample.calls(assessor))
        #expect(service.heard(in: finding) == "I live here")
        let asked = server.requests
        if service.hasKeys { #expect(Set(asked.map { $0.header("idempotency-key") }).count == 1) }
        // The stored answer is whole: a fresh process reads it, and makes no call.
        let again = try await assessor.assess(sample.answer, try await sample.calls(assessor))
        #expect(service.heard(in: again) == "I live here" && server.requests.count == asked.count)
    }

    @Test(
        arguments: Service.allCases,
        [
            Fault.resetAfterUp(500), .resetAfterDown(0), .resetAfterDown(60), .lostAnswer, .halfCloseAfterUp(500),
            .halfCloseAfterDown(200), .duplicate, .slow(bytesPerSecond: 500_000), .latency(.milliseconds(20)),
        ]) func aBrokenConnectionIsTriedAgain(_ service: Service, _ fault: Fault) async throws
    {
        try await expectAnswer(service, after: fault)
    }

    /// A connection that stalls is given up in time. The next attempt uses a new one.
    @Test(arguments: Service.allCases, [Fault.stallAfterUp(500), .stallAfterDown(200), .halfOpen])
    func aStalledConnectionIsGivenUp(_ service: Service, _ fault: Fault) async throws {
        try await expectAnswer(service, after: fault, time: .seconds(3))
    }

    @Test func aBodyWithoutEndIsNotRead() async throws {
        let sample = try SampleAnswer()
        let server = try ScriptedServer { _, _ in .json("{\"text\":\"\(String(repeating: "x", count: 20_000))\"}") }
        let caller = ServiceCaller(time: .seconds(600), answerBytes: 10_000) { _ in }
        let assessor = Service.transcriber.assessor(at: server.url, caller)
        let failure = await #expect(throws: ServiceFailure.self) {
            try await assessor.assess(sample.answer, try await sample.calls(assessor))
        }
        #expect(failure?.kind == .later(nil) && failure?.sentence.contains("xxx") == false)
    }

    /// A recording is sent only to the service to which its candidate agreed.
    @Test(arguments: Service.allCases) func nothingFollowsARedirect(_ service: Service) async throws {
        let sample = try SampleAnswer(words: "I live here.")
        let elsewhere = try ScriptedServer { _, _ in .json(service.answer) }
        let server = try ScriptedServer { _, _ in .json("{}", status: 307, headers: ["location": elsewhere.url]) }
        let assessor = service.assessor(at: server.url, .hasty())
        let failure = await #expect(throws: ServiceFailure.self) {
            try await assessor.assess(sample.answer, try await sample.calls(assessor))
        }
        #expect(failure?.kind == .setUp && server.requests.count == 1 && elsewhere.requests.isEmpty)
    }

    // MARK: - Stopping

    @Test(arguments: Service.allCases) func cancellingBetweenTwoAttemptsMakesNoRequest(_ service: Service) async throws
    {
        let (waits, begun) = AsyncStream.makeStream(of: Void.self)
        // The judge takes a first 500 for "no such form".
        let server = try ScriptedServer { _, _ in .json("{}", status: 503) }
        let caller = ServiceCaller(time: .seconds(600)) { _ in
            begun.finish()
            try await Task.sleep(for: .seconds(600))
        }
        try await expectStopped(service, at: server.url, caller) { for await _ in waits {} }
        #expect(server.requests.count == 1)
    }

    @Test(arguments: Service.allCases) func anAnswerAfterCancellationIsIgnored(_ service: Service) async throws {
        let server = try ScriptedServer { _, _ in .json(service.answer) }
        // On a busy machine a second attempt may begin before this check.
        let proxy = try FaultProxy(to: server.port, script: [.halfOpen, .halfOpen, .halfOpen, .halfOpen])
        defer { proxy.stop() }
        try await expectStopped(service, at: proxy.url, .hasty()) {
            try await eventually("it is asked") { proxy.connectionCount >= 1 }
        }
        #expect(server.requests.isEmpty)
    }

    /// Checks that a stopped call stores nothing, and that the next one is answered.
    private func expectStopped(
        _ service: Service, at address: String, _ caller: ServiceCaller, when begun: () async throws -> Void
    ) async throws {
        let sample = try SampleAnswer(words: "I live here.")
        let assessor = service.assessor(at: address, caller)
        let memory = try sample.memory()
        let answer = sample.answer
        let asking = Task {
            try await AnswerAssessing([.init(assessor)], memory: memory, consents: []).assess(answer, known: []) { _ in
                Issue.record("something was found")
            }
        }
        try await begun()
        asking.cancel()
        let gaps = try await asking.value
        #expect(gaps.map(\.failure.kind) == [.cancelled])
        let kept = try String(contentsOfFile: sample.folder.path + "/session/calls.jsonl", encoding: .utf8)
        #expect(!kept.contains("\"answer\""))
    }
}
