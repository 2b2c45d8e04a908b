import ExamStore
import Foundation
import HTTPClient
import HTTPTypes
import Hummingbird
import Logging
import ServiceLifecycle
import StoreTrials

@testable import ExamNode
@testable import ExamServer
@testable import RecordingStores

/// The upload routes on Hummingbird's own server, on a loopback port, with a store and a folder of its own.
///
/// It trusts the user id in `X-Test-User`, because identity has tests of its own.
final class UploadServer: Sendable {
    let folder: String
    let port: Int
    let services: Services
    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    var url: String { "http://127.0.0.1:\(port)" }

    /// - Parameters:
    ///   - folder: The folder of another server that this one replaces. Nil for a new one.
    ///   - audio: Nil for a folder.
    ///   - decoderFolders: The folders in which to look for ffmpeg. Nil for `PATH`.
    init(
        folder: String? = nil, audio: (any AudioStore)? = nil, limits: ServerSettings.Limits = .init(),
        clock: SetClock? = nil, decoderFolders: String? = nil
    ) async throws {
        let folder = folder ?? "/tmp/oracy-server-\(UUID().uuidString.prefix(8))"
        self.folder = folder
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var settings = ServerSettings(folder: folder + "/node")
        settings.limits = limits
        settings.decoderFolders = decoderFolders
        let store = try await TestDatabase.of(folder: folder).open()
        var services = Services(
            settings: settings, store: store,
            audio: try audio ?? FolderAudioStore(path: folder + "/audio"),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        if let clock { services.clock = clock.now }
        self.services = services
        let router = Router(context: ServerContext.self)
        router.add(middleware: BelievedUser())
        let routes = router.group("v1")
        let shared = services
        addUploadRoutes(to: routes, services: shared)
        let intake = RecordingIntake(shared)
        routes.put("sessions/:session/answers/:answer/recording") { request, context in
            try await intake.put(
                request, user: context.requireUser(), session: context.id("session", of: "session"),
                answer: context.id("answer", of: "answer"))
        }
        // Close enough to the real route for an uploader.
        routes.put("sessions/:session/answers/:answer") { request, context in
            struct Row: Decodable {
                struct Recording: Decodable { var sha256: String }
                var recording: Recording
            }
            let answer = try context.id("answer", of: "answer")
            let row = try await request.decode(as: Row.self, context: context)
            guard let there = try await intake.recording(answer, of: context.requireUser()) else {
                throw APIProblem.parentMissing("recording")
            }
            guard there.sha256 == row.recording.sha256 else { throw APIProblem.alreadyThere(there) }
            return Response(status: .noContent)
        }
        for method in [.get, .head] as [HTTPTypes.HTTPRequest.Method] {
            routes.on("recordings/:answer", method: method) { request, context in
                let id = try context.id("answer", of: "recording")
                guard let recording = try await intake.recording(id, of: context.requireUser()) else {
                    throw APIProblem.missing("recording")
                }
                return try await RecordingAnswer(recording, in: shared.audio).response(to: request, name: "part1_q1")
            }
        }
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                continuation.yield(channel.localAddress?.port ?? 0)
                continuation.finish()
            }, logger: services.logger)
        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: application)], gracefulShutdownSignals: [], logger: services.logger))
        self.group = group
        running = Task { try await group.run() }
        var port = 0
        for await each in ports { port = each }
        self.port = port
    }

    /// Stops the server. When this returns, it doesn't listen any more.
    func stop() async {
        await group.triggerGracefulShutdown()
        try? await running.value
        await services.store.close()
    }

    deinit { running.cancel() }

    func erase() { try? FileManager.default.removeItem(atPath: folder) }

    // MARK: - Requests

    private static let client = CurlClient()

    func ask(
        _ method: String, _ path: String, as user: UUID?, _ headers: [(String, String)] = [], _ body: [UInt8]? = nil
    ) async throws -> HTTPClient.HTTPResponse {
        var limits = HTTPLimits()
        (limits.idle, limits.responseBytes) = (.seconds(120), 32 << 20)
        let who = user.map { [("X-Test-User", $0.uuidString)] } ?? []
        return try await Self.client.exchange(
            HTTPClient.HTTPRequest(
                method, path.hasPrefix("http") ? path : url + path, headers: who + headers,
                body: body.map { .bytes($0) } ?? .none), limits: limits)
    }

    /// Makes a session of a user.
    func makeSession(of user: UUID) async throws -> UUID {
        let id = UUID()
        _ = try await services.store.owned(by: user).put(
            TestSession(id: id, name: "n", format: "ielts", paper: "p", startedAt: "2026-11-21T09:12:29Z"))
        return id
    }

    /// All files below the folder of recordings.
    var storedFiles: [String] {
        (FileManager.default.enumerator(atPath: folder + "/audio")?.allObjects as? [String] ?? [])
            .filter { path in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: "\(folder)/audio/\(path)", isDirectory: &isFolder)
                    && !isFolder.boolValue
            }.sorted()
    }
}

private struct BelievedUser: RouterMiddleware {
    func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.caller = request.headers[HTTPField.Name("X-Test-User")!].flatMap { UUID(uuidString: $0) }.map {
            Caller(user: $0)
        }
        return try await next(request, context)
    }
}

/// Returns random bytes, the same for the same seed.
func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    return (0..<count).map { _ in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return UInt8(truncatingIfNeeded: state)
    }
}

/// Runs a test with a server.
func withUploadServer(
    audio: (any AudioStore)? = nil, limits: ServerSettings.Limits = .init(), clock: SetClock? = nil,
    decoderFolders: String? = nil, _ body: (UploadServer) async throws -> Void
) async throws {
    let server = try await UploadServer(
        audio: audio, limits: limits, clock: clock, decoderFolders: decoderFolders)
    let result: Result<Void, any Error>
    do { result = .success(try await body(server)) } catch { result = .failure(error) }
    await server.stop()
    server.erase()
    try result.get()
}
