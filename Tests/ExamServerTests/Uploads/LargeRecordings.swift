import ExamCore
import Foundation
import HTTPClient
import LoopbackServers
import StoreTrials
import Synchronization
import SystemSupport
import TestSupport
import Testing
import UploadQueue

@testable import Backends

/// The project's own uploader with its own server. Recordings of more than 6 MiB are sent in pieces.
@Suite(.bothStores(quick: .postgres)) struct LargeRecordings {
    private let user = UUID()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func answer(_ bytes: [UInt8], of session: UUID) throws -> Upload {
        let file = UploadFile(
            path: try folder.file(bytes), byteCount: bytes.count, sha256: SHA256.hexadecimal(of: bytes),
            mediaType: "audio/wav")
        return Upload(
            id: UUID(),
            session: SessionFacts(id: session, name: "n", format: "f", paper: "p", startedAt: "2026-11-21T09:12:29Z"),
            content: .answer(
                AnswerRecord(
                    question: "q", part: 1, order: 1, attempt: 1, end: "finished", duration: Seconds(.seconds(1)),
                    speech: Seconds(.seconds(1))), file
            ))
    }

    /// Delivers an upload as the queue does: again and again, with its note.
    private func deliver(_ upload: Upload, to url: String, attempts: Int, client: Signed) async -> [DeliveryFailure] {
        let note = Mutex<String?>(nil)
        var failures: [DeliveryFailure] = []
        let uploader = BackendUploader(url: url, client: client) { () throws(DeliveryFailure) in nil }
        for _ in 1...attempts {
            let courier = Courier(
                note: note.withLock { $0 }, keep: { (text) throws(DeliveryFailure) in note.withLock { $0 = text } })
            do throws(DeliveryFailure) {
                try await uploader.deliver(upload, with: courier)
                return failures
            } catch {
                failures.append(error)
            }
        }
        return failures + [DeliveryFailure(.refused, message: "it never arrived")]
    }

    @Test func largeRecordingsArriveInPieces() async throws {
        try await withUploadServer { server in
            let session = try await server.makeSession(of: user)
            for (count, patches) in [(LargeRecording.shortest, 0), (LargeRecording.shortest + 1, 2), (9_000_000, 2)] {
                let (client, bytes) = (Signed(user), noise(count, seed: UInt64(count)))
                let upload = try answer(bytes, of: session)
                #expect(await deliver(upload, to: server.url, attempts: 1, client: client) == [])
                #expect(client.methods.filter { $0 == "PATCH" }.count == patches)
                let there = try await server.ask("GET", "/v1/recordings/\(upload.id)", as: user)
                #expect(there.body == bytes)
            }
        }
    }

    @Test func brokenConnectionsCostNoMoreThanTheirPiece() async throws {
        try await withUploadServer { server in
            let session = try await server.makeSession(of: user)
            let bytes = noise(8_000_000)
            let upload = try answer(bytes, of: session)
            let faults: [Fault] = [
                .resetAfterUp(2_000_000), .resetAfterUp(3_000_000), .lostAnswer, .resetAfterUp(100),
                .resetAfterUp(1_000_000),
            ]
            let proxy = try FaultProxy(to: server.port, script: faults)
            let client = Signed(user)
            let failures = await deliver(upload, to: proxy.url, attempts: 20, client: client)
            #expect(failures.allSatisfy { $0.kind == .transient || $0.kind == .unreachable }, "\(failures)")
            #expect(try await server.ask("GET", "/v1/recordings/\(upload.id)", as: user).body == bytes)
            #expect(server.storedFiles.count == 1, "\(server.storedFiles)")
            // Once, or twice if the answer to the first request was lost.
            #expect(client.methods.filter { $0 == "POST" }.count <= 2)
            proxy.stop()
        }
    }

    @Test func anotherRecordingOfTheSameAnswerIsRefused() async throws {
        try await withUploadServer { server in
            let session = try await server.makeSession(of: user)
            let first = try answer(noise(7_000_000), of: session)
            #expect(await deliver(first, to: server.url, attempts: 1, client: Signed(user)) == [])
            // A client that has lost its notes finds everything there.
            let again = Signed(user)
            #expect(await deliver(first, to: server.url, attempts: 1, client: again) == [])
            #expect(!again.methods.contains("PATCH"))
        }
    }

    @Test func uploadsWaitForTheirSession() async throws {
        try await withUploadServer { server in
            let upload = try answer(noise(7_000_000), of: UUID())
            let failures = await deliver(upload, to: server.url, attempts: 1, client: Signed(user))
            #expect(failures.first?.kind == .parentMissing)
        }
    }
}

/// A client that signs in, and records its requests.
private final class Signed: HTTPExchanging {
    private let client = CurlClient()
    private let user: UUID
    private let asked = Mutex<[String]>([])

    init(_ user: UUID) { self.user = user }

    var methods: [String] { asked.withLock { $0 } }

    func exchange(
        _ request: HTTPRequest, limits: HTTPLimits, sent: @escaping @Sendable (Int) -> Void
    ) async throws(HTTPFailure) -> HTTPResponse {
        asked.withLock { $0.append(request.method) }
        var request = request
        request.headers.append(.init("X-Test-User", user.uuidString))
        return try await client.exchange(request, limits: limits, sent: sent)
    }
}
