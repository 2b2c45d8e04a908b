import Dispatch
import Foundation
import Glibc
import LoopbackServers
import StoreTrials
import Waiting

/// The tests' own WebSocket client. It blocks, so it needs a thread of its own (`onThread`), and it can break every
/// rule.
final class TestSocket {
    struct Broken: Error {
        var what: String
    }

    enum Heard: Equatable {
        case text(String)
        case pong
        case ping
        /// Closed with a code; 1006 if the connection broke without a close frame.
        case closed(UInt16)
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var isOpen = true
    /// The head of the server's answer to the handshake.
    private(set) var answer = ""

    /// Connects to a port of 127.0.0.1, and shakes hands.
    ///
    /// - Parameters:
    ///   - headers: Further or different lines of the request.
    ///   - host: Another host than the actual one.
    init(
        port: Int, path: String = "/v1/live", subprotocol: String? = "oracy.live.1", headers: [String] = [],
        host: String? = nil, receiveBuffer: Int32? = nil
    ) throws {
        descriptor = try Self.connected(port, receiveBuffer)
        let key = Data((0..<16).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
        var lines = [
            "GET \(path) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")", "Connection: Upgrade", "Upgrade: websocket",
            "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: \(key)",
        ]
        if let subprotocol { lines.append("Sec-WebSocket-Protocol: \(subprotocol)") }
        write(Array((lines + headers).joined(separator: "\r\n").utf8) + Array("\r\n\r\n".utf8))
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let place = buffer.firstRange(of: end) {
                answer = String(decoding: buffer[..<place.lowerBound], as: UTF8.self)
                buffer.removeSubrange(..<place.upperBound)
                return
            }
            guard try fill(within: Patience.seconds) else { throw Broken(what: "no handshake: \(buffer.count) bytes") }
        }
    }

    var isUpgraded: Bool { answer.hasPrefix("HTTP/1.1 101") }

    deinit { cut() }

    private static func connected(_ port: Int, _ receiveBuffer: Int32?) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        let code = withLoopbackAddress(port: port) { Glibc.connect(descriptor, $0, $1) }
        guard code == 0 else {
            close(descriptor)
            throw Broken(what: "connection refused")
        }
        return descriptor
    }

    /// Ends the connection without a close frame.
    func cut() {
        guard isOpen else { return }
        isOpen = false
        close(descriptor)
    }

    // MARK: Saying

    func say(_ text: String) { frame(1, Array(text.utf8)) }

    /// Sends blocks of sound, the first of them with this number.
    func say(_ pcm: [UInt8], from number: UInt32) {
        frame(2, withUnsafeBytes(of: number.littleEndian) { Array($0) } + pcm)
    }

    /// Sends a frame, valid or not.
    func frame(_ opcode: UInt8, _ data: [UInt8], fin: Bool = true, masked: Bool = true, reserved: UInt8 = 0) {
        write(Self.bytes(opcode, data, fin: fin, masked: masked, reserved: reserved))
    }

    static func bytes(
        _ opcode: UInt8, _ data: [UInt8], fin: Bool = true, masked: Bool = true, reserved: UInt8 = 0
    ) -> [UInt8] {
        var bytes: [UInt8] = [(fin ? 0x80 : 0) | reserved << 4 | opcode]
        let mask: UInt8 = masked ? 0x80 : 0
        switch data.count {
        case ...125: bytes.append(mask | UInt8(data.count))
        case ...65_535: bytes += [mask | 126, UInt8(data.count >> 8), UInt8(data.count & 255)]
        default:
            bytes.append(mask | 127)
            bytes += withUnsafeBytes(of: UInt64(data.count).bigEndian) { Array($0) }
        }
        guard masked else { return bytes + data }
        let key = (0..<4).map { _ in UInt8.random(in: 0...255) }
        return bytes + key + data.enumerated().map { $1 ^ key[$0 % 4] }
    }

    /// Writes bytes unchanged.
    ///
    /// - Returns: False if the connection is broken.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    // MARK: Hearing

    /// Returns the next message. Nil if none comes in time.
    func hear(within seconds: Double = Patience.seconds) throws -> Heard? {
        while true {
            if let heard = next() { return heard }
            do {
                guard try fill(within: seconds) else { return nil }
            } catch {
                return .closed(1006)
            }
        }
    }

    private func next() -> Heard? {
        guard buffer.count >= 2 else { return nil }
        var header = 2
        var length = Int(buffer[1] & 0x7F)
        if length == 126 {
            guard buffer.count >= 4 else { return nil }
            length = Int(buffer[2]) << 8 | Int(buffer[3])
            header = 4
        } else if length == 127 {
            guard buffer.count >= 10 else { return nil }
            length = buffer[2..<10].reduce(0) { $0 << 8 | Int($1) }
            header = 10
        }
        guard buffer.count >= header + length else { return nil }
        let opcode = buffer[0] & 0x0F
        let data = Array(buffer[header..<(header + length)])
        buffer.removeSubrange(..<(header + length))
        switch opcode {
        case 8: return .closed(data.count >= 2 ? UInt16(data[0]) << 8 | UInt16(data[1]) : 1005)
        case 9: return .ping
        case 10: return .pong
        default: return .text(String(decoding: data, as: UTF8.self))
        }
    }

    /// Reads more bytes.
    ///
    /// - Returns: False if none came in time.
    /// - Throws: `Broken`.
    private func fill(within seconds: Double) throws -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard Glibc.poll(&poll, 1, Int32(seconds * 1000)) > 0 else { return false }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { throw Broken(what: "the connection ended") }
        buffer += chunk[..<count]
        return true
    }
}

/// Runs blocking work on a thread of its own.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    let work = onSameStore(work)
    return try await withCheckedThrowingContinuation { done in
        let thread = Thread { done.resume(with: Result { try work() }) }
        thread.stackSize = 1 << 20
        thread.start()
    }
}
