import Foundation
import LoopbackServers
import StoreTrials
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// Tests with clients that were written from the documents alone: one in Python, and pages in a browser.
@Suite(.bothStores(quick: .postgres)) struct ForeignClientTests {
    private let ann = UUID()

    @Test(.needs(Trials.obstacle(to: "websockets")), arguments: ["pcm", "opus"])
    func aClientFromTheDocumentsSitsAnExamThroughBrokenConnections(_ sound: String) async throws {
        let server = try await RunningServer {
            $0.anyPace = true
            $0.limits.requestsPerMinute = 100_000
        }
        let answer = try Programs.answer(in: server.folder)
        let token = try await RunningServer.token(of: ann)
        var seconds: [[Double]] = []
        for breaks in ["0", "997"] {
            let (status, said) = await Trials.run(
                Trials.folder + "/bin/python",
                [
                    Programs.file("Client/sit-exam.py"), server.url, answer, "--token", token, "--break-every", breaks,
                    "--format", "toefl-2026", "--paper", "echoes", "--sound", sound,
                ])
            try #require(status == 0, "\(said.suffix(2000))")
            let result = try #require(try JSONSerialization.jsonObject(with: Data(said.utf8)) as? [String: Any])
            let answers = try #require(result["answers"] as? [[String: Any]])
            #expect(result["outcome"] as? String == "completed")
            #expect(answers.count >= result["stored"] as? Int ?? .max && answers.count >= 11)
            seconds.append(answers.compactMap { $0["seconds"] as? Double })
            let connections = result["connections"] as? Int ?? 0
            #expect(breaks == "0" ? connections == 1 : connections > 10)
            print("a client in Python, on \(sound): \(answers.count) answers over \(connections) connections")
        }
        #expect(seconds[0] == seconds[1], "broken connections lose nothing")
        await server.stop()
    }

    /// A browser sends a preflight before each request to another origin, and hides headers that the server doesn't
    /// expose.
    @Test(.onlyInCheck, .needs(Trials.browserObstacle), arguments: [true, false])
    func anAllowedOriginsPageSitsAnExam(_ isAllowed: Bool) async throws {
        // A port that was free a moment ago: the server must know the page's origin before the page exists.
        let free = try TCPServer { _, _ in }
        let port = free.port
        free.stop()
        let server = try await RunningServer {
            $0.ownExams = Programs.file("Page/exams")
            $0.anyPace = true
            $0.limits.requestsPerMinute = 100_000
            if isAllowed { $0.allowedOrigins = ["http://localhost:\(port)"] }
        }
        let folder = server.folder + "/foreign"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Programs.file("Page/foreign.html"), toPath: folder + "/foreign.html")
        _ = try Programs.answer(in: folder)
        let seen = try await PageScript.seen(
            "foreign-page.py", [server.url, folder, "\(port)", try await RunningServer.token(of: ann)], on: server,
            part: isAllowed ? "allowed" : "refused")
        if isAllowed {
            #expect(seen["outcome"] as? String == "completed" && seen["code"] as? Int == 1000, "\(seen)")
            #expect(seen["answers"] as? Int == seen["stored"] as? Int && seen["answers"] as? Int ?? 0 >= 3, "\(seen)")
            #expect(seen["clips"] as? Int ?? 0 >= 3 && (seen["id"] as? String)?.count == 16, "\(seen)")
            #expect(seen["refused"] as? Int == 401 && seen["problem"] as? String == "/problems/no-token", "\(seen)")
        } else {
            #expect((seen["failed"] as? String)?.contains("Failed to fetch") == true, "\(seen)")
        }
        await server.stop()
    }

    @Test(.needs(Trials.browserObstacle)) func partsOfThePageWorkWithoutAServer() async throws {
        let page = Programs.file("../../Sources/ExamServer/Page")
        let folder = try TemporaryFolder()
        let troubles = folder.path + "/troubles.js"
        try Data(PageRoutes.files["kit/troubles.js"] ?? []).write(to: URL(filePath: troubles))
        try await PageScript.seen("page-parts.py", [page, troubles], on: nil)
    }

    /// The troubles are a denied microphone, one that is unplugged during the exam, a second window, leaving and coming
    /// back, and erasing.
    @Test(.onlyInCheck, .needs(Trials.browserObstacle)) func aLearnerInABrowserGetsThroughTroubles() async throws {
        let server = try await RunningServer { $0.limits.requestsPerMinute = 100_000 }
        let answer = try Programs.answer(in: server.folder)
        let seen = try await PageScript.seen(
            "page-failures.py", [server.url, answer, "--token", try await RunningServer.token(of: ann)], on: server)
        #expect(seen["erased"] as? Bool == true)
        await server.stop()
    }
}
