import Foundation
import HTTPClient
import Synchronization
import Testing
import UploadQueue

@testable import Backends

/// An Oracy backend's answers about a session, and the mistakes in a scorer's complete answer.
@Suite struct BackendResultsTests {
    private func status(_ text: String, status: Int = 200) async throws -> ResultPoll.Status {
        let answer = HTTPResponse(
            status: status, headers: ["content-type": "application/json"], body: Array(text.utf8))
        let calls = BackendCalls(url: "https://a.org", client: FixedAnswer(answer)) { nil }
        return try await BackendResults(calls: calls).status(of: UUID())
    }

    @Test func scoresTranscriptsAndMistakesComeAcross() async throws {
        let text = """
            {"status":"evaluated","assessment":"done","session":{},"scores":{"overall":6.5,"fluency":6},"answers":[
            {"id":"1","question":"home-1","part":1,"order":1,"attempt":1,"text":"Where?","peaks":[0.1],
            "scores":{"grammar":5.5},"transcript":"I lives here",
            "mistakes":[{"original":"lives","correction":"live","type":"grammar","start":2,"end":7}]}]}
            """
        guard case .evaluated(let results) = try await status(text) else {
            Issue.record("not evaluated")
            return
        }
        #expect(results.scores == .init(overall: 6.5, fluency: 6))
        #expect(
            results.answers == [
                .init(
                    question: "home-1", part: 1, order: 1, text: "Where?", scores: .init(grammar: 5.5),
                    transcript: "I lives here",
                    mistakes: [.init(original: "lives", correction: "live", type: "grammar", start: 2, end: 7)])
            ])
    }

    @Test func aBackendWithoutScoringIsNotWaitedFor() async throws {
        #expect(try await status(#"{"status":"completed","assessment":"none","answers":[]}"#) == .unscored(.init()))
        #expect(try await status(#"{"status":"in_progress","assessment":"none","answers":[]}"#) == .inProgress)
        #expect(try await status(#"{"status":"completed","assessment":"waiting","answers":[]}"#) == .completed)
        #expect(try await status(#"{"status":"evaluated","answers":[{}]}"#) == .unscored(.init(answers: [.init()])))
    }

    @Test func aMissingSessionAndAnHTMLPageAreRefused() async {
        let missing = await #expect(throws: DeliveryFailure.self) { try await status("{}", status: 404) }
        #expect(missing?.kind == .refused)
        let strange = await #expect(throws: DeliveryFailure.self) { try await status("[]") }
        #expect(strange?.kind == .transient)
    }

    @Test func theServerIsAskedForALongPoll() async throws {
        let asked = Mutex<HTTPRequest?>(nil)
        struct Wire: HTTPExchanging {
            let seen: @Sendable (HTTPRequest, HTTPLimits) -> Void
            func exchange(
                _ request: HTTPRequest, limits: HTTPLimits, sent: @escaping @Sendable (Int) -> Void
            ) async throws(HTTPFailure) -> HTTPResponse {
                seen(request, limits)
                return HTTPResponse(status: 200, body: Array(#"{"status":"processing"}"#.utf8))
            }
        }
        let wire = Wire { request, limits in
            asked.withLock { $0 = request }
            #expect(limits.idle > .seconds(25) && limits.total! > .seconds(25))
        }
        let calls = BackendCalls(url: "https://a.org", client: wire) { "t" }
        let status = try await BackendResults(calls: calls).status(of: UUID())
        #expect(status == .processing)
        let request = try #require(asked.withLock { $0 })
        #expect(request.headers.contains(.init("Prefer", "wait=25")) && request.url.hasSuffix("/results"))
    }

    @Test(arguments: [
        #"{"NBest":[{"Words":[{"Word":"I","ErrorType":"None"},{"Word":"lives","ErrorType":"Mispronunciation"}]}]}"#,
        #"{"NBest":[{"Words":[{"Word":"lives","PronunciationAssessment":{"ErrorType":"Mispronunciation"}}]}]}"#,
    ])
    func wordsThatWereMispronouncedAreFoundInAzuresAnswer(_ text: String) throws {
        let found = try JSONDecoder().decode(FoundMistakes.self, from: Data(text.utf8))
        #expect(found.mistakes == [.init(original: "lives", type: "Mispronunciation", category: "pronunciation")])
    }

    @Test func listsOfMistakesAreFoundUnderTheirUsualNames() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let text = #"{"grammar_errors":[{"word":"lives","correction":"live"}],"mistakes":[{"original":"a","start":1}]}"#
        let found = try decoder.decode(FoundMistakes.self, from: Data(text.utf8))
        #expect(found.mistakes.map(\.original) == ["a", "lives"])
        #expect(try decoder.decode(FoundMistakes.self, from: Data(#"{"mistakes":7}"#.utf8)).mistakes.isEmpty)
    }
}
