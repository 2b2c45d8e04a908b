import Glibc
import LoopbackServers

/// A client's end of a connection that never blocks: first HTTP, then WebSocket frames (RFC 6455, 5.2). It is
/// implemented here so that it costs next to nothing compared with the server.
struct ClientSocket: ~Copyable {
    enum Frame {
        case text(ArraySlice<UInt8>)
        /// A closing frame with its code.
        case closed(Int)
        /// Pings, and frames that this server never sends.
        case other
    }

    let descriptor: Int32
    private var received: [UInt8] = []
    private var unsent: [UInt8] = []

    /// Connects to a port of 127.0.0.1.
    init(port: Int) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        let code = withLoopbackAddress(port: port) { [descriptor] in connect(descriptor, $0, $1) }
        guard descriptor >= 0, code == 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
            fail("the server takes no connection")
        }
    }

    deinit { close(descriptor) }

    /// Whether bytes are waiting that the system has not accepted yet.
    var hasUnsent: Bool { !unsent.isEmpty }

    // MARK: - Out

    mutating func send(_ bytes: [UInt8]) {
        unsent += bytes
        flush()
    }

    /// Sends as much as the system accepts.
    mutating func flush() {
        while !unsent.isEmpty {
            let count = Glibc.send(descriptor, unsent, unsent.count, Int32(MSG_NOSIGNAL))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }  // Later. The reader notices a broken connection.
            if count == unsent.count { unsent.removeAll(keepingCapacity: true) } else { unsent.removeFirst(count) }
        }
    }

    mutating func send(text: String) { send(frame: 0x81, Array(text.utf8)) }

    mutating func send(binary bytes: [UInt8]) { send(frame: 0x82, bytes) }

    /// Sends a frame with a mask of zeros, which changes nothing. The server unmasks it like any other.
    private mutating func send(frame: UInt8, _ payload: [UInt8]) {
        unsent.append(frame)
        if payload.count < 126 {
            unsent.append(0x80 | UInt8(payload.count))
        } else {
            unsent += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        }
        unsent += [0, 0, 0, 0]
        unsent += payload
        flush()
    }

    // MARK: - In

    /// Reads the bytes that have arrived.
    ///
    /// - Returns: false if the other side closed or broke the connection.
    mutating func receive() -> Bool {
        while true {
            let (isAll, count, error) = withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 16) { buffer in
                let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
                if count > 0 { received += buffer[..<count] }
                return (0 < count && count < buffer.count, count, errno)
            }
            if isAll { return true }
            if count > 0 || (count < 0 && error == EINTR) { continue }
            return count < 0 && error == EAGAIN
        }
    }

    /// Returns the head and the body of an HTTP answer; nil until it is complete. A switch of protocols has no body.
    mutating func answer() -> (head: String, body: String)? {
        guard let end = received.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
        let length =
            head.split(separator: "\r\n").map { $0.lowercased() }
            .first { $0.hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).filter(\.isNumber)) } ?? 0
        guard received.count >= end.upperBound + length else { return nil }
        let body = String(decoding: received[end.upperBound..<(end.upperBound + length)], as: UTF8.self)
        received.removeSubrange(..<(end.upperBound + length))
        return (head, body)
    }

    /// Returns the next complete frame; nil if there isn't one yet.
    mutating func nextFrame() -> Frame? {
        guard received.count >= 2 else { return nil }
        var (start, length) = (2, Int(received[1] & 127))
        if length == 126 {
            guard received.count >= 4 else { return nil }
            (start, length) = (4, Int(received[2]) << 8 | Int(received[3]))
        } else if length == 127 {
            fail("the server sent a frame of more than 64 KiB")
        }
        guard received.count >= start + length else { return nil }
        defer { received.removeSubrange(..<(start + length)) }
        switch received[0] & 15 {
        case 1: return .text(received[start..<(start + length)])
        case 8: return .closed(length >= 2 ? Int(received[start]) << 8 | Int(received[start + 1]) : 1005)
        default: return .other
        }
    }
}
