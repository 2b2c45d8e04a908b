import ExamKit
import ExamStore
import Foundation
import LoopbackServers
import Testing
import Uploaders

@testable import ExamServer

/// What a server says of itself while what it needs hangs, or is away.
@Suite struct ReadyTests {
    /// Storage that takes a question and never answers.
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
        func keys(of session: UUID, user: UUID) async throws(AudioStoreError) -> [AudioKey] { try await never() }
        func uploadURL(for key: AudioKey, mediaType: String, seconds: Int) -> String? { nil }
        func ping() async throws(AudioStoreError) { try await never() }
    }

    @Test func whatHangsIsNamedWithinTwoSeconds() async throws {
        let server = try await RunningServer(audio: HangingAudio())
        for _ in 0..<3 {
            let began = SteadyClock.now
            let answer = try await server.ask("GET", "/ready", as: nil)
            #expect(SteadyClock.now - began < .seconds(2))
            #expect(answer.status == 503 && answer.code == "not-ready" && answer.text.contains("recordings"))
            #expect(!answer.text.contains("database") && !answer.text.contains("disk"))
        }
        #expect(try await server.ask("GET", "/health", as: nil).status == 200)
        await server.stop()
    }

    @Test func theNumbersAreThereWhileTheDatabaseIsAway() async throws {
        guard let postgres = await PostgresServer.start() else { return }
        let store = try ExamStore.postgres(try await postgres.makeDatabase())
        try await store.migrate()
        let server = try await RunningServer(store: store)
        #expect(try await server.ask("GET", "/ready", as: nil).status == 200)
        let before = try await server.ask("GET", "/metrics", as: nil)
        #expect(before.text.contains("oracy_store_up 1.0"))
        #expect(before.text.contains("oracy_jobs{status=\"pending\"} 0.0"))
        postgres.freeze()
        let began = SteadyClock.now
        let after = try await server.ask("GET", "/metrics", as: nil)
        #expect(after.status == 200 && after.text.contains("oracy_store_up 0.0"))
        #expect(!after.text.contains("oracy_jobs{") && after.text.contains("oracy_requests_total"))
        let ready = try await server.ask("GET", "/ready", as: nil)
        #expect(ready.status == 503 && ready.text.contains("database"))
        #expect(SteadyClock.now - began < .seconds(4))
        postgres.thaw()
        await server.stop()
    }
}
