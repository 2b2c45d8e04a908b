import ExamKit
import Foundation
import HTTPClient
import Testing

@testable import ExamKit
@testable import ExamNode
@testable import ExamServer
@testable import VirtualDevices

/// A learner who stores something of each kind on an operated server.
struct OperatedLearner {
    let user = UUID()
    let scenario: Scenario
    let sitting: PreparedExam

    init() async throws {
        scenario = try ScenariosOverWebSocket.scenario("pocket-exam")
        sitting = try await ScenariosOverWebSocket.sitting(scenario)
    }

    var name: String { user.uuidString.lowercased() }

    /// Returns the options of a server that this learner can use. Its exams are in the den.
    static func options(_ data: String = "FOLDER/data") -> [String] {
        ["--token-secret", "FOLDER/secret", "--port", "0", "--data", data, "--any-pace", "--exams", "FOLDER/exams"]
    }

    static func copyExam(to den: Den) throws {
        for kind in ["format", "paper"] {
            let file = URL(filePath: "\(ScenariosOverWebSocket.folder)/pocket-exam/\(kind).json")
            try den.write(try Data(contentsOf: file), to: "exams/\(kind)s/\(kind).json")
        }
    }

    /// Makes an exam and sits it to its end.
    ///
    /// - Returns: Its session, in lower case.
    func sit(_ server: OperatedServer, headers: [(String, String)] = []) throws -> String {
        let made = try make(server, headers: headers)
        let client = try ReplayClient(
            .init(session: made.session, token: made.token, prepared: sitting), scenario, port: try server.port())
        try client.sit()
        #expect(client.outcome == "completed")
        return made.session.uuidString.lowercased()
    }

    /// Makes an exam without beginning it.
    func make(
        _ server: OperatedServer, headers: [(String, String)] = []
    ) throws -> (session: UUID, token: LiveToken) {
        let made = try fetch(
            try server.address(), "POST", "/v1/exams",
            json: #"{"format":"pocket","paper":"pocket","mode":"practice","consent":true}"#, as: user, headers: headers)
        try #require(made.status == 201, "\(made.text)")
        let token = (made.object["live"] as? [String: String])?["token"] ?? ""
        return (
            try #require((made.object["session"] as? String).flatMap(UUID.init)), try #require(LiveToken(token))
        )
    }

    /// Stores practice, a plan, a paper, and a profile with a picture.
    func practise(_ server: OperatedServer) throws {
        let url = try server.address()
        let json: [(method: String, path: String, body: String)] = [
            ("PUT", "/v1/profile", #"{"username":"ann","fullName":"Ann Lee"}"#),
            ("POST", "/v1/practice/drills", #"{"count":3}"#),
            ("POST", "/v1/tasks", #"{"title":"Read a page","dueDate":"2026-11-25T12:00:00+01:00","isComplete":true}"#),
            ("POST", "/v1/papers", "{}"),
            ("POST", "/v1/practice-tests", #"{"topics":["food"],"count":3,"seed":7,"from":"bank"}"#),
            (
                "PUT", "/v1/plan/profile",
                #"{"name":"Ann","stage":"first year","targetRole":"IELTS 7","timeBudgetHoursPerDay":1,"#
                    + #""availableDays":["Monday","Tuesday"],"constraints":[],"goalBand":7,"testDate":"2099-12-20","format":"exam"}"#
            ),
        ]
        for (method, path, body) in json {
            let answer = try fetch(url, method, path, json: body, as: user, headers: [("Oracy-Offset", "0")])
            #expect((200..<300).contains(answer.status), "\(method) \(path): \(answer.text)")
        }
        let picture = try fetch(
            url, "PUT", "/v1/profile/picture", bytes: [137, 80, 78, 71], as: user,
            headers: [("Content-Type", "image/png")])
        #expect(picture.status == 204, "\(picture.text)")
    }
}

/// Runs a command of the real program to its end.
///
/// - Returns: Its exit code, its output, and its standard error.
func operate(
    _ arguments: [String], environment: [String: String] = [:], in den: Den
) throws -> (code: Int32, said: String, message: String) {
    let command = try OperatedServer(
        arguments, environment: environment, in: den, name: "command-\(UUID().uuidString.prefix(6))")
    let end = try command.end()
    return (end.code, command.output, end.message)
}

extension Den {
    /// Returns all files below a folder of the den by relative path, with their bytes and whether other users could
    /// read them.
    func files(in folder: String) throws -> [String: (bytes: Data, isShared: Bool)] {
        let top = "\(self.folder)/\(folder)"
        var files: [String: (bytes: Data, isShared: Bool)] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: top) {
            let facts = try FileManager.default.attributesOfItem(atPath: "\(top)/\(path)")
            guard facts[.type] as? FileAttributeType == .typeRegular else { continue }
            let mode = facts[.posixPermissions] as? Int ?? 0o777
            files[path] = (try Data(contentsOf: URL(filePath: "\(top)/\(path)")), mode & 0o077 != 0)
        }
        return files
    }
}
