import BackendAPI
import Foundation
import HTTPClient
import Learning
import StoreTrials
import Study
import Testing

@testable import ExamNode
@testable import ExamServer

/// A learner who practises on one or several servers.
struct Learner {
    var server: RunningServer
    var user = UUID()
    /// Seconds east of UTC.
    var offset = 3_600

    func ask(_ method: String, _ path: String, _ json: Any? = nil) async throws -> HTTPClient.HTTPResponse {
        try await server.ask(
            method, "/v1/\(path)", json, as: user, headers: [("Oracy-Offset", "\(offset)")])
    }

    /// Sends a request that must succeed.
    func told(_ method: String, _ path: String, _ json: Any? = nil) async throws -> [String: Any] {
        let answer = try await ask(method, path, json)
        try #require((200..<300).contains(answer.status), "\(method) \(path): \(answer.status) \(answer.text)")
        return answer.object
    }

    func begin(_ wish: [String: Any]) async throws -> [String: Any] { try await told("POST", "practice/drills", wish) }

    func answer(
        _ drill: [String: Any], _ answer: [String: Any], seconds: Double = 5
    ) async throws -> HTTPClient.HTTPResponse {
        let question = try #require(drill["question"] as? [String: Any])
        return try await ask(
            "POST", "practice/drill/answers",
            [
                "number": try #require(drill["number"]), "questionId": try #require(question["id"]), "answer": answer,
                "seconds": seconds,
            ])
    }

    /// Returns the present question of a drill as the core has it, in that drill's order.
    static func question(_ drill: [String: Any]) throws -> PracticeQuestion {
        let told = try #require(drill["question"] as? [String: Any])
        let (pack, id) = (try #require(told["pack"] as? String), try #require(told["id"] as? String))
        let all = PracticeContent.builtIn.catalogue.pack(pack)?.items.flatMap(\.questions) ?? []
        let number = UInt64(try #require(drill["number"] as? Int))
        return try #require(all.first { $0.id == id }).inOrder(of: number)
    }

    static func wire(_ answer: PracticeAnswer) throws -> [String: Any] {
        let bytes = try JSONEncoder().encode(try #require(AnyAnswer(answer)))
        return try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    }

    /// Returns a wrong answer to a question.
    static func wrong(_ question: PracticeQuestion) -> PracticeAnswer {
        switch question.key {
        case .multipleChoice(let key): .multipleChoice(selectedOption: (key.correct + 1) % key.options.count)
        case .multipleResponse, .ordering, .matching: question.solution
        case .fillInTheBlank(let key): .fillInTheBlank(textAnswer: "not " + (key.accepted.first ?? ""))
        case .calculation: .calculation(numericAnswer: "-77")
        case .spoken: .spoken(speech: 0)
        }
    }
}

/// Runs a test with two nodes that share one database.
func withTwoPracticeNodes(
    workers: [Int] = [1, 1], _ body: ([RunningServer]) async throws -> Void
) async throws {
    let database = try await TestDatabase.migrated()
    var nodes: [RunningServer] = []
    for count in workers {
        nodes.append(
            try await RunningServer(store: database.open(), workers: count) {
                $0.limits.requestsPerMinute = 1_000_000
            })
    }
    let result: Result<Void, any Error>
    do { result = .success(try await body(nodes)) } catch { result = .failure(error) }
    for node in nodes { await node.stop() }
    try result.get()
}
