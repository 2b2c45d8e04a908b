import Foundation
import Glibc
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import SystemSupport
import Testing
import Waiting

@testable import ExamServer

/// The notices to systemd, as its socket receives them.
@Suite struct SystemdNoticesTests {
    /// A socket like systemd's, at a path or with an abstract name.
    private final class Ear: Sendable {
        let name: String
        private let socket: Int32

        init(_ name: String) throws {
            self.name = name
            socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) {
                $0.copyBytes(from: name.utf8)
                if name.hasPrefix("@") { $0[0] = 0 }
            }
            let length = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count)
            let bound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) }
            }
            try #require(bound == 0)
            // A test that receives nothing still ends.
            var patience = timeval(tv_sec: Int(Patience.seconds.rounded(.up)), tv_usec: 0)
            setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        }

        deinit { close(socket) }

        /// Returns the next datagram. Empty if none comes in time.
        func hear() async -> String {
            await runBlocking { [socket] in
                var bytes = [UInt8](repeating: 0, count: 256)
                let count = recv(socket, &bytes, bytes.count, 0)
                return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
            }
        }
    }

    @Test(arguments: [true, false]) func theSocketGetsTheNotice(atPath: Bool) async throws {
        let id = UUID().uuidString
        let ear = try Ear(atPath ? "/tmp/oracy-\(id)" : "@oracy-\(id)")
        defer { unlink(ear.name) }
        SystemdNotices(socket: ear.name).tell("READY=1")
        #expect(await ear.hear() == "READY=1")
    }

    /// Without a socket, with an invalid name, or with a socket without a listener, the server works all the same.
    @Test func missingAndInvalidSocketsAreIgnored() {
        for socket in [nil, "", "relative", "/tmp/oracy-no-socket", "/" + String(repeating: "x", count: 200)] {
            SystemdNotices(socket: socket).tell("READY=1")
        }
    }

    @Test func liveSignsAreSentUntilItStops() async throws {
        let ear = try Ear("@oracy-\(UUID().uuidString)")
        let notices = SystemdNotices(socket: ear.name, watchdog: .milliseconds(20))
        let group = ServiceGroup(services: [notices], logger: .init(label: "test"))
        async let running: Void = group.run()
        for _ in 0..<3 { #expect(await ear.hear() == "WATCHDOG=1") }
        await group.triggerGracefulShutdown()
        var last = await ear.hear()
        while last == "WATCHDOG=1" { last = await ear.hear() }
        #expect(last == "STOPPING=1")
        try await running
    }

    /// A hanging loop is not reported as alive.
    @Test func aLoopThatHangsIsNotAlive() async throws {
        let ear = try Ear("@oracy-\(UUID().uuidString)")
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let hanging = DispatchSemaphore(value: 0)
        loops.next().execute { hanging.wait() }
        let notices = SystemdNotices(socket: ear.name, watchdog: .milliseconds(2), loops: loops)
        let task = Task { try await notices.run() }
        notices.tell("first")
        #expect(await ear.hear() == "first")
        // Meanwhile a running loop is reported as alive ten times. A notice for the hanging one would have come before
        // "second".
        let other = try Ear("@oracy-\(UUID().uuidString)")
        let alive = Task { try await SystemdNotices(socket: other.name, watchdog: .milliseconds(2)).run() }
        for _ in 0..<10 { #expect(await other.hear() == "WATCHDOG=1") }
        alive.cancel()
        _ = try? await alive.value
        notices.tell("second")
        #expect(await ear.hear() == "second")
        hanging.signal()
        #expect(await ear.hear() == "WATCHDOG=1")
        task.cancel()
        _ = try? await task.value
        try await loops.shutdownGracefully()
    }
}
