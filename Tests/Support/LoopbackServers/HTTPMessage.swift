import Glibc

/// A request or an answer of HTTP/1.1 as it is on the wire (RFC 9112), whole in memory.
struct HTTPMessage {
    /// `PUT /a/b HTTP/1.1`, `HTTP/1.1 200 OK`.
    var startLine: String
    var headers: [(name: String, value: String)]
    var body: [UInt8] = []
    /// Every byte of it, as it came.
    var bytes: [UInt8] = []

    /// Of the first header with this name, in any case.
    subscript(name: String) -> String? {
        headers.first { $0.name.lowercased() == name }?.value
    }

    /// What an answer says, or nil for a request.
    var status: Int? {
        guard startLine.hasPrefix("HTTP/") else { return nil }
        return startLine.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }
}

/// Reads messages from a connection, one after the other. Belongs to the connection's thread.
struct HTTPReader {
    let connection: TCPConnection
    private var waiting: ArraySlice<UInt8> = []
    /// Everything of the message that is being read.
    private var bytes: [UInt8] = []

    /// Longer lines are no message.
    private static let longestLine = 64 * 1024

    init(_ connection: TCPConnection) { self.connection = connection }

    /// The head of the next message; nil where the connection ended, or what came is no head.
    mutating func head() -> HTTPMessage? {
        bytes = []
        guard let start = line(), !start.isEmpty else { return nil }
        var headers: [(name: String, value: String)] = []
        while let line = line() {
            if line.isEmpty { return HTTPMessage(startLine: start, headers: headers, bytes: bytes) }
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers.append((String(line[..<colon]), String(value)))
        }
        return nil
    }

    /// Fills in the body that belongs to a head; false where the connection ended before it was whole.
    ///
    /// - Parameter isHeadOnly: the answer to a HEAD, which has none.
    mutating func readBody(of message: inout HTTPMessage, isHeadOnly: Bool = false) -> Bool {
        defer { message.bytes = bytes }
        let status = message.status
        if isHeadOnly || status == 204 || status == 304 || status.map({ $0 < 200 }) == true { return true }
        if message["transfer-encoding"]?.lowercased() == "chunked" {
            guard let body = chunks() else { return false }
            message.body = body
        } else if let length = message["content-length"] {
            guard let length = Int(length), length >= 0, let body = take(length) else { return false }
            message.body = body
        } else if status != nil {
            // An answer without a length goes on until the connection ends.
            while fill() {}
            message.body = take(waiting.count) ?? []
        }
        return true
    }

    private mutating func chunks() -> [UInt8]? {
        var body: [UInt8] = []
        while let line = line() {
            guard let count = Int(line.prefix { $0 != ";" }, radix: 16), count >= 0 else { return nil }
            if count == 0 {
                // Trailers, then an empty line.
                while let line = self.line() { if line.isEmpty { return body } }
                return nil
            }
            guard let piece = take(count), let end = self.line(), end.isEmpty else { return nil }
            body += piece
        }
        return nil
    }

    /// Up to CR LF, which is not part of it.
    private mutating func line() -> String? {
        while true {
            if let end = waiting.firstIndex(of: 10) {
                let line = waiting[..<end]
                bytes += waiting[...end]
                waiting = waiting[(end + 1)...]
                return String(decoding: line.last == 13 ? line.dropLast() : line, as: UTF8.self)
            }
            guard waiting.count < Self.longestLine, fill() else { return nil }
        }
    }

    private mutating func take(_ count: Int) -> [UInt8]? {
        while waiting.count < count { guard fill() else { return nil } }
        let piece = Array(waiting.prefix(count))
        waiting = waiting.dropFirst(count)
        bytes += piece
        return piece
    }

    private mutating func fill() -> Bool {
        let more = connection.read()
        waiting += more
        return !more.isEmpty
    }
}
