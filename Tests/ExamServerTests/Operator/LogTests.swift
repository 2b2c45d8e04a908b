import ExamCore
import ExamKit
import Foundation
import Glibc
import HTTPClient
import StoreTrials
import Testing
import Waiting

@testable import ExamNode
@testable import ExamServer
@testable import VirtualDevices

/// The log of a running server: a program can read every line, each line says what was done, and none has words of
/// users.
@Suite(.store(only: .sqlite, because: "The program is started with a folder alone; OptionMatrix starts it on both."))
struct LogTests {
    /// Words that a test recognises wherever they appear.
    private static let words = [
        "wordinpath", "wordinquery", "wordinheader", "wordinbody", "wordintoken", "wordinnotes", "wordinmethod",
        "wordinname",
    ]

    @Test(arguments: LineLog.Format.allCases)
    func everyLineSaysWhatWasDoneWithoutUsersWords(_ format: LineLog.Format) async throws {
        let scenario = try ScenariosOverWebSocket.scenario("pocket-exam")
        let sitting = try await ScenariosOverWebSocket.sitting(scenario)
        let (user, told) = (UUID(), Kept<[String]>([]))
        let token = try await RunningServer.token(of: user)
        try await withDen { den in
            try Self.copyExam(to: den)
            let server = try OperatedServer(
                [
                    "--token-secret", "FOLDER/secret", "--port", "0", "--data", "FOLDER/data", "--node", "n1",
                    "--any-pace", "--exams", "FOLDER/exams", "--log-format", format.rawValue, "--log-level", "trace",
                ], in: den)
            let url = try server.address()
            var asked: [(method: String, route: String, answer: HTTPResponse)] = []
            func ask(_ method: String, _ path: String, _ route: String, _ json: String? = nil) throws -> HTTPResponse {
                let answer = try fetch(
                    url, method, path + "?x=wordinquery", json: json, as: user, headers: [("X-Thing", "wordinheader")])
                asked.append((method, route, answer))
                return answer
            }
            let made = try ask(
                "POST", "/v1/exams", "/v1/exams",
                #"{"format":"pocket","paper":"pocket","mode":"practice","consent":true,"x":"wordinbody"}"#)
            #expect(made.status == 201, "\(made.text)")
            let id = try #require((made.object["session"] as? String).flatMap(UUID.init))
            let live = try #require(LiveToken((made.object["live"] as? [String: String])?["token"] ?? ""))
            let session = id.uuidString.lowercased()
            _ = try ask("GET", "/v1/sessions", "/v1/sessions")
            _ = try ask("GET", "/v1/sessions/\(session)", "/v1/sessions/{session}")
            _ = try ask("GET", "/v1/wordinpath", "-")
            _ = try ask("GET", "/v1/sessions/wordinpath", "/v1/sessions/{session}")
            _ = try ask("PUT", "/v1/sessions/\(UUID().uuidString.lowercased())", "/v1/sessions/{session}", "wordinbody")
            _ = try ask("HEAD", "/health", "/health")
            let refused = try fetch(url, "GET", "/v1/sessions", headers: [("Authorization", "Bearer wordintoken.x.y")])
            #expect(refused.status == 401)
            _ = try fetch(url, "WORDINMETHOD", "/health")

            let client = try ReplayClient(
                .init(session: id, token: live, prepared: sitting), scenario, port: try server.port())
            client.before = { block, client in
                if block == 300 { try client.reconnect(to: try server.port()) }
            }
            try client.sit()
            #expect(client.outcome == "completed")
            try Self.leave(url, port: try server.port(), user, told)
            let isSaved = Patience.poll {
                server.lines.contains { $0.contains("exam put on disk") && $0.contains(told.value[0]) } ? true : nil
            }
            #expect(isSaved == true)
            _ = try ask("DELETE", "/v1/sessions/\(session)", "/v1/sessions/{session}")
            #expect(try server.stop() == 0)

            let lines = server.lines.compactMap {
                format == .json ? LoggedLine(json: $0) : LoggedLine(text: $0)
            }
            #expect(lines.count == server.lines.count && lines.allSatisfy { $0.fields["node"] == "n1" })
            for (method, route, answer) in asked {
                let request = try #require(answer.header("Request-Id"))
                let line = try #require(
                    lines.first { $0.message == "request" && $0.fields["request"] == request }, "\(method) \(route)")
                #expect(line.level == "info" && line.fields["method"] == method && line.fields["route"] == route)
                #expect(line.fields["status"] == "\(answer.status)")
                #expect(line.fields["bytes"] == "\(answer.body.count)", "\(method) \(route)")
                #expect((line.fields["ms"].flatMap(Double.init) ?? -1) >= 0)
            }
            #expect(lines.contains { $0.message == "sign-in refused" && $0.fields["reason"] != nil })
            let events = lines.filter { $0.fields["session"] == session && $0.level == "info" }.map(\.message)
            for event: ExamEvent in [.made, .begun, .joinedAgain, .over, .erased] {
                #expect(events.contains(event.rawValue), "\(event) is not among \(events)")
            }
            #expect(lines.first { $0.message == "exam over" }?.fields["outcome"] == "completed")
            let others = lines.filter { $0.fields["session"] == told.value[0] && $0.message != "request" }.map(
                \.message)
            #expect(
                others.starts(with: ["exam made", "exam begun", "exam taken over by another connection", "exam left"])
                    && others.contains("exam put on disk"), "\(others)")
            let log = server.log.lowercased()
            for word in Self.words + [token, live.text, told.value[1], "bearer"] {
                #expect(!log.contains(word.lowercased()), "\(word) stands in the log")
            }
            for question in sitting.script.turns.compactMap(\.prompt.last?.text) {
                #expect(!log.contains(question.lowercased()), "a question stands in the log")
            }
        }
    }

    /// Sits an exam as a candidate who writes notes, connects twice, and leaves. Puts the session and its live token
    /// into `told`.
    private static func leave(_ url: String, port: Int, _ user: UUID, _ told: Kept<[String]>) throws {
        let made = try fetch(
            url, "POST", "/v1/exams", json: #"{"format":"pocket","paper":"pocket","consent":true}"#, as: user)
        let live = (made.object["live"] as? [String: String])?["token"] ?? ""
        told.value = [(made.object["session"] as? String ?? "").lowercased(), live]
        var sockets: [TestSocket] = []
        for _ in 0..<2 {
            let socket = try TestSocket(port: port)
            sockets.append(socket)
            socket.say("{\"type\":\"hello\",\"token\":\"\(live)\",\"name\":\"wordinname\"}")
            while case .text(let text)? = try socket.hear(), !text.contains("\"welcome\"") {}
        }
        sockets[1].say("{\"type\":\"notes\",\"text\":\"wordinnotes\"}")
        sockets[1].say("{\"type\":\"leave\"}")
        while let heard = try sockets[1].hear() { if case .closed = heard { break } }
    }

    private static func copyExam(to den: Den) throws {
        for kind in ["format", "paper"] {
            let file = URL(filePath: "\(ScenariosOverWebSocket.folder)/pocket-exam/\(kind).json")
            try den.write(try Data(contentsOf: file), to: "exams/\(kind)s/\(kind).json")
        }
    }

    @Test func linesBelowTheLevelAreNotWritten() async throws {
        try await withDen { den in
            let server = try OperatedServer(
                ["--development", "--port", "0", "--data", "FOLDER/data", "--log-level", "warning"], in: den)
            _ = try fetch(try server.address(), "GET", "/health")
            #expect(try server.stop() == 0)
            #expect(server.lines.count == 1 && server.log.contains(" warning DEVELOPMENT"), "\(server.log)")
        }
    }

    @Test func anyTextStaysOneLine() throws {
        let nasty = "a\nb\r\u{1B}[31m\"c\" \\ = \u{2028}\u{7F}\u{85}\u{202E}\u{E0001}ü日"
        for value in [nasty, "", " ", "x=y", "plain"] {
            let line = LogLine(
                time: LogLine.now, level: "info", message: "m \(value)", fields: ["what": value, "time": value],
                node: "n")
            for text in [line.text, line.json] {
                #expect(
                    !text.unicodeScalars.contains { $0.value < 32 || [0x7F, 0x85, 0x2028, 0x202E].contains($0.value) })
            }
            let json = try #require(LoggedLine(json: line.json))
            #expect(json.message == "m \(value)" && json.fields["what"] == value && json.fields["time_"] == value)
            let text = try #require(LoggedLine(text: line.text), "\(line.text)")
            #expect(text.message == "m \(value)" && text.fields["what"] == value && text.fields["node"] == "n")
        }
    }
}
