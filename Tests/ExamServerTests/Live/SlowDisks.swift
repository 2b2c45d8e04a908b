import Foundation
import Glibc
import StoreTrials
import SystemSupport
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// A disk that doesn't answer delays only the exams that wait for it, because nothing waits for a disk on an event
/// loop's thread.
@Suite(.bothStores) struct SlowDisks {
    /// The number of exams that wait: more than a test's node has event loops, and fewer than it has threads for exams.
    private static let stuck = 4

    @Test func aRunningExamIsHeardWhileOthersAreOpened() async throws {
        let node = try await TestNode(TestBackend())
        let scenario = try ScenariosOverWebSocket.scenario("pocket-exam")
        var left: [LiveExams.Made] = []
        for _ in 0..<Self.stuck {
            let made = try await node.make(ScenariosOverWebSocket.sitting(scenario))
            try await onThread {
                let client = try TalkingClient(made, port: node.port)
                client.socket.say("{\"type\":\"leave\"}")
                _ = try client.closing()
            }
            try await eventually("it is on disk") { node.keptLog.notes(of: made.session).contains("exam put on disk") }
            left.append(made)
        }
        // One file of each exam is a pipe, so a reader waits until there is a writer.
        let files = left.map { SessionRestore.path(of: $0.session, in: node.exams.settings) + "/clock" }
        for file in files {
            unlink(file)
            #expect(mkfifo(file, 0o600) == 0)
        }
        let sitting = try await onThread { [made = try await node.make(ScenariosOverWebSocket.sitting(scenario))] in
            try TalkingClient(made, port: node.port)
        }
        let opening = left.map { made in
            Task { try await onThread { _ = try TalkingClient(made, port: node.port) } }
        }
        let writers = Kept<[String: Int32]>([:])
        try await eventually("all of them are being opened") {
            for file in files where writers.value[file] == nil {
                let descriptor = open(file, O_WRONLY | O_NONBLOCK)
                if descriptor >= 0 { writers.value[file] = descriptor }  // The node reads it by now.
            }
            return writers.value.count == Self.stuck
        }
        var slowest = Duration.zero
        for count in 1...40 {
            let began = SteadyClock.now
            try await onThread {
                sitting.beSilent(5)
                sitting.socket.say("{\"type\":\"ping\",\"at\":\(count)}")
                let pong = try sitting.message { $0["type"] as? String == "pong" }
                #expect(pong?["at"] as? Int == count)
            }
            slowest = max(slowest, SteadyClock.now - began)
        }
        #expect(slowest < .seconds(2), "heard while \(Self.stuck) exams wait for a disk")
        for (_, descriptor) in writers.value { close(descriptor) }
        for task in opening { try await task.value }
        try await node.stop()
    }
}
