import Foundation
import Glibc
import HTTPClient
import StoreTrials
import Testing
import Waiting

/// A server between SIGTERM and its end.
@Suite(.store(only: .sqlite, because: "The program is started with a folder alone; OptionMatrix starts it on both."))
struct DrainTests {
    private static let options = ["--development", "--port", "0", "--data", "FOLDER/data", "--exams", "FOLDER/exams"]
    private static let pocket = #"{"format":"pocket","paper":"pocket","consent":true}"#

    @Test func anExamUnderWayGoesOnAndNoOtherBegins() async throws {
        try await withDen { den in
            try OperatedLearner.copyExam(to: den)
            let server = try OperatedServer(Self.options + ["--drain-seconds", "3600"], in: den)
            let (url, port) = (try server.address(), try server.port())
            // Made first, because the server gives up a client that says nothing for fifteen seconds.
            let waiting = try fetch(url, "POST", "/v1/exams", json: Self.pocket)
            let held = try ExamTalk(port: port, Self.pocket)
            #expect(try fetch(url, "GET", "/ready").status == 200)
            server.terminate()
            let isSaid = Patience.poll {
                (try? fetch(url, "GET", "/ready").status) == 503 ? true : nil
            }
            #expect(isSaid == true, "\(server.log)")
            #expect(try fetch(url, "GET", "/ready").text.contains("about to stop"))
            #expect(try fetch(url, "GET", "/health").status == 200)
            #expect(try fetch(url, "GET", "/metrics").text.contains("oracy_draining 1.0"))
            let refused = try fetch(url, "POST", "/v1/exams", json: Self.pocket)
            #expect(refused.status == 503 && refused.text.contains("/problems/no-room"), "\(refused.text)")
            #expect(refused.header("Retry-After") == "5")
            // An exam that was made and has not begun is sent to another node.
            let token = (waiting.object["live"] as? [String: String])?["token"] ?? ""
            #expect(try Self.closing(of: token, port: port) == 1001)
            let isHeld = try held.isHeld()
            #expect(isHeld && server.isRunning, "\(server.log)")
            held.leave()
            #expect(try server.end().code == 0)
            for line in ["draining exams=1 seconds=3600", "exam put on disk", "drained exams=0"] {
                #expect(server.log.contains(line), "\(line) is not in \(server.log)")
            }
        }
    }

    /// The server saves exams after the draining time, or at once without one.
    @Test(arguments: ["1", "0"]) func examsHeldAtTheEndAreSaved(_ seconds: String) async throws {
        try await withDen { den in
            try OperatedLearner.copyExam(to: den)
            let server = try OperatedServer(Self.options + ["--drain-seconds", seconds], in: den)
            let held = try ExamTalk(port: server.port(), Self.pocket)
            server.terminate()
            #expect(try server.end().code == 0)
            #expect(server.log.contains("exam put on disk"), "\(server.log)")
            #expect(server.log.contains("drained exams=1") == (seconds == "1"))
            withExtendedLifetime(held) {}
        }
    }

    /// Returns the code with which the server sends a client away.
    private static func closing(of token: String, port: Int) throws -> UInt16? {
        let socket = try TestSocket(port: port)
        socket.say("{\"type\":\"hello\",\"token\":\"\(token)\",\"acks\":1}")
        while let heard = try socket.hear() { if case .closed(let code) = heard { return code } }
        return nil
    }
}
