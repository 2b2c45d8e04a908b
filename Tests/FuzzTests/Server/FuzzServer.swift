import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import ServiceLifecycle
import StoreTrials
import Waiting

@testable import ExamNode
@testable import ExamServer
@testable import RecordingStores

/// A whole server, used over sockets and in the process. It has this test's database, a folder, one worker, and tokens
/// of a secret.
final class FuzzServer: Sendable {
    let port: Int
    private let folder: String
    private let services: Services
    private let task: Task<Void, any Error>
    private let answering: @Sendable (Request) async throws -> Response

    /// The user of the token in requests.
    static let user = "8d0f3a55-7b29-4f0e-9f64-5f3f2f6f3a11"
    static let token = SignedTokens.token(#"{"alg":"HS256"}"#, #"{"sub":"\#(user)","exp":9999999999}"#)

    /// The server's program, beside this very test's, as a worker that decodes.
    static let soundProgram = [
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "oracy-server").path,
        SoundWorker.argument,
    ]

    init() async throws {
        folder = FuzzPlan.folder + "/server"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var settings = ServerSettings(folder: folder)
        settings.speaksAhead = false
        settings.soundProgram = Self.soundProgram
        // The address sanitizer maps terabytes.
        settings.soundLimits.limitsMemory = false
        settings.anyPace = true
        settings.limits.requestsPerMinute = 1 << 40
        settings.limits.examsPerDay = 1 << 40
        settings.limits.liveConnections = 1_000
        settings.limits.storedBytes = 1 << 40
        let store = try await TestDatabase.of(folder: folder).open(connections: 8)
        let logger = Logger(label: "fuzz", factory: { _ in SwiftLogNoOpLogHandler() })
        services = Services(
            settings: settings, store: store, audio: try FolderAudioStore(path: folder + "/audio"), logger: logger)
        let keys = TokenKeys(.secret(Array(SignedTokens.secret.utf8)))
        try await keys.load()
        let server = try await ExamBackend(services, signIn: .tokens(keys))
        let responder = server.router().buildResponder()
        // Nothing is ever sent over this channel: requests in the process have no connection.
        let channel = EmbeddedChannel()
        answering = { request in
            let context = ServerContext(
                source: ApplicationRequestContextSource(channel: channel, logger: logger))
            return try await responder.respond(to: request, context: context)
        }
        let (ports, port) = AsyncStream<Int>.makeStream()
        let app = Application(
            router: server.router(), server: server.channel,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            services: server.background(workers: 1),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) }, logger: logger)
        task = Task {
            defer { port.finish() }
            try await app.run()
        }
        guard let number = await ports.first(where: { _ in true }) else { throw Wrong("the server did not start") }
        self.port = number
    }

    /// Sends a request to the routes in the process, without a connection.
    ///
    /// - Throws: Errors that no middleware caught, and errors of a body that doesn't end.
    func ask(
        _ method: String, _ path: String, headers: HTTPFields, body: [UInt8]
    ) async throws -> (status: Int, body: [UInt8]) {
        guard let method = HTTPRequest.Method(method) else { return (400, []) }
        let head = HTTPRequest(
            method: method, scheme: "http", authority: "localhost", path: path, headerFields: headers)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: body)))
        let response = try await answering(request)
        let kept = Kept()
        try await response.body.write(kept)
        return (response.status.code, kept.bytes)
    }

    /// Sends a JSON request as the user.
    func ask(_ method: String, _ path: String, _ json: JSON) async throws -> (status: Int, body: [UInt8]) {
        try await ask(
            method, path, headers: [.authorization: "Bearer \(Self.token)", .contentType: "application/json"],
            body: Array(json.written.utf8))
    }

    func isWell() async throws -> Bool {
        try await onThread { [port] in
            let socket = try RawSocket(port: port)
            socket.write(Array("GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8))
            return String(decoding: socket.all(within: Patience.seconds), as: UTF8.self).hasPrefix("HTTP/1.1 200")
        }
    }

    func stop() async {
        task.cancel()
        _ = try? await task.value
        await services.store.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Collects the body of a response.
    private final class Kept: ResponseBodyWriter {
        var bytes: [UInt8] = []

        func write(_ buffer: ByteBuffer) { bytes += buffer.readableBytesView }
        func finish(_ trailingHeaders: HTTPFields?) {}
    }
}
