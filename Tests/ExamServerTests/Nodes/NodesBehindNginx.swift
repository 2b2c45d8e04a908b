import Foundation
import HTTPClient
import LoopbackServers
import StoreTrials
import Synchronization
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// Two nodes behind nginx with the settings of `docs/operating/nginx.conf`. All connections of an exam reach the same
/// node. One node is replaced while exams are held.
@Suite(
    .needs(NodesBackend.obstacle ?? Nginx.obstacle),
    .store(
        only: .postgres,
        because: "Nodes in processes of their own share a database; a file of SQLite's is one process's."))
struct NodesBehindNginx {
    private static let exams = Thoroughness.count(6, check: 50)

    @Test func aNodeIsReplacedWhileExamsGoOn() async throws {
        try await withTwoNodes(hasPocketExam: true) { backend, nodes in
            let port = try #require(freePort())
            func site(_ ports: [Int]) throws -> String {
                try Nginx.site(
                    OperatingFiles.text("nginx.conf"), at: port,
                    in: backend.den,
                    upstream: "hash $oracy_exam consistent;\n"
                        + ports.map { "server 127.0.0.1:\($0);" }.joined(separator: "\n"))
            }
            let nginx = try Nginx(try site(nodes.map(\.port)), in: backend.den)
            let url = "http://127.0.0.1:\(port)"
            try await eventually("nginx answers") {
                (try? await RunningServer.ask(url, "GET", "/health", as: nil).status) == 200
            }

            let learner = try await OperatedLearner()
            let half = Gate(Self.exams)
            let clients = try await onThread {
                try (0..<Self.exams).map { _ in try Self.client(learner, url, port, half) }
            }
            async let sat: Void = Self.sit(clients)
            try await half.everybodyWaits()
            let first = try await backend.rows(
                "SELECT node, count(*) FROM test_sessions WHERE node IS NOT NULL GROUP BY node")
            // One node is taken out of nginx's settings and stopped, and returns as another process.
            try nginx.reload(site([nodes[1].port]))
            async let stopped = onThread { nodes[0].terminate() }
            half.open()
            #expect(try await stopped == 0, "\(nodes[0].errors)")
            try await onThread { try nodes[0].start() }
            try nginx.reload(site(nodes.map(\.port)))
            try await sat

            let moved = clients.filter { !$0.pauses.isEmpty }
            for client in clients {
                #expect(client.outcome == "completed" && client.pauses.count <= 1, "\(client.closings)")
                #expect(!client.stored.isEmpty)
            }
            let longest = moved.flatMap(\.pauses).max() ?? .zero
            print(
                "two nodes behind nginx: \(Self.exams) exams on \(first), \(moved.count) moved, each once, at most \(longest) without a node"
            )
            // Every answer that was reported to a client as stored is stored.
            let told = clients.reduce(0) { $0 + Set($1.stored).count }
            let rows = try await backend.rows("SELECT count(*), count(DISTINCT test_session_id) FROM responses")
            print("two nodes behind nginx: answers and sessions \(rows), \(told) answers told to be stored")
            let answers = rows.first?.split(separator: "|").compactMap { Int($0) } ?? []
            #expect(answers.count == 2 && answers[0] >= told && answers[1] == Self.exams, "\(rows)")
            // A node stores the end of an exam after its client has heard of it.
            try await eventually("the end of each exam is stored") {
                try await backend.rows("SELECT count(*) FROM test_sessions WHERE status = 'in_progress'") == ["0"]
            }
        }
    }

    private static func client(
        _ learner: OperatedLearner, _ url: String, _ port: Int, _ half: Gate
    ) throws -> ReplayClient {
        let made = try fetch(
            url, "POST", "/v1/exams", json: #"{"format":"pocket","paper":"pocket","mode":"practice","consent":true}"#,
            as: UUID())
        try #require(made.status == 201, "\(made.text)")
        let live = try #require(made.object["live"] as? [String: String])
        let client = try ReplayClient(
            .init(
                session: #require((made.object["session"] as? String).flatMap(UUID.init)),
                token: #require(LiveToken(live["token"] ?? "")), prepared: learner.sitting),
            learner.scenario, port: port)
        client.path = try #require(live["path"])
        client.goesOnElsewhere = true
        client.before = { block, client in if block == 700 { try half.pass(client) } }
        return client
    }

    private static func sit(_ clients: [ReplayClient]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in clients { group.addTask { try await onThread { try client.sit() } } }
            try await group.waitForAll()
        }
    }
}

/// A gate at which threads wait until it is opened.
private final class Gate: Sendable {
    private let expected: Int
    private let waiting = Atomic(0)
    private let gate = DispatchSemaphore(value: 0)

    init(_ expected: Int) {
        self.expected = expected
    }

    /// Waits on the calling thread. Meanwhile the client sends pings, so that the server keeps it.
    func pass(_ client: ReplayClient) throws {
        waiting.add(1, ordering: .relaxed)
        while gate.wait(timeout: .now() + .seconds(1)) == .timedOut { try client.sayNothing() }
    }

    func everybodyWaits() async throws {
        try await eventually("every exam is in its middle") { waiting.load(ordering: .relaxed) >= expected }
    }

    func open() { for _ in 0..<expected { gate.signal() } }
}
