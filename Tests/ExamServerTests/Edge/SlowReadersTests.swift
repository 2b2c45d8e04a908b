import Foundation
import Glibc
import HTTPClient
import NIOCore
import NIOEmbedded
import StoreTrials
import TestSupport
import Testing

@testable import ExamServer

/// Clients that ask and do not read: what waits for them is bounded, and goes with them.
@Suite(.serialized, .store(only: .sqlite, because: "Nothing of it is the store's."))
struct SlowReadersTests {
    /// A connection that asks for the server's description again and again, and takes nothing of it.
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
        // A connection that waits has half of NIO's mark at least.
        try await eventually("all of them wait") { room.waiting >= count * 32 << 10 }
        #expect(room.waiting <= count * SlowReaders.share, "\(room.waiting) bytes for \(count)")
        #expect(room.waiting <= OutboundRoom.mostWaiting)
        // Who reads is answered whole.
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
        // Written and not flushed: it waits.
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

    /// Only then are free pages searched for: it takes each arena's lock.
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
}
