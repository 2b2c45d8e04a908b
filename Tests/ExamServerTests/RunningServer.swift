import ExamServer
import ExamStore
import Foundation
import Glibc
import HTTPClient
import Hummingbird
import JWTKit
import Logging
import StoreTrials
import Synchronization
import SystemSupport

@testable import ExamNode
@testable import RecordingStores

/// A whole server on a free port of this machine. It has this test's database, a folder of its own, and tokens of a
/// secret.
final class RunningServer: Sendable {
    let url: String
    let port: Int
    let services: Services
    let folder: String
    /// All routes of the server as method and path: `GET /v1/sessions/{session}`.
    let routes: [String]
    /// The rights in tokens if a request names no others.
    let rights: Rights
    /// The server's log, for looking into a failed test.
    let log = KeptLog()
    private let task: Task<Void, any Error>
    private let ownsFolder: Bool
    static let secret = "a secret of the tests, long enough for HS256"

    /// The rights that a token gives its user.
    struct Rights: Sendable {
        var roles: [String] = []
        var groups: [String] = []

        static func teacher(of groups: String...) -> Rights { Rights(roles: ["teacher"], groups: groups) }
        static func learner(in groups: String...) -> Rights { Rights(groups: groups) }
        static let marker = Rights(roles: ["marker"])
        static let service = Rights(roles: ["service"])
        static let noRole = Rights()
    }

    /// - Parameters:
    ///   - folder: The folder of a server that ran before. If nil, a new one, removed with this server.
    ///   - store: Replaces the database of the folder.
    ///   - audio: Replaces the folder of recordings.
    ///   - signIn: If nil, by tokens of the secret, and by `classes`.
    ///   - classes: The server's own accounts. If nil, it has no accounts.
    ///   - clock: The clock by which days begin and addresses expire.
    init(
        folder: String? = nil, store: ExamDatabase? = nil, audio: (any AudioStore)? = nil, workers: Int = 1,
        signIn: SignIn? = nil, classes: ClassAccounts? = nil, assessors: AssessorPanel = AssessorPanel(),
        clock: SetClock = .morning,
        rights: Rights = .noRole, _ change: (inout ServerSettings) -> Void = { _ in }
    ) async throws {
        let path = folder ?? NSTemporaryDirectory() + "oracy-server-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        self.folder = path
        ownsFolder = folder == nil
        self.rights = rights
        var settings = ServerSettings(folder: path)
        settings.speaksAhead = false
        settings.soundProgram = SoundProgram.command
        // On a busy machine, a test asks again and again until a condition holds.
        settings.limits.requestsPerMinute = 1_000_000
        change(&settings)
        let kept: ExamDatabase
        if let store {
            kept = store
        } else {
            kept = try await TestDatabase.of(folder: path).open(connections: 8)
        }
        let logger = log.logger
        var services = Services(
            settings: settings, store: kept, audio: try audio ?? FolderAudioStore(path: path + "/audio"), logger: logger
        )
        services.clock = clock.now
        self.services = services
        let keys = TokenKeys(.secret(Array(Self.secret.utf8)))
        try await keys.load()
        let ways = signIn ?? classes.map { .classes($0, tokens: keys) } ?? .tokens(keys)
        let server = try await ExamBackend(services, signIn: ways, assessors: assessors)
        let (ports, port) = AsyncStream<Int>.makeStream()
        let router = server.router()
        routes = router.routes.map { "\($0.method) \($0.path)" }
        let app = Application(
            router: router, server: server.channel,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            services: server.background(workers: workers),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) }, logger: logger)
        task = Task {
            defer { port.finish() }
            try await app.run()
        }
        guard let number = await ports.first(where: { _ in true }) else {
            try await task.value
            throw Problem(.unavailable, "the server did not start")
        }
        self.port = number
        url = "http://127.0.0.1:\(number)"
    }

    func stop() async {
        task.cancel()
        _ = try? await task.value
        await services.store.close()
        if ownsFolder { try? FileManager.default.removeItem(atPath: folder) }
    }

    /// Returns a user's bearer token.
    static func token(of user: UUID, _ rights: Rights = .noRole) async throws -> String {
        struct Claims: JWTPayload {
            var sub: SubjectClaim
            var exp: ExpirationClaim
            var roles, groups: [String]

            enum CodingKeys: String, CodingKey {
                case sub, exp
                case roles = "oracy_roles"
                case groups = "oracy_groups"
            }

            func verify(using algorithm: some JWTAlgorithm) {}
        }
        let keys = await JWTKeyCollection().add(hmac: HMACKey(from: Data(secret.utf8)), digestAlgorithm: .sha256)
        return try await keys.sign(
            Claims(
                sub: SubjectClaim(value: user.uuidString),
                exp: ExpirationClaim(value: Date(timeIntervalSinceNow: 3600)), roles: rights.roles,
                groups: rights.groups))
    }

    /// Sends a request as a user. Nil sends it without a token.
    func ask(
        _ method: String, _ path: String, _ json: Any? = nil, as user: UUID?, _ rights: Rights? = nil,
        headers: [(String, String)] = [], bytes: [UInt8]? = nil
    ) async throws -> HTTPClient.HTTPResponse {
        try await Self.ask(url, method, path, json, as: user, rights ?? self.rights, headers: headers, bytes: bytes)
    }

    /// Sends a request to any server whose tokens are of this secret.
    static func ask(
        _ url: String, _ method: String, _ path: String, _ json: Any? = nil, as user: UUID?, _ rights: Rights = .noRole,
        headers: [(String, String)] = [], bytes: [UInt8]? = nil
    ) async throws -> HTTPClient.HTTPResponse {
        var headers = headers
        if let user { headers.append(("Authorization", "Bearer " + (try await token(of: user, rights)))) }
        var body = HTTPClient.HTTPRequest.Body.none
        if let json {
            headers.append(("Content-Type", "application/json"))
            body = .bytes(Array(try JSONSerialization.data(withJSONObject: json, options: .fragmentsAllowed)))
        }
        if let bytes { body = .bytes(bytes) }
        let request = HTTPClient.HTTPRequest(method, url + path, headers: headers, body: body)
        // A debug build on a busy machine takes ten seconds and more to synthesize an exam's prompts.
        var patient = HTTPLimits()
        patient.idle = .seconds(60)
        return try await CurlClient(timeout: .seconds(60)).exchange(request, limits: patient, sent: { _ in })
    }
}

extension HTTPClient.HTTPResponse {
    /// The body as a JSON object. Empty if it isn't one.
    var object: [String: Any] {
        ((try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]) ?? [:]
    }

    /// Returns a header's value. Nil if it is absent.
    func header(_ name: String) -> String? { headers[name.lowercased()] }

    /// A problem document's code.
    var code: String { (object["type"] as? String)?.split(separator: "/").last.map(String.init) ?? "" }
}
