import Foundation
import HTTPClient
import Learning
import StoreTrials
import TestSupport
import Testing

/// Practice on two nodes with one PostgreSQL, each a process of its own, killed between any two answers.
@Suite(
    .needs(NodesBackend.obstacle),
    .store(
        only: .postgres,
        because: "Nodes in processes of their own share a database; a file of SQLite's is one process's."))
struct PracticeOnNodes {
    private let user = UUID()

    private func told(
        _ node: ServerProcess, _ method: String, _ path: String, _ json: Any? = nil
    ) async throws -> [String: Any] {
        let answer = try await RunningServer.ask(node.url, method, "/v1/\(path)", json, as: user)
        try #require((200..<300).contains(answer.status), "\(path): \(answer.status) \(answer.text)")
        return answer.object
    }

    private func answer(_ drill: [String: Any], on node: ServerProcess) async throws -> [String: Any] {
        let question = try #require(drill["question"] as? [String: Any])
        let body: [String: Any] = [
            "number": try #require(drill["number"]), "questionId": try #require(question["id"]),
            "answer": try Learner.wire(Learner.question(drill).solution), "seconds": 5,
        ]
        return try await told(node, "POST", "practice/drill/answers", body)
    }

    @Test(.endsIfItHangs) func answersOutliveTheirNode() async throws {
        try await withTwoNodes { backend, nodes in
            var drill = try await told(
                nodes[0], "POST", "practice/drills", ["packs": ["spoken-english"], "count": 4])
            for place in 0..<4 {
                let (node, other) = (nodes[place % 2], nodes[1 - place % 2])
                let answered = try await answer(drill, on: node)
                node.kill()
                // The client can't know whether its answer arrived. Sent again, it gets the same reply.
                #expect(
                    NSDictionary(dictionary: try await answer(drill, on: other)) == NSDictionary(dictionary: answered))
                drill = try #require(answered["drill"] as? [String: Any])
                try await onThread { try node.start() }
            }
            #expect(drill["phase"] as? String == "finished" && drill["right"] as? Int == 4)

            let test = try await told(nodes[0], "POST", "practice-tests", ["count": 5, "seed": 1])
            let id = try #require(test["id"] as? String)
            _ = try await told(nodes[0], "POST", "practice-tests/\(id)/start")
            let submitted = try await told(nodes[0], "POST", "submissions/\(id)", ["answers": [Any]()])
            nodes[0].kill()
            // The dead node may have claimed the job.
            try await backend.hasten(jobsOf: "a")
            var standing: [String: Any] = [:]
            try await eventually("the other node grades it") {
                standing = try await told(nodes[1], "GET", "submissions/\(id)")
                return standing["state"] as? String == "graded"
            }
            #expect(standing["attemptId"] as? String == submitted["attemptId"] as? String)
            let lines = try await told(nodes[1], "GET", "practice/export")["lines"] as? [String] ?? []
            #expect(lines.count { $0.contains(" answered ") } == 4, "\(lines)")
            #expect(lines.count { $0.contains(" tested ") } == 1 && lines.count { $0.contains(" finished ") } == 1)
        }
    }
}
