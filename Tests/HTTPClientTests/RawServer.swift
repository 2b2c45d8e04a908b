import Foundation
import HTTPClient
import LoopbackServers
import Synchronization
import Testing

/// A server that sends the same bytes to every connection as soon as it has a request's head, even if they aren't HTTP,
/// and closes it.
final class RawServer: Sendable {
    private let server: TCPServer

    enum End { case close, reset, stay }

    init(answering answer: String, end: End = .close) throws {
        server = try TCPServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.write(answer)
            switch end {
            // Closes in an orderly way, since unread bytes would cause a reset.
            case .close:
                connection.endWriting()
                while !connection.read().isEmpty {}
            case .reset: connection.reset()
            case .stay: while !connection.read().isEmpty {}
            }
        }
    }

    var url: String { "http://127.0.0.1:\(server.port)" }
    var connectionCount: Int { server.connectionCount }
    func stop() { server.stop() }
}

extension TCPConnection {
    /// Returns everything up to an empty line with the bytes that came along; nil if the connection ended before.
    func readHead() -> [UInt8]? {
        var bytes: [UInt8] = []
        while !String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") {
            let more = read()
            if more.isEmpty { return nil }
            bytes += more
        }
        return bytes
    }
}

/// The requests to a handler, in order.
final class Seen: Sendable {
    private let requests = Mutex<[HTTPRequest]>([])
    var all: [HTTPRequest] { requests.withLock { $0 } }
    func append(_ request: HTTPRequest) { requests.withLock { $0.append(request) } }
}

/// A barrier that lets threads continue when all of them have arrived.
final class Gate: Sendable {
    private let condition = NSCondition()
    private nonisolated(unsafe) var missing: Int

    init(_ count: Int) { missing = count }

    func arriveAndWait() {
        condition.withLock {
            missing -= 1
            if missing <= 0 { condition.broadcast() }
            while missing > 0 { condition.wait() }
        }
    }

    /// Lets the threads continue without waiting for the others.
    func open() {
        condition.withLock {
            missing = 0
            condition.broadcast()
        }
    }
}

/// Returns the failure of an exchange; nil if there is an answer.
func problem(
    of client: CurlClient, _ request: HTTPRequest, limits: HTTPLimits = .patient,
    sent: @escaping @Sendable (Int) -> Void = { _ in }
) async -> HTTPFailure? {
    do throws(HTTPFailure) {
        _ = try await client.exchange(request, limits: limits, sent: sent)
        return nil
    } catch {
        return error
    }
}

/// A folder for a test's files that is removed with this object.
final class Den {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "oracy-http-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = "\(path)/\(name)"
        try Data(bytes).write(to: URL(filePath: file))
        return file
    }

    /// Makes a file of zeros that uses no room on disk.
    func sparseFile(_ name: String, byteCount: Int) throws -> String {
        let file = "\(path)/\(name)"
        try #require(FileManager.default.createFile(atPath: file, contents: nil))
        try #require(truncate(file, byteCount) == 0)
        return file
    }
}
