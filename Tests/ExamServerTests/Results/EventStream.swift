import Foundation
import Glibc
import Testing
import Waiting

/// A client that watches results grow. It reads server-sent events from a socket as they come.
final class EventStream: Sendable {
    struct Event: Equatable, Sendable {
        var id: String?
        var name: String
        var data: String

        /// The data as a JSON object.
        var object: [String: Any] {
            ((try? JSONSerialization.jsonObject(with: Data(data.utf8))) as? [String: Any]) ?? [:]
        }
    }

    private let socket: Int32
    /// The head of the answer.
    let head: String
    /// Bytes that were read and not yet returned as events.
    private nonisolated(unsafe) var rest: [UInt8]

    /// - Parameter port: The port of the server, or of a proxy in front of it.
    convenience init(_ port: Int, _ session: String, token: String, last: String? = nil) throws {
        try self.init(port, token: token, last: last, path: "/v1/sessions/\(session)/events")
    }

    /// - Parameter path: The path of any stream of events.
    init(_ port: Int, token: String, last: String? = nil, path: String) throws {
        let opened = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(opened, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(status == 0)
        var limit = timeval(tv_sec: Int(Patience.seconds.rounded(.up)), tv_usec: 0)
        setsockopt(opened, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let more = last.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        let request =
            "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(token)\r\n\(more)\r\n"
        _ = request.withCString { send(opened, $0, strlen($0), 0) }
        var bytes: [UInt8] = []
        socket = opened
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                head = String(text[..<end.lowerBound])
                rest = Array(text[end.upperBound...].utf8)
                break
            }
            bytes += try Self.read(opened)
        }
    }

    deinit { close(socket) }

    var status: Int { Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0 }

    /// Breaks the line, as a network does.
    func hangUp() { shutdown(socket, Int32(SHUT_RDWR)) }

    private static func read(_ socket: Int32) throws -> [UInt8] {
        var room = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &room, room.count, 0)
        try #require(count > 0, "the stream ended, or said nothing for a minute")
        return Array(room[..<count])
    }

    /// Returns the next event. Nil if the stream has ended.
    func next() throws -> Event? {
        while true {
            // The body is sent in HTTP chunks. Here a chunk is a whole event, since each is written at once.
            guard let line = Self.range(of: [13, 10], in: rest) else {
                rest += try Self.read(socket)
                continue
            }
            let size = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16) ?? -1
            try #require(size >= 0)
            if size == 0 { return nil }
            while rest.count < line.upperBound + size + 2 { rest += try Self.read(socket) }
            let chunk = String(decoding: rest[line.upperBound..<line.upperBound + size], as: UTF8.self)
            rest.removeFirst(line.upperBound + size + 2)
            if let event = Self.event(chunk) { return event }
        }
    }

    private static func range(of mark: [UInt8], in bytes: [UInt8]) -> Range<Int>? {
        bytes.indices.dropLast().first { bytes[$0] == mark[0] && bytes[$0 + 1] == mark[1] }.map { $0..<$0 + 2 }
    }

    /// Parses an event. Nil for a comment and for `retry`.
    private static func event(_ text: String) -> Event? {
        var fields: [String: String] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix(":") {
            let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
            fields[parts[0]] = String((parts.count > 1 ? parts[1] : "").drop { $0 == " " })
        }
        guard let name = fields["event"] else { return nil }
        return Event(id: fields["id"], name: name, data: fields["data"] ?? "")
    }

    /// Reads until an event matches.
    ///
    /// - Returns: All events that came.
    func until(_ isLast: (Event) -> Bool) throws -> [Event] {
        var events: [Event] = []
        while let event = try next() {
            events.append(event)
            if isLast(event) { return events }
        }
        Issue.record("the stream ended before: \(events.map(\.name))")
        return events
    }
}
