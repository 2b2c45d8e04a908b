import ExamCore
import ExamServer
import ExamStore
import Foundation
import LoopbackServers
import StoreTrials
import SystemSupport
import Testing

@testable import ExamNode
@testable import RecordingStores
@testable import VirtualDevices

/// The parts that two nodes share: a database of a real PostgreSQL, and a bucket of real storage. Reads both without
/// being a node.
final class NodesBackend: Sendable {
    let den: Den
    let store: ExamDatabase
    let audio: S3AudioStore
    private let database: String
    private let settings: S3Settings
    private let postgres: PostgresServer

    /// The reason why this backend can't run here. Nil if it can.
    static let obstacle = PostgresServer.obstacle ?? S3Trial.obstacle

    /// Whether nodes know the pocket exam, which lasts half a minute.
    private let hasPocketExam: Bool

    init(hasPocketExam: Bool = false) async throws {
        self.hasPocketExam = hasPocketExam
        postgres = try await PostgresServer.shared.value
        settings = try await S3AudioStoreTests.bucket()
        den = try Den()
        let made = try await TestDatabase()
        database = made.address
        store = try made.open(connections: 8)
        audio = S3AudioStore(settings)
        try PrivateFile.replace(den.folder + "/secret", with: Array(RunningServer.secret.utf8))
        if hasPocketExam { try OperatedLearner.copyExam(to: den) }
    }

    /// A folder of this test, deleted after it.
    var folder: String { den.folder }

    /// The options of every node.
    var arguments: [String] {
        [
            "--port", "0", "--database", database, "--token-secret", den.folder + "/secret", "--any-pace",
            "--requests-per-minute", "100000", "--audio",
            "s3://\(settings.bucket)?endpoint=\(settings.endpoint)&region=\(settings.region)",
        ] + (hasPocketExam ? ["--exams", den.folder + "/exams"] : [])
    }

    var environment: [String: String] {
        [
            "HOME": den.folder, "AWS_ACCESS_KEY_ID": S3Trial.accessKey, "AWS_SECRET_ACCESS_KEY": S3Trial.secret,
        ]
    }

    /// Returns rows of the database as text, with fields separated by `|`.
    func rows(_ sql: String) async throws -> [String] {
        try await postgres.execute(sql, in: PostgresServer.name(in: database)).split(separator: "\n").map(String.init)
    }

    /// Shortens the wait for a dead node's exams from 15 seconds to two.
    func hasten(leasesOf node: String) async throws {
        _ = try await rows("UPDATE test_sessions SET lease_until = lease_until - 13 WHERE node LIKE '\(node)-%'")
    }

    /// Shortens the wait for a dead node's jobs from two minutes to two seconds.
    func hasten(jobsOf node: String) async throws {
        _ = try await rows(
            "UPDATE processing_queue SET claimed_until = claimed_until - 118 WHERE processing_worker_id LIKE '\(node)/%'"
        )
    }

    /// Returns the faults of stored answers: missing recordings, and recordings with other bytes.
    func recordingsThatAreNotAsTheirRows(_ answers: [TestResponse], of user: UUID) async throws -> [String] {
        var wrong: [String] = []
        for answer in answers {
            guard let row = try await store.owned(by: user).recording(answer.id), let key = AudioKey(row.key) else {
                wrong.append("\(answer.question): no recording")
                continue
            }
            var bytes: [UInt8] = []
            for try await piece in try await audio.read(key, range: nil) { bytes += piece }
            if bytes.count != answer.byteCount || bytes.count != row.byteCount
                || SHA256.hexadecimal(of: bytes) != answer.sha256 || row.sha256 != answer.sha256
            {
                wrong.append("\(answer.question): other bytes")
            }
        }
        return wrong
    }

    func end() async {
        await store.close()
        den.clear()
    }
}

/// Runs a test with two nodes, `a` and `b`, and removes them.
func withTwoNodes(
    hasPocketExam: Bool = false, _ body: (NodesBackend, [ServerProcess]) async throws -> Void
) async throws {
    let backend = try await NodesBackend(hasPocketExam: hasPocketExam)
    let nodes = [ServerProcess("a", backend), ServerProcess("b", backend)]
    let result: Result<Void, any Error>
    do {
        try await onThread { for node in nodes { try node.start() } }
        result = .success(try await body(backend, nodes))
    } catch {
        result = .failure(error)
    }
    if case .failure = result { for node in nodes { print("\(node.name): \(node.errors.suffix(20_000))") } }
    for node in nodes { node.kill() }
    await backend.end()
    try result.get()
}
