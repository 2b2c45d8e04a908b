import Foundation
import Glibc
import HTTPClient
import NIOCore
import NIOEmbedded
import StoreTrials
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// Clients that send requests and read no answers. The bytes that wait for them are limited, and are freed when they
/// go.
@Suite(.serialized, .store(only: .sqlite, because: "Nothing of it is the store's."))
struct SlowReadersTests {
    /// A connection that asks for the server's description again and again, and never reads it.
    private final class Reader {
        private let socket: Int32

        init(port: Int, requests: Int) throws {
            socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var size: Int32 = 2_048
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(port).bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            let joined = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            try #require(joined == 0)
            let asked = Array(String(repeating: "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n", count: requests).utf8)
            try #require(Glibc.send(socket, asked, asked.count, Int32(MSG_NOSIGNAL)) == asked.count)
        }

        deinit { close(socket) }
    }

    @Test func clientsThatReadNothingHoldLittleMemory() async throws {
        let count = Thoroughness.count(40, check: 500)
        let server = try await RunningServer { $0.readerPatience = .seconds(3_600) }
        let room = server.services.outbound
        var readers: [Reader] = []
        for _ in 0..<count { readers.append(try Reader(port: server.port, requests: 30)) }
        // A waiting connection holds at least half of NIO's high-water mark.
        try await eventually("all of them wait") { room.waiting >= count * 32 << 10 }
        #expect(room.waiting <= count * SlowReaders.share, "\(room.waiting) bytes for \(count)")
        #expect(room.waiting <= OutboundRoom.mostWaiting)
        // A client that reads gets the whole answer.
        let whole = try await server.ask("GET", "/openapi.json", as: nil)
        #expect(whole.status == 200 && whole.body.count > 200_000 && whole.object["openapi"] != nil)
        print("slow readers: \(count) connections, \(room.waiting) bytes wait")
        readers = []
        try await eventually("nothing waits any more") { room.waiting == 0 }
        await server.stop()
    }

    @Test func aClientThatReadsNothingIsDisconnected() throws {
        let room = OutboundRoom()
        let channel = EmbeddedChannel(handler: SlowReaders(room, patience: .seconds(30)))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        // Written but not flushed, so it waits.
        channel.write(IOData.byteBuffer(ByteBuffer(repeating: 1, count: 1_000)), promise: nil)
        #expect(room.waiting == 1_000)
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive && room.waiting == 0)
    }

    @Test func aClientThatReadsSlowlyStaysConnected() throws {
        let room = OutboundRoom()
        let channel = EmbeddedChannel(handler: SlowReaders(room, patience: .seconds(30)))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        for _ in 0..<10 {
            channel.write(IOData.byteBuffer(ByteBuffer(repeating: 1, count: 1_000)), promise: nil)
            channel.embeddedEventLoop.advanceTime(by: .seconds(20))
            channel.flush()
            channel.write(IOData.byteBuffer(ByteBuffer(repeating: 1, count: 1_000)), promise: nil)
            channel.embeddedEventLoop.advanceTime(by: .seconds(20))
            #expect(channel.isActive && room.waiting == 1_000)
            channel.flush()
        }
        #expect(room.waiting == 0)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    @Test func withoutRoomClientsAboveTheirShareAreDisconnected() throws {
        let room = OutboundRoom()
        room.add(waiting: OutboundRoom.mostWaiting)
        for (count, stays) in [(SlowReaders.share, true), (SlowReaders.share + 1, false)] {
            let channel = EmbeddedChannel(handler: SlowReaders(room, patience: .seconds(30)))
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            channel.write(IOData.byteBuffer(ByteBuffer(repeating: 1, count: count)), promise: nil)
            #expect(channel.isActive == stays)
            _ = try? channel.finish(acceptAlreadyClosed: true)
        }
        #expect(room.waiting == OutboundRoom.mostWaiting)
    }

    /// The server searches for free pages only when a burst is over, since the search takes each arena's lock.
    @Test func aBurstIsOverWhenHalfOfItHasGone() {
        let room = OutboundRoom()
        room.add(waiting: OutboundRoom.burst - 1)
        room.add(waiting: 1 - OutboundRoom.burst)
        #expect(!room.hasEmptied(), "too little to search for")
        room.add(waiting: 4 * OutboundRoom.burst)
        #expect(!room.hasEmptied(), "all of it still waits")
        room.add(waiting: -2 * OutboundRoom.burst)
        #expect(room.hasEmptied() && !room.hasEmptied(), "once for each half")
        room.add(waiting: -2 * OutboundRoom.burst)
        #expect(room.hasEmptied() && !room.hasEmptied())
        var report = room.hold(OutboundRoom.burst)
        #expect(report != nil && !room.hasEmptied())
        report = nil
        #expect(report == nil && room.hasEmptied(), "large bodies count, too")
    }

    @Test func aLargeBodyTakesRoomUntilItGoes() {
        let room = OutboundRoom()
        var first = room.hold(OutboundRoom.mostHeld + 1)
        #expect(first != nil, "a body larger than the limit is held if it is the only one")
        #expect(room.hold(1) == nil)
        first = nil
        #expect(room.held == 0)
        let held = (0..<3).map { _ in room.hold(OutboundRoom.mostHeld / 3) }
        #expect(held.allSatisfy { $0 != nil } && room.hold(1_000) == nil)
    }

    // MARK: - Live exams

    private static func made(_ node: TestNode) async throws -> LiveExams.Made {
        try await node.make(ScenariosOverWebSocket.sitting(try ScenariosOverWebSocket.scenario("pocket-exam")))
    }

    /// A hundred pings. Each answer has as many bytes as its ping.
    private static let pings = [UInt8](
        (0..<100).flatMap { _ in TestSocket.bytes(9, [UInt8](repeating: 7, count: 125)) })

    /// The largest number of waiting bytes that any thread saw.
    private final class Peak: Sendable {
        let most = Mutex(0)

        func note(_ count: Int) { most.withLock { $0 = max($0, count) } }
    }

    @Test func examsThatAreNotReadHoldLittleAndAreClosed() async throws {
        let count = Thoroughness.count(6, check: 40)
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

    /// A client that begins to read after the server gave it up finds the reason after the bytes that it missed.
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
