import Foundation
import StoreTrials
import Synchronization
import Testing

@testable import ExamServer

/// A client that can't play a clip says so. The exam continues as if the clip had been heard, and tells the candidate
/// until the next one is played.
@Suite(.bothStores) struct UnplayableClips {
    @Test func anUnplayedClipIsSkippedAndReported() async throws {
        let node = try await TestNode(TestBackend())
        let scenario = try ScenariosOverWebSocket.scenario("pocket-exam")
        let made = try await node.make(ScenariosOverWebSocket.sitting(scenario))
        let client = try ReplayClient(made, scenario, port: node.port)
        client.cannotPlay = ["library"]
        let problems = Mutex<[String?]>([])
        client.noted = { _, line in
            guard case .heard(let text) = line, text.contains("\"type\":\"state\""),
                let state = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            else { return }
            let problem = state["problem"] as? String
            problems.withLock { if $0.last != .some(problem) { $0.append(problem) } }
        }
        try await onThread { try client.sit() }
        #expect(client.outcome == "completed")
        let log = try await node.log(of: made.session)
        #expect(log.count { $0.contains("\"event\":\"promptFailed library\"") } == 1)
        #expect(log.contains { $0.contains("\"event\":\"promptFailed library\",\"phase\":\"awaiting library\"") })
        let said = problems.withLock { $0 }.map { $0?.hasPrefix("The examiner's last words could not be played.") }
        #expect(said == [nil, true, nil])
        try await node.stop()
    }
}
