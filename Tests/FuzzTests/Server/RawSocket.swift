import Foundation
import Glibc

/// A connection to a port of 127.0.0.1 that sends bytes unchanged.
final class RawSocket {
    private let descriptor: Int32

    /// - Throws: `Wrong` if the port is closed.
    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else {
            close(descriptor)
            throw Wrong("connection refused: the server is gone")
        }
    }

    deinit { close(descriptor) }

    /// Writes as much as the other side accepts.
    func write(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN, isReady(POLLOUT, within: 2) { continue }
            if count <= 0 { return }
            sent += count
        }
    }

    /// Closes the connection for writing.
    func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Returns the next bytes. Empty at the end, nil if none come in time.
    func next(within seconds: Double) -> [UInt8]? {
        guard isReady(POLLIN, within: seconds) else { return nil }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        return Array(chunk[..<max(0, count)])
    }

    /// Returns all bytes until the other side closes the connection.
    func all(within seconds: Double) -> [UInt8] {
        var all: [UInt8] = []
        while let piece = next(within: seconds), !piece.isEmpty { all += piece }
        return all
    }

    private func isReady(_ event: Int32, within seconds: Double) -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        return Glibc.poll(&poll, 1, Int32(seconds * 1_000)) > 0
    }
}

/// Runs blocking work on a thread of its own, because the server shares the threads of tasks.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { done in
        Thread { done.resume(with: Result { try work() }) }.start()
    }
}
