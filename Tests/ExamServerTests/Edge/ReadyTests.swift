import ExamStore
import Foundation
import HTTPClient
import LoopbackServers
import StoreTrials
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import RecordingStores

/// The reports of a server while its database or storage hangs or is away.
@Suite(.bothStores) struct ReadyTests {
    /// Storage that never answers a request.
    private struct HangingAudio: AudioStore {
        private func never() async throws(AudioStoreError) -> Never {
            while true { try? await Task.sleep(for: .seconds(3_600)) }
        }
        func put(_ path: String, as key: AudioKey, sha256: String, mediaType: String) async throws(AudioStoreError) {
            try await never()
        }
        func read(
            _ key: AudioKey, range: Range<Int>?
        ) async throws(AudioStoreError) -> AsyncThrowingStream<[UInt8], any Error> { try await never() }
        func size(of key: AudioKey) async throws(AudioStoreError) -> Int? { try await never() }
        func delete(_ key: AudioKey) async throws(AudioStoreError) { try await never() }
        func keys(of user: UUID) async throws(AudioStoreError) -> [AudioKey] { try await never() }
        func keys(of session: UUID, user: UUID) async throws(AudioStoreError) -> [AudioKey] { try await never() }
        func uploadURL(for key: AudioKey, mediaType: String, seconds: Int) -> String? { nil }
        func ping() async throws(AudioStoreError) { try await never() }
    }

    @Test func hangingPartsAreNamed() async throws {
        let server = try await RunningServer(audio: HangingAudio())
        for _ in 0..<3 {
            // The storage never answers, so any answer shows that the server didn't wait for it.
            let answer = try await server.ask("GET", "/ready", as: nil)
            #expect(answer.status == 503 && answer.code == "not-ready" && answer.text.contains("recordings"))
            #expect(!answer.text.contains("database") && !answer.text.contains("disk"))
        }
        #expect(try await server.ask("GET", "/health", as: nil).status == 200)
        await server.stop()
    }

    @Test func aDiskWithoutRoomTakesNoExamAndSaysSo() async throws {
        let server = try await RunningServer { $0.freeBytes = 1 << 60 }
        let ready = try await server.ask("GET", "/ready", as: nil)
        #expect(ready.status == 503 && ready.code == "not-ready" && ready.text.contains("disk"))
        let made = try await server.ask("POST", "/v1/exams", ["consent": true], as: UUID())
        #expect(made.status == 503 && made.code == "no-room" && made.header("Retry-After") == "60")
        await server.stop()
    }

    @Test func storedObjectsOfAUserAreLimited() async throws {
        let server = try await RunningServer {
            $0.limits.sessions = 2
            $0.limits.submissions = 2
        }
        let ann = UUID()
        func put(_ id: UUID) async throws -> Int {
            let row = [
                "id": id.uuidString, "name": "a", "format": "f", "paper": "p", "startedAt": "2026-11-22T10:00:00Z",
            ]
            return try await server.ask("PUT", "/v1/sessions/\(id)", row, as: ann).status
        }
        let ids = [UUID(), UUID(), UUID()]
        var said: [Int] = []
        for id in ids + ids { said.append(try await put(id)) }
        #expect(said == [201, 201, 429, 204, 204, 429])
        said = []
        for id in ids + ids {
            said.append(try await server.ask("POST", "/v1/submissions", ["id": id.uuidString], as: ann).status)
        }
        #expect(said == [201, 201, 429, 201, 201, 429])
        // Each user has room of their own.
        #expect(try await server.ask("POST", "/v1/submissions", ["id": UUID().uuidString], as: UUID()).status == 201)
        await server.stop()
    }

    @Test(.store(only: .postgres, because: "A database in the same process is never away."))
    func theNumbersAreThereWhileTheDatabaseIsAway() async throws {
        let postgres = try await PostgresServer.start()
        let store = try ExamDatabase.postgres(try await postgres.makeDatabase())
        try await store.migrate()
        let server = try await RunningServer(store: store)
        #expect(try await server.ask("GET", "/ready", as: nil).status == 200)
        let before = try await server.ask("GET", "/metrics", as: nil)
        #expect(before.text.contains("oracy_store_up 1.0"))
        #expect(before.text.contains("oracy_jobs{status=\"pending\"} 0.0"))
        postgres.freeze()
        // The database is frozen until the end, so any answer shows that the server didn't wait for it.
        let after = try await server.ask("GET", "/metrics", as: nil)
        #expect(after.status == 200 && after.text.contains("oracy_store_up 0.0"))
        #expect(!after.text.contains("oracy_jobs{") && after.text.contains("oracy_requests_total"))
        let ready = try await server.ask("GET", "/ready", as: nil)
        #expect(ready.status == 503 && ready.text.contains("database"))
        postgres.thaw()
        await server.stop()
    }
}
