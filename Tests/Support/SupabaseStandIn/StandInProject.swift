import Foundation
public import HTTPClient
public import LoopbackServers
import Synchronization
import SystemSupport

/// A Supabase project on this machine: its gateway, Auth, PostgREST, Storage and resumable uploads, over rows in a real
/// PostgreSQL.
///
/// Real Supabase isn't available on the tests' machines: neither Debian nor PyPI has its services. PostgreSQL is
/// available, so types, constraints and row-level rules are real. The code around it follows the wire contracts of the
/// services (keys, PostgREST, Storage, resumable uploads, Auth), which were measured or read in their sources. A
/// request outside of them is recorded as a complaint, and gets the real service's answer.
public final class StandInProject: HTTPExchanging {
    public static let key = "sb_publishable_oracyoracyoracy"
    public static let url = "https://abcdefgh.supabase.co"
    public static let bucket = "audio-responses"

    /// The reason why it can't run here, in one plain sentence; nil if PostgreSQL is installed.
    public static let obstacle = PostgresServer.obstacle

    /// The commands that users may be allowed on their own rows.
    public enum Rule: String, CaseIterable, Sendable { case select, insert, update, delete }

    /// The state that isn't in rows.
    public struct State: Sendable {
        /// The server's clock in seconds since 1970.
        public var now = 1_795_000_000
        public var auth = StandInAuth()
        public var rest = StandInRest()
        public var storage = StandInStorage()
        public var requests: [HTTPRequest] = []
        /// The requests outside of the contracts. Each is a mistake of the client.
        public var complaints: [String] = []
    }

    /// A fault of a request.
    public enum Fault: Sendable {
        /// The request never arrives.
        case lost
        /// The request has its effect, but the answer is dropped.
        case answerLost
        /// Only this many bytes of its body arrive.
        case cut(after: Int)
        /// Something else answers.
        case answer(HTTPResponse)
        case fails(HTTPFailure)
    }

    /// Called for each request with its number, from 0.
    public typealias Faults = @Sendable (Int, HTTPRequest) -> Fault?

    let database: StandInDatabase
    private let state = Mutex(State())
    private let faults = Mutex<Faults>({ _, _ in nil })
    /// Runs before a request is answered, so that a test can delay it.
    private let before = Mutex<@Sendable (HTTPRequest) async -> Void>({ _ in })

    /// Makes a project with one user.
    ///
    /// - Parameter isSeeded: Whether there is a template of three parts with four questions each.
    public init(isSeeded: Bool = true, _ set: (inout State) -> Void = { _ in }) throws {
        database = try StandInDatabase()
        state.withLock { set(&$0) }
        addUser()
        if isSeeded { addTemplate() }
    }

    public func with<Value>(_ body: (inout State) -> Value) -> Value {
        state.withLock { state in body(&state) }
    }

    public func fault(_ faults: @escaping Faults) { self.faults.withLock { $0 = faults } }
    public func mend() { fault { _, _ in nil } }
    public func before(_ wait: @escaping @Sendable (HTTPRequest) async -> Void) { before.withLock { $0 = wait } }

    /// Serves the same project over HTTP on 127.0.0.1, by this machine's clock, until the server is stopped.
    public func serve() throws(SocketFailure) -> HTTPServer {
        let server = try HTTPServer { request in
            self.answer(request, body: request.bytes, isCut: false) { $0.now = WallTime.now.secondsSince1970 }
        }
        with { $0.storage.origin = server.url }
        return server
    }

    public func exchange(
        _ request: HTTPRequest, limits: HTTPLimits, sent: @escaping @Sendable (Int) -> Void
    ) async throws(HTTPFailure) -> HTTPResponse {
        let number = with { state in
            state.requests.append(request)
            return state.requests.count - 1
        }
        await before.withLock({ $0 })(request)
        if Task.isCancelled { throw HTTPFailure(.cancelled, "cancelled") }
        let fault = faults.withLock({ $0 })(number, request)
        let body = try Self.body(of: request)
        switch fault {
        case .lost: throw HTTPFailure(.connectionLost, code: 56, "the connection broke")
        case .answer(let response): return response
        case .fails(let failure): throw failure
        case .cut(let count):
            sent(count)
            _ = answer(request, body: Array(body.prefix(count)), isCut: true)
            throw HTTPFailure(.connectionLost, code: 55, "the connection broke")
        case .answerLost:
            _ = answer(request, body: body, isCut: false)
            throw HTTPFailure(.connectionLost, code: 52, "the connection broke")
        case nil: break
        }
        sent(body.count)
        return answer(request, body: body, isCut: false)
    }

    private static func body(of request: HTTPRequest) throws(HTTPFailure) -> [UInt8] {
        switch request.body {
        case .none: return []
        case .bytes(let bytes): return bytes
        case .file(let path, let offset, let count):
            guard let file = FileHandle(forReadingAtPath: path) else {
                throw HTTPFailure(.unreadable, "the file cannot be read")
            }
            defer { try? file.close() }
            try? file.seek(toOffset: UInt64(offset))
            let bytes = (try? file.read(upToCount: count)) ?? Data()
            guard bytes.count == count else { throw HTTPFailure(.unreadable, "the file is shorter") }
            return Array(bytes)
        }
    }

    /// Answers like the gateway: every request needs the project's key, and the path names the service.
    private func answer(
        _ request: HTTPRequest, body: [UInt8], isCut: Bool, _ set: (inout State) -> Void = { _ in }
    ) -> HTTPResponse {
        state.withLock { state in
            set(&state)
            var response = answer(request, body, isCut: isCut, &state)
            if response.headers["date"] == nil {
                response.headers["date"] = HTTPDate(secondsSince1970: state.now).imf
            }
            return response
        }
    }

    private func answer(_ request: HTTPRequest, _ body: [UInt8], isCut: Bool, _ state: inout State) -> HTTPResponse {
        guard let parts = URLComponents(string: request.url), request.url.hasPrefix(state.storage.origin + "/") else {
            state.complaints.append("a request to another server: \(request.url)")
            return .json(502, ["message": "no such server"])
        }
        let call = StandInCall(
            request: request, path: parts.path,
            query: (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }, body: body, now: state.now)
        // Requests by a browser or a player have no key.
        let isPublic = ["/storage/v1/object/public/", "/storage/v1/object/sign/"].contains { parts.path.hasPrefix($0) }
        guard isPublic && request.method == "GET" || request["apikey"] == Self.key else {
            state.complaints.append("\(request.method) \(parts.path) without the key")
            return request["apikey"] == nil
                ? .json(
                    401,
                    [
                        "message": "No API key found in request",
                        "hint": "No `apikey` request header or url param was found.",
                    ])
                : .json(
                    401,
                    [
                        "message": "Invalid API key",
                        "hint": "Double check your Supabase `anon` or `service_role` API key.",
                    ])
        }
        // An incomplete request is ignored, unless it is a piece of a resumable upload.
        let isPiece = request.method == "PATCH" && parts.path.hasPrefix("/storage/v1/upload/")
        if isCut && !isPiece { return .json(400, [:] as [String: Any]) }
        var complaints: [String] = []
        defer { state.complaints += complaints.map { "\(request.method) \(parts.path): \($0)" } }
        switch parts.path.split(separator: "/").first {
        case "auth": return state.auth.answer(call, database, &complaints)
        case "rest": return state.rest.answer(call, state.auth, database, &complaints)
        case "storage": return state.storage.answer(call, state.auth, database, isCut: isCut, &complaints)
        default:
            complaints.append("no such service")
            return .json(404, ["message": "no Route matched with those values"])
        }
    }
}
