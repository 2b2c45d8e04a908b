package import Glibc
import Synchronization

/// One end of a TCP connection. Reading and writing block and belong to one thread. `wake` may be called from any.
public final class TCPConnection: Sendable {
    let descriptor: Int32
    private let isClosed = Mutex(false)

    /// Takes over an open socket.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// - Throws: `SocketFailure` if no server listens on this port of 127.0.0.1.
    public convenience init(port: Int) throws(SocketFailure) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SocketFailure("socket") }
        let code = withLoopbackAddress(port: port) { connect(descriptor, $0, $1) }
        guard code == 0 else {
            let failure = SocketFailure("connect")
            Glibc.close(descriptor)
            throw failure
        }
        self.init(descriptor: descriptor)
    }

    deinit { close() }

    /// Waits for bytes and returns them; empty if the other side has ended or broken the connection.
    public func read(atMost count: Int = 64 * 1024) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            var got: Int
            repeat { got = recv(descriptor, room.baseAddress, count, 0) } while got < 0 && errno == EINTR
            filled = max(0, got)
        }
    }

    /// Writes all bytes. Returns false if the connection is broken.
    @discardableResult
    public func write(_ bytes: some Collection<UInt8>) -> Bool {
        let bytes = Array(bytes)
        var position = 0
        while position < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(descriptor, $0.baseAddress! + position, $0.count - position, Int32(MSG_NOSIGNAL))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            position += count
        }
        return true
    }

    @discardableResult
    public func write(_ text: String) -> Bool { write(text.utf8) }

    /// Ends the writing direction. Reading still works.
    public func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes the connection in an orderly way.
    public func close() {
        isClosed.withLock { isClosed in
            if !isClosed { Glibc.close(descriptor) }
            isClosed = true
        }
    }

    /// Closes the connection with a reset. Undelivered data is lost.
    public func reset() {
        isClosed.withLock { isClosed in
            guard !isClosed else { return }
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
            Glibc.close(descriptor)
            isClosed = true
        }
    }

    /// Ends both directions, so that a thread blocked in `read` or `write` continues. The connection's thread closes
    /// it.
    func wake() {
        isClosed.withLock { isClosed in
            if !isClosed { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }
}

/// A failed call on a socket: its name and the system's words.
public struct SocketFailure: Error, CustomStringConvertible {
    public let description: String

    /// Makes a failure from `errno`.
    init(_ call: String) { description = "\(call): \(String(cString: strerror(errno)))" }
}

/// Passes 127.0.0.1 in C's form to a function.
package func withLoopbackAddress<Answer>(
    port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Answer
) -> Answer {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
}

/// Returns a port of 127.0.0.1 that was free a moment ago, for a program that needs one; another program may take it
/// first. nil if none is free.
package func freePort() -> Int? {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard listener >= 0 else { return nil }
    defer { close(listener) }
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    guard withLoopbackAddress(port: 0, { bind(listener, $0, $1) }) == 0 else { return nil }
    let isNamed = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) == 0 }
    }
    return isNamed ? Int(in_port_t(bigEndian: address.sin_port)) : nil
}
