import Foundation
import HTTPClient
import Synchronization

@testable import Backends

/// A Supabase project in memory: its gateway, Auth, PostgREST with row-level rules, Storage and resumable uploads.
///
/// Real Supabase cannot be had where these tests run: its Storage and Auth are in neither Debian nor PyPI. So this is written
/// from the project's wire contracts, section by section (1 keys, 2 PostgREST, 3 Storage, 4 resumable, 5 Auth), which were
/// measured or read in the services' sources; each part says which. What is not in a contract is a complaint, and the answer
/// that the real service gives to such a request.
final class FakeSupabase: HTTPExchanging {
    static let key = "sb_publishable_oracyoracyoracy"
    static let url = "https://abcdefgh.supabase.co"

    /// All that the project knows.
    struct State: Sendable {
        /// The server's clock, seconds since 1970.
        var now = 1_795_000_000
        var auth = FakeAuth()
        var tables = FakeTables()
        var storage = FakeStorage()
        var requests: [HTTPRequest] = []
        /// What no contract has: each is a mistake of the client's.
        var complaints: [String] = []
    }

    /// What goes wrong with a request.
    enum Fault: Sendable {
        /// It never arrives.
        case lost
        /// It does its work, and the answer is dropped.
        case answerLost
        /// So many bytes of its body arrive.
        case cut(after: Int)
        /// Something else answers.
        case answer(HTTPResponse)
        case fails(HTTPFailure)
    }

    /// Asked for each request, with its number from 0.
    typealias Faults = @Sendable (Int, HTTPRequest) -> Fault?

    private let state = Mutex(State())
    private let faults = Mutex<Faults>({ _, _ in nil })
    /// Runs before a request is answered: a test's chance to make others wait.
    private let before = Mutex<@Sendable (HTTPRequest) async -> Void>({ _ in })

    init(_ set: (inout State) -> Void = { _ in }) {
        state.withLock { set(&$0) }
    }

    func with<Value>(_ body: (inout State) -> Value) -> Value {
        state.withLock { state in body(&state) }
    }

    func fault(_ faults: @escaping Faults) { self.faults.withLock { $0 = faults } }
    func before(_ wait: @escaping @Sendable (HTTPRequest) async -> Void) { before.withLock { $0 = wait } }

    func exchange(
        _ request: HTTPRequest, limits: HTTPLimits, sent: @escaping @Sendable (Int) -> Void
    ) async throws(HTTPFailure) -> HTTPResponse {
        let number = with { state in
            state.requests.append(request)
            return state.requests.count - 1
        }
        await before.withLock({ $0 })(request)
        if Task.isCancelled { throw HTTPFailure(.cancelled, "cancelled") }
        let fault = faults.withLock({ $0 })(number, request)
        var body = try Self.body(of: request)
        switch fault {
        case .lost: throw HTTPFailure(.connectionLost, code: 56, "the connection broke")
        case .answer(let response): return response
        case .fails(let failure): throw failure
        case .cut(let count):
            body = Array(body.prefix(count))
            sent(count)
            _ = with { Self.answer(request, body: body, isCut: true, &$0) }
            throw HTTPFailure(.connectionLost, code: 55, "the connection broke")
        case .answerLost:
            _ = with { Self.answer(request, body: body, isCut: false, &$0) }
            throw HTTPFailure(.connectionLost, code: 52, "the connection broke")
        case nil: break
        }
        sent(body.count)
        return with { state in
            var response = Self.answer(request, body: body, isCut: false, &state)
            response.headers["date"] = HTTPDate(secondsSince1970: state.now).imf
            return response
        }
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

    /// The gateway (section 1): every request has the project's key; then the path names the service.
    private static func answer(
        _ request: HTTPRequest, body: [UInt8], isCut: Bool, _ state: inout State
    ) -> HTTPResponse {
        guard let parts = URLComponents(string: request.url), request.url.hasPrefix(url + "/") else {
            state.complaints.append("a request to another server: \(request.url)")
            return .json(502, ["message": "no such server"])
        }
        guard request["apikey"] == key else {
            state.complaints.append("\(request.method) \(parts.path) without the key")
            return .json(401, ["message": request["apikey"] == nil ? "No API key found in request" : "Invalid API key"])
        }
        // Part of a request that is no piece of a resumable upload is nothing to any service.
        let isPiece = request.method == "PATCH" && parts.path.hasPrefix("/storage/v1/upload/")
        if isCut && !isPiece { return .json(400, [:]) }
        let call = FakeCall(request: request, parts: parts, body: body, now: state.now)
        var complaints: [String] = []
        defer { state.complaints += complaints.map { "\(request.method) \(parts.path): \($0)" } }
        switch parts.path.split(separator: "/").first {
        case "auth": return state.auth.answer(call, &complaints)
        case "rest": return state.tables.answer(call, state.auth, &complaints)
        case "storage": return state.storage.answer(call, state.auth, isCut: isCut, &complaints)
        default:
            complaints.append("no such service")
            return .json(404, ["message": "no Route matched with those values"])
        }
    }
}

/// One request as a service sees it.
struct FakeCall {
    var request: HTTPRequest
    var parts: URLComponents
    var body: [UInt8]
    var now: Int

    var method: String { request.method }
    var path: String { parts.path }
    subscript(header: String) -> String? { request[header] }
    var fields: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) ?? [:] }

    var bearer: String? {
        self["Authorization"].flatMap { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil }
    }
}

extension HTTPRequest {
    subscript(name: String) -> String? { headers.last { $0.name.lowercased() == name.lowercased() }?.value }

    /// `POST /rest/v1/responses`.
    var line: String { "\(method) \(url.replacing(FakeSupabase.url, with: ""))" }
}

extension HTTPResponse {
    static func json(_ status: Int, _ body: [String: Any], headers: [String: String] = [:]) -> HTTPResponse {
        let data = (try? JSONSerialization.data(withJSONObject: body, options: .sortedKeys)) ?? Data()
        return HTTPResponse(
            status: status, headers: headers.merging(["content-type": "application/json"]) { a, _ in a },
            body: Array(data))
    }

    static func text(_ status: Int, _ words: String = "", headers: [String: String] = [:]) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: Array(words.utf8))
    }
}

extension HTTPDate {
    /// The form that servers write: `Sun, 06 Nov 1994 08:49:37 GMT`.
    var imf: String {
        let form = DateFormatter()
        form.locale = Locale(identifier: "en_US_POSIX")
        form.timeZone = TimeZone(identifier: "GMT")
        form.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return form.string(from: Date(timeIntervalSince1970: Double(secondsSince1970)))
    }
}
