import Foundation
import StoreTrials
import Synchronization
import TestSupport
import Testing

@testable import ExamKit
@testable import ExamServer

/// Learners who read nothing of their exam: what waits for each, and for all of them, is bounded.
@Suite(.serialized, .store(only: .sqlite, because: "Nothing of it is the store's."))
struct SlowLiveReaders {
    private static func made(_ node: TestNode) async throws -> LiveExams.Made {
        try await node.make(ScenariosOverWebSocket.sitting(try ScenariosOverWebSocket.scenario("pocket-exam")))
    }

    /// A hundred pings. Each is answered with as many bytes.
    private static let pings = [UInt8](
        (0..<100).flatMap { _ in TestSocket.bytes(9, [UInt8](repeating: 7, count: 125)) })

    /// The most bytes that waited, seen from several threads.
    private final class Peak: Sendable {
        let most = Mutex(0)

        func note(_ count: Int) { most.withLock { $0 = max($0, count) } }
    }

    @Test func examsThatAreNotReadHoldLittleAndAreClosed() async throws {
        let count = Thoroughness.count(6, check: 120)
        let node = try await TestNode(TestBackend())
        let room = node.exams.services.outbound
        let peak = Peak()
        let closed = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                let made = try await Self.made(node)
                group.addTask {
                    try await onThread {
                        let client = try TalkingClient(made, port: node.port, receiveBuffer: 4_096)
                        var written = 0
                        while written < 64 << 20, client.socket.write(Self.pings) {
                            written += Self.pings.count
                            peak.note(room.waiting)
                        }
                        return written < 64 << 20
                    }
                }
            }
            return try await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(closed.count == count && closed.allSatisfy(\.self), "the server closes each of them")
        let highest = peak.most.withLock { $0 }
        #expect(highest > Conversation.mostWaiting / 2, "they were slow: \(highest)")
        #expect(highest <= count * (Conversation.mostWaiting + SlowReaders.share), "\(highest) bytes for \(count)")
        // A write that exceeds the whole room closes its connection.
        #expect(highest <= OutboundRoom.mostWaiting + 1 << 20, "\(highest)")
        try await eventually("nothing waits any more") { room.waiting == 0 }
        print("slow live readers: \(count) connections, at most \(highest) bytes waited")
        // The server still holds exams.
        let made = try await Self.made(node)
        let client = try await onThread { try TalkingClient(made, port: node.port) }
        withExtendedLifetime(client) {}
        try await node.stop()
    }

    /// A client that begins to read after it was given up finds the reason behind what it missed.
    @Test func whoReadsAfterAllFindsTheReason() async throws {
        let node = try await TestNode(TestBackend())
        let made = try await Self.made(node)
        let room = node.exams.services.outbound
        let (code, took) = try await onThread {
            let client = try TalkingClient(made, port: node.port, receiveBuffer: 4_096)
            while room.waiting < Conversation.mostWaiting - 2 * Self.pings.count {
                try #require(client.socket.write(Self.pings))
            }
            let began = SteadyClock.now
            for _ in 0..<4 { client.socket.write(Self.pings) }
            var code: UInt16?
            while code == nil, let heard = try client.socket.hear() {
                if case .closed(let said) = heard { code = said }
            }
            return (code, SteadyClock.now - began)
        }
        // The server waits two seconds for a client to take what it was sent.
        let isLate = code == 1006 && took >= Conversation.answerTime
        #expect(code == CloseReason.Code.notReading.rawValue || isLate, "\(code ?? 0) after \(took)")
        try await node.stop()
    }
}
