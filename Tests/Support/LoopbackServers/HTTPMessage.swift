import Glibc

/// A request or an answer of HTTP/1.1 as on the wire (RFC 9112), completely in memory.
struct HTTPMessage {
    /// For example `PUT /a/b HTTP/1.1` or `HTTP/1.1 200 OK`.
    var startLine: String
    var headers: [(name: String, value: String)]
    var body: [UInt8] = []
    /// All bytes of the message as they arrived.
    var bytes: [UInt8] = []

    /// Returns the value of the first header with this name, in any case.
    subscript(name: String) -> String? {
        headers.first { $0.name.lowercased() == name }?.value
    }

    /// The status of an answer; nil for a request.
    var status: Int? {
        guard startLine.hasPrefix("HTTP/") else { return nil }
        return startLine.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }
}

/// Reads the messages of a connection in order. Use it on the connection's thread.
struct HTTPReader {
    let connection: TCPConnection
    private var waiting: ArraySlice<UInt8> = []
    /// All bytes of the present message.
    private var bytes: [UInt8] = []

    /// The limit for a line. A longer one is invalid.
    private static let longestLine = 64 * 1024

    init(_ connection: TCPConnection) { self.connection = connection }

    /// Reads the head of the next message; nil if the connection ended, or the data isn't a head.
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

    /// Reads the body that belongs to a head. Returns false if the connection ended before it was complete.
    ///
    /// - Parameter isHeadOnly: Whether this answers a HEAD, and so has no body.
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
            // An answer without a length continues until the connection ends.
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

    /// Reads a line, without its CR LF.
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
