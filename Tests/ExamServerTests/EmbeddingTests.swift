import ExamServer
import ExamStore
import Foundation
import HTTPClient
import Hummingbird
import Logging
import StoreTrials
import Testing

@testable import ExamNode
@testable import RecordingStores

/// A speaking backend in another application: the README's example, compiled and tested.
@Suite(.bothStores) struct EmbeddingTests {
    /// - Parameter workers: Zero if other processes assess the answers.
    @Test(arguments: [0, 1]) func anotherApplicationHoldsExamsBesideItsOwnRoutes(workers: Int) async throws {
        let folder = NSTemporaryDirectory() + "oracy-embedding-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (ports, port) = AsyncStream<Int>.makeStream()

        let store = try await TestDatabase.of(folder: folder).open()
        var settings = ServerSettings(folder: folder)
        settings.speaksAhead = false
        let services = Services(
            settings: settings, store: store,
            audio: try FolderAudioStore(path: folder + "/audio"),
            logger: Logger(label: "exams"))
        let exams = try await ExamBackend(services, signIn: .development)
        let router = Router(context: ServerContext.self)
        router.get("hello") { _, _ in "hello" }
        exams.addRoutes(to: router)
        let app = Application(
            router: router, server: exams.channel,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            services: exams.background(workers: workers), onServerRunning: { port.yield($0.localAddress?.port ?? 0) })

        let running = Task { try await app.run() }
        let number = try #require(await ports.first { _ in true })
        for (path, status) in [("hello", 200), ("health", 200), ("v1/exams/choices", 200), ("v1/sessions", 200)] {
            let answer = try await CurlClient().exchange(
                HTTPClient.HTTPRequest("GET", "http://127.0.0.1:\(number)/\(path)"), limits: HTTPLimits(),
                sent: { _ in }
            )
            #expect(answer.status == status, "\(path)")
        }
        running.cancel()
        _ = try? await running.value
        await store.close()
    }
}
