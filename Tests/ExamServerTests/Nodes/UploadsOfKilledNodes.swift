import ExamStore
import Foundation
import HTTPClient
import LoopbackServers
import StoreTrials
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import RecordingStores

/// Resumable uploads whose node is killed while a piece of megabytes is on its way.
@Suite(
    .needs(NodesBackend.obstacle),
    .store(
        only: .postgres,
        because: "Nodes in processes of their own share a database; a file of SQLite's is one process's."))
struct UploadsOfKilledNodes {
    private static let sent = 2_500_000

    @Test func allButTheLastMegabyteIsKeptForAnyNode() async throws {
        try await withTwoNodes { backend, nodes in
            let user = UUID()
            let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
            // The upload continues at the other node, and then at the killed one after its restart.
            for survivor in [1, 0] {
                let (session, answer) = (UUID(), UUID())
                let path = try await begin(at: nodes[0], session, answer, bytes.count, user)
                try await send(Array(bytes[..<Self.sent]), to: path, of: nodes[0], user)
                try await onThread {
                    nodes[0].kill()
                    try nodes[0].start()
                }
                let node = nodes[survivor]
                let stands = try await offset(of: path, at: node, user)
                #expect((Self.sent - 1 << 20...Self.sent).contains(stands), "\(stands) of \(Self.sent)")
                try await finish(path, at: node, bytes, user)
                let row = try #require(try await backend.store.owned(by: user).recording(answer))
                var kept: [UInt8] = []
                for try await piece in try await backend.audio.read(AudioKey(row.key)!, range: nil) { kept += piece }
                #expect(kept == bytes)
                print("an upload of a killed node: \(stands) of \(Self.sent) bytes kept")
            }
        }
    }

    private static let piece = [("Tus-Resumable", "1.0.0"), ("Content-Type", "application/offset+octet-stream")]

    /// Begins an upload.
    ///
    /// - Returns: Its path.
    private func begin(
        at node: ServerProcess, _ session: UUID, _ answer: UUID, _ length: Int, _ user: UUID
    ) async throws -> String {
        let row = [
            "id": session.uuidString, "name": "a", "format": "ielts-style", "paper": "bridges",
            "startedAt": "2026-11-22T10:00:00Z",
        ]
        #expect(try await RunningServer.ask(node.url, "PUT", "/v1/sessions/\(session)", row, as: user).status == 201)
        let values = ["session": session.uuidString, "answer": answer.uuidString, "filetype": "audio/wav"]
        let metadata = values.map { "\($0) \(Data($1.utf8).base64EncodedString())" }.joined(separator: ",")
        let made = try await RunningServer.ask(
            node.url, "POST", "/v1/uploads", as: user,
            headers: [("Tus-Resumable", "1.0.0"), ("Upload-Length", "\(length)"), ("Upload-Metadata", metadata)])
        let place = try #require(made.headers["location"], "\(made.text)")
        return String(place.dropFirst(node.url.count))
    }

    /// Sends the beginning of a piece that never ends, and waits until the server has read it.
    private func send(_ bytes: [UInt8], to path: String, of node: ServerProcess, _ user: UUID) async throws {
        let token = try await RunningServer.token(of: user)
        let port = node.port
        let head =
            [
                "PATCH \(path) HTTP/1.1", "Host: 127.0.0.1", "Tus-Resumable: 1.0.0", "Upload-Offset: 0",
                "Content-Type: application/offset+octet-stream", "Content-Length: 3000000",
                "Authorization: Bearer \(token)",
            ].joined(separator: "\r\n") + "\r\n\r\n"
        let connection = try await onThread {
            let connection = try TCPConnection(port: port)
            connection.write(head)
            connection.write(bytes)
            return connection
        }
        try await eventually("the server has read it") {
            try await self.offset(of: path, at: node, user) > bytes.count - 1 << 20
        }
        withExtendedLifetime(connection) {}
    }

    /// Finishes an upload as every tus client does. If a 409 says that the server has found a piece that was not
    /// counted, it asks for the offset again.
    private func finish(_ path: String, at node: ServerProcess, _ bytes: [UInt8], _ user: UUID) async throws {
        var status = 409
        for _ in 0..<2 where status == 409 {
            let stands = try await offset(of: path, at: node, user)
            status = try await RunningServer.ask(
                node.url, "PATCH", path, as: user, headers: Self.piece + [("Upload-Offset", "\(stands)")],
                bytes: Array(bytes[stands...])
            ).status
        }
        #expect(status == 204)
    }

    private func offset(of path: String, at node: ServerProcess, _ user: UUID) async throws -> Int {
        let there = try await RunningServer.ask(
            node.url, "HEAD", path, as: user, headers: [("Tus-Resumable", "1.0.0")])
        return there.headers["upload-offset"].flatMap { Int($0) } ?? -1
    }
}
