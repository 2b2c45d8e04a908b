import ExamCore
import ExamStore
import Foundation
import HTTPClient
import SystemSupport
import TestSupport
import Testing

@testable import ExamKit
@testable import ExamNode
@testable import ExamServer
@testable import SessionFolders

/// An exam that is made over REST on one of two nodes, sat on whichever node works, and checked afterwards.
struct ExamOnNodes {
    let nodes: [ServerProcess]
    let backend: NodesBackend
    let user = UUID()
    let made: LiveExams.Made
    let client: ReplayClient

    /// Seven sentences to repeat and four questions: the shortest of the papers that nodes know.
    static let scenario = "toefl-style"

    init(_ nodes: [ServerProcess], _ backend: NodesBackend) async throws {
        self.nodes = nodes
        self.backend = backend
        let scenario = try ScenariosOverWebSocket.scenario(Self.scenario)
        let sitting = try await ScenariosOverWebSocket.sitting(scenario)
        let answer = try await RunningServer.ask(
            nodes[0].url, "POST", "/v1/exams",
            ["format": scenario.format.id, "paper": scenario.paper.id, "mode": "test", "consent": true], as: user)
        let session = try #require((answer.object["session"] as? String).flatMap(UUID.init), "\(answer.text)")
        let token = try #require(LiveToken((answer.object["live"] as? [String: String])?["token"] ?? ""))
        made = LiveExams.Made(session: session, token: token, prepared: sitting)
        client = try ReplayClient(made, scenario, port: nodes[0].port)
    }

    /// Continues at a node, from the question that was not answered.
    func goOn(at node: ServerProcess, _ client: ReplayClient) throws {
        try client.beginTurnAgain()
        try client.reconnect(to: node.port)
    }

    var answers: [TestResponse] {
        get async throws { try await backend.store.owned(by: user).responses(of: made.session) }
    }

    /// Checks that everything that was promised is there once, and as promised.
    ///
    /// - Returns: The numbers of answers, of lost ones, and of those that are there twice.
    func check() async throws -> (answers: Int, lost: Int, twice: Int) {
        #expect(client.outcome == "completed")
        let answers = try await answers
        let seconds = Dictionary(
            grouping: answers, by: { "part\($0.part)_q\($0.order)_a\($0.attempt)" }
        ).mapValues { $0.map { $0.record.duration?.duration.wireSeconds } }
        let lost = client.storedSeconds.filter { seconds[$0.key]?.contains($0.value) != true }
        #expect(lost.isEmpty, "every answer reported as stored is in the database, which has \(seconds)")
        let twice = Dictionary(grouping: answers, by: { "\($0.question) \($0.attempt)" }).filter { $0.value.count > 1 }
        #expect(twice.isEmpty)
        #expect(Set(answers.map(\.question)).count == made.prepared.script.turns.filter { $0.answer != nil }.count)
        #expect(try await backend.recordingsThatAreNotAsTheirRows(answers, of: user) == [])
        try await checkLog()
        try await checkResults(answers.count)
        return (answers.count, lost.count, twice.count)
    }

    /// Checks that the lines of all nodes are one log, and that the log is an exam.
    private func checkLog() async throws {
        var lines: [String] = []
        try await eventually("the log is whole") {
            lines = try await backend.store.service.lines(of: made.session)
            return lines.last?.contains("\"phase\":\"over ") == true
        }
        let path = "\(backend.folder)/\(made.session).jsonl"
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
        #expect(try SessionLog.replay(path, script: made.prepared.script).phase == .over(.completed))
    }

    private func checkResults(_ count: Int) async throws {
        for node in nodes {
            var results: [String: Any] = [:]
            // Two nodes measure some minutes of speech in a debug build, on cores that they share with other tests.
            try await eventually("\(node.name) has results") {
                results = try await RunningServer.ask(
                    node.url, "GET", "/v1/sessions/\(made.session.name)/results", as: user
                ).object
                let session = results["session"] as? [String: Any]
                return (session?["evaluation"] as? [String: Any])?["status"] as? String == "completed"
            }
            let answers = results["answers"] as? [[String: Any]] ?? []
            #expect(answers.count == count)
            #expect(answers.allSatisfy { ($0["peaks"] as? [Double])?.count == 100 })
        }
        let jobs = try await backend.rows(
            "SELECT kind, status, retry_count FROM processing_queue WHERE test_session_id = '\(made.session)'")
        #expect(jobs == ["evaluate|completed|0"])
    }
}
