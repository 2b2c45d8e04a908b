import Foundation
import Glibc
import HTTPClient
import LoopbackServers
import Synchronization
import Testing

/// Bodies from files: the right piece, never much of it in memory, and files that have changed.
extension CurlClientTests {
    @Test(arguments: [(0, 200_000), (0, 0), (70_000, 65_536), (199_999, 1), (1, 65_537)])
    func aPieceOfAFileIsSent(_ offset: Int, _ byteCount: Int) async throws {
        let den = try Den()
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 17 &+ $0 >> 8) }
        let file = try den.file("take", bytes)
        let seen = Seen()
        let server = try HTTPServer { request in
            seen.append(request)
            return HTTPResponse(status: 204)
        }
        defer { server.stop() }
        let last = Count()
        _ = try await client.exchange(
            HTTPRequest("PATCH", server.url, body: .file(path: file, offset: offset, byteCount: byteCount)),
            limits: .patient
        ) { last.value = $0 }
        #expect(seen.all.first?.bytes == Array(bytes[offset..<offset + byteCount]))
        #expect(seen.all.first?.header("content-length") == "\(byteCount)")
        #expect(last.value == byteCount)
    }

    @Test func anUnreadableFileIsNotSent() async throws {
        let den = try Den()
        let file = try den.file("take", Array(repeating: 1, count: 1000))
        try #require(mkfifo("\(den.path)/pipe", 0o600) == 0)
        let server = try HTTPServer { _ in HTTPResponse(status: 200) }
        defer { server.stop() }
        for (path, offset, byteCount) in [
            ("\(den.path)/none", 0, 1), (den.path, 0, 1), ("\(den.path)/pipe", 0, 1), (file, 0, 1001), (file, 1000, 1),
            (file, 5000, 0), (file, Int.max, 1),
        ] {
            let request = HTTPRequest(
                "PUT", server.url, body: .file(path: path, offset: offset, byteCount: byteCount))
            let failure = await problem(of: client, request)
            #expect(failure?.kind == .unreadable, "\(path) \(offset) \(byteCount)")
        }
        #expect(server.connectionCount == 0)
    }

    /// The file is truncated when the server has the head. The system's buffers hold far less than the rest.
    @Test func aFileThatShrinksWhileItIsSentIsUnreadable() async throws {
        let den = try Den()
        let file = try den.sparseFile("take", byteCount: 64 << 20)
        let server = try TCPServer(receiveBuffer: 16 * 1024) { connection, _ in
            guard connection.readHead() != nil else { return }
            truncate(file, 1 << 20)
            while !connection.read().isEmpty {}
        }
        defer { server.stop() }
        let url = "http://127.0.0.1:\(server.port)"
        let failure = await problem(
            of: client, HTTPRequest("PUT", url, body: .file(path: file, offset: 0, byteCount: 64 << 20)))
        #expect(failure == HTTPFailure(.unreadable, "the file became shorter while it was sent"))
    }

    /// An open file can be read to its end without its name.
    @Test func aFileThatIsRemovedWhileItIsSentArrivesWhole() async throws {
        let den = try Den()
        let file = try den.file("take", Array(repeating: 5, count: 8 << 20))
        let server = try TCPServer(receiveBuffer: 16 * 1024) { connection, _ in
            guard let head = connection.readHead() else { return }
            unlink(file)
            let length = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n\r\n")[0].utf8.count + 4
            var count = head.count - length
            while count < 8 << 20 {
                let more = connection.read()
                if more.isEmpty { return }
                count += more.count
            }
            connection.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
        }
        defer { server.stop() }
        let url = "http://127.0.0.1:\(server.port)"
        let answer = try await client.exchange(
            HTTPRequest("PUT", url, body: .file(path: file, offset: 0, byteCount: 8 << 20)), limits: .patient)
        #expect(answer.status == 200)
    }

    /// Runs in another process, so that nothing else uses memory.
    @Test func aLargeFileIsNeverInMemory() async throws {
        await #expect(processExitsWith: .success) {
            let byteCount = 64 << 20
            let den = try Den()
            let file = try den.sparseFile("take", byteCount: byteCount)
            let server = try TCPServer { connection, _ in
                while let head = connection.readHead() {
                    let text = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n\r\n")[0]
                    let length = text.contains("\(64 << 20)") ? 64 << 20 : 1
                    var count = head.count - text.utf8.count - 4
                    while count < length {
                        let more = connection.read()
                        if more.isEmpty { return }
                        count += more.count
                    }
                    connection.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
                }
            }
            let client = CurlClient()
            let url = "http://127.0.0.1:\(server.port)"
            // The one-time costs of a first exchange aren't counted.
            _ = try await client.exchange(HTTPRequest("PUT", url, body: .bytes([1])))
            let before = try peakMemory()
            let answer = try await client.exchange(
                HTTPRequest("PUT", url, body: .file(path: file, offset: 0, byteCount: byteCount)), limits: .patient)
            #expect(answer.status == 200)
            let growth = try peakMemory() - before
            #expect(growth < 8 << 10, "\(growth) KiB more at its highest")
        }
    }
}

/// Returns the peak of this process's resident memory in KiB.
private func peakMemory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
}
