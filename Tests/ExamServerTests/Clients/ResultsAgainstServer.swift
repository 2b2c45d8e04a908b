import Backends
import ExamCore
import ExamKit
import Foundation
import HTTPClient
import StoreTrials
import SystemSupport
import TestSupport
import Testing
import UploadQueue

@testable import ExamNode
@testable import ExamServer
@testable import ExamStore

/// The polling of results against the server of this package.
@Suite(.bothStores) struct ResultsAgainstServer {
    private let user = UUID()

    /// Sends a session as a chosen destination does, and polls until there is an outcome.
    ///
    /// - Parameter change: Changes the server after the session has arrived.
    private func outcome(
        _ assessors: AssessorPanel, _ change: (RunningServer, UUID) async throws -> Void = { _, _ in }
    ) async throws -> ResultPoll.Outcome {
        let server = try await RunningServer(assessors: assessors)
        var held = try SessionTests.Held(answers: 2, in: server.folder)
        // The first answer is to a question of the paper, whose text the server knows.
        guard case .answer(var record, let file) = held.uploads[1].content else {
            throw Problem(.malformed, "the second upload is not an answer")
        }
        record.question = try #require(Paper.builtIn("bridges").sections["topics"]?.first?.questions.first?.id)
        held.uploads[1].content = .answer(record, file)
        let credentials = server.folder + "/client/credentials.json"
        let destination = Destination.backend(url: server.url)
        try await destination.signIn(RunningServer.token(of: user), client: CurlClient(), credentials: credentials)
        let queue = try DeliveryQueue(folder: server.folder + "/client/queue")
        try queue.add(held.uploads)
        let uploader = try destination.makeUploader(client: CurlClient(), credentials: credentials)
        let end = try await queue.send(through: uploader, until: .atRest, deadline: .seconds(60))
        #expect(end.delivered == 4)
        try await change(server, held.facts.id)
        var poll = ResultPoll()
        poll.firstInterval = .milliseconds(50)
        let session = held.facts.id
        let outcome = try await poll.outcome { () async throws(DeliveryFailure) in
            try await destination.status(of: session, client: CurlClient(), credentials: credentials)
        }
        let unknown = await #expect(throws: DeliveryFailure.self) {
            try await destination.status(of: UUID(), client: CurlClient(), credentials: credentials)
        }
        #expect(unknown?.kind == .refused)
        await server.stop()
        return outcome
    }

    private func marker(fails: Bool = false) -> AssessorPanel {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        open.finish()
        return ResultTests.Marker(mayGoOn: gate, fails: fails).panel
    }

    @Test func everyFieldOfResultsComesFromTheServer() async throws {
        guard case .evaluated(let results) = try await outcome(marker()) else {
            Issue.record("it was not evaluated")
            return
        }
        #expect(results.answers.count == 2 && results.scores.overall == 6)
        // Answers have no overall score, and only Supabase projects say why an answer could not be assessed.
        #expect(absentFields(of: results) == ["answers.scores.overall", "answers.error"])
    }

    @Test func anAssessmentThatFailsIsAFailure() async throws {
        // The test sets the state that follows the last attempt, because the attempts are minutes apart.
        let outcome = try await outcome(marker(fails: true)) { server, session in
            let path = "/v1/sessions/\(session.uuidString.lowercased())"
            try await eventually("the assessor was asked") {
                let evaluation = try await server.ask("GET", path, as: user).object["evaluation"] as? [String: Any]
                return evaluation?["error"] != nil
            }
            try await server.services.store.service.write { connection in
                _ = try connection.change("UPDATE processing_queue SET status = 'dead'")
                _ = try connection.change("UPDATE test_sessions SET status = 'failed'")
            }
        }
        guard case .failed(let message) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(!message.isEmpty)
    }

    @Test func aSessionThatNoAssessorLooksAtIsUnscored() async throws {
        guard case .unscored(let results) = try await outcome(AssessorPanel()) else {
            Issue.record("it was scored")
            return
        }
        #expect(results.answers.count == 2 && !results.isScored)
    }
}
