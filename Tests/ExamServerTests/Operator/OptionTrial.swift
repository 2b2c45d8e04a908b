import Foundation
import LoopbackServers
import StoreTrials
import TestSupport
import Testing

@testable import ExamServer
@testable import ExamStore
@testable import RecordingStores
@testable import VirtualDevices

/// A folder in which the real program is started with options on this test's database, and a learner who sits short
/// exams.
struct OptionTrial: Sendable {
    let den: Den
    let learner: OperatedLearner
    private let database: [String]

    init() async throws {
        den = try Den()
        try Data(RunningServer.secret.utf8).write(to: URL(filePath: den.folder + "/secret"))
        try OperatedLearner.copyExam(to: den)
        learner = try await OperatedLearner()
        // A database without tables: the program makes them.
        database = try await TestDatabase().serverOptions
    }

    /// Starts the program and waits until it listens.
    ///
    /// - Parameters:
    ///   - bucket: The bucket for recordings. If nil, the program stores them in its own folder.
    ///   - name: The server's name in this trial, and the name of its data folder.
    func start(
        _ options: [String] = [], environment: [String: String] = [:], bucket: S3Settings? = nil,
        name: String = "server"
    ) async throws -> OperatedServer {
        var (options, environment) = (options, environment)
        if let bucket {
            options += ["--audio", "s3://\(bucket.bucket)?endpoint=\(bucket.endpoint)&region=\(bucket.region)"]
            environment["AWS_ACCESS_KEY_ID"] = S3Trial.accessKey
            environment["AWS_SECRET_ACCESS_KEY"] = S3Trial.secret
        }
        return try await onThread { [options, environment] in
            let server = try OperatedServer(
                OperatedLearner.options("FOLDER/\(name)-data") + database + options, environment: environment, in: den,
                name: name)
            _ = try server.address()
            return server
        }
    }

    /// Opens the database of the server with this name, beside it.
    func openStore(of name: String = "server") throws -> ExamDatabase {
        try database.last.map { try TestDatabase.open($0) }
            ?? .sqlite(path: "\(den.folder)/\(name)-data/oracy.sqlite")
    }

    /// Sits an exam to its end.
    ///
    /// - Returns: Its session, in lower case.
    func sit(_ server: OperatedServer) async throws -> String { try await onThread { try learner.sit(server) } }

    func stop(_ server: OperatedServer) async throws {
        #expect(try await onThread { try server.stop() } == 0)
    }

    /// Waits until every answer of an exam is processed, and checks that the result is whole.
    func results(of session: String, _ server: OperatedServer) async throws -> [String: Any] {
        var results: [String: Any] = [:]
        try await eventually("the exam has results: \(server.log.suffix(2_000))") {
            results = try await told(server, "/v1/sessions/\(session)/results")
            let row = results["session"] as? [String: Any]
            return (row?["evaluation"] as? [String: Any])?["status"] as? String == "completed"
        }
        let row = results["session"] as? [String: Any]
        #expect(row?["outcome"] as? String == "completed" && row?["status"] as? String != "in_progress")
        let answers = results["answers"] as? [[String: Any]] ?? []
        #expect(!answers.isEmpty && answers.allSatisfy { ($0["peaks"] as? [Double])?.count == 100 })
        return results
    }

    func told(_ server: OperatedServer, _ path: String) async throws -> [String: Any] {
        try await RunningServer.ask(server.address(), "GET", path, as: learner.user).object
    }

    func end() { den.clear() }
}

/// Runs a test with a trial. Its servers end with it.
func withOptionTrial(_ body: (OptionTrial) async throws -> Void) async throws {
    let trial = try await OptionTrial()
    defer { trial.end() }
    try await body(trial)
}
