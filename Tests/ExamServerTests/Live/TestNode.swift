import ExamKit
import ExamStore
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import StoreTrials
import Synchronization
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// The parts that nodes share: a store and recordings, deleted after the test.
final class TestBackend: Sendable {
    let path: String
    let audio = KeptAudio()

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "oracy-live-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func store() async throws -> ExamDatabase {
        try await TestDatabase.of(folder: path).open()
    }
}

/// A server on a free port of 127.0.0.1 that holds live exams. Every request is by the same user.
final class TestNode: Sendable {
    let backend: TestBackend
    let store: ExamDatabase
    let exams: LiveExams
    let keptLog = KeptLog()
    let port: Int
    private let group: ServiceGroup
    private let task: Task<Void, any Error>

    /// - Parameters:
    ///   - name: The name of the node and of its folder. A later node with this name counts as this one, started again.
    ///   - change: Changes the settings.
    init(
        _ backend: TestBackend, name: String = "a", times: LiveTimes = LiveTimes(),
        change: (inout ServerSettings) -> Void = { _ in }
    ) async throws {
        var settings = ServerSettings(folder: "\(backend.path)/\(name)", node: name)
        settings.anyPace = true
        settings.limits.liveConnections = 1_000
        change(&settings)
        self.backend = backend
        store = try await backend.store()
        let services = Services(
            settings: settings, store: store, audio: backend.audio,
            logger: keptLog.logger)
        let exams = try LiveExams(services, times: times)
        self.exams = exams
        let router = Router(context: ServerContext.self)
        let open = router.group().add(middleware: Problems(metrics: services.metrics))
        let routes = LiveRoutes(exams: exams, desk: PracticeDesk(services))
        routes.addClips(to: open)
        routes.add(
            to: open.group().add(
                middleware: Authentication(signIn: .development, desk: nil, metrics: services.metrics)))
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let app = Application(
            router: router,
            server: exams.channel,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) },
            logger: services.logger)
        let group = ServiceGroup(configuration: .init(services: [exams, app], logger: services.logger))
        self.group = group
        task = Task { try await group.run() }
        self.port = await ports.first { _ in true } ?? 0
    }

    /// Stops the node as SIGTERM does.
    func stop() async throws {
        await group.triggerGracefulShutdown()
        try await task.value
    }

    /// Stops the node as SIGKILL does: the node releases nothing.
    func kill() async {
        task.cancel()
        _ = try? await task.value
    }

    deinit { task.cancel() }

    /// Makes an exam.
    func make(_ sitting: PreparedExam) async throws -> LiveExams.Made {
        try await exams.make(sitting, for: SignIn.developer)
    }

    /// Returns the log in the store, once it says that the exam is over.
    func log(of session: UUID) async throws -> [String] {
        var lines: [String] = []
        try await eventually("the log is whole") {
            lines = try await store.service.lines(of: session)
            return lines.last?.contains("\"phase\":\"over ") == true
        }
        return lines
    }

    /// Returns the stored answers.
    func answers(of session: UUID) async throws -> [TestResponse] {
        try await store.owned(by: SignIn.developer).responses(of: session)
    }
}
