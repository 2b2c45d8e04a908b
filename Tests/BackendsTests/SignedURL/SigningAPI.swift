import Foundation
import HTTPClient
import Synchronization

/// An exact fake of the API that signs addresses. Other requests go on to the storage.
final class SigningAPI: HTTPExchanging {
    struct State: Equatable {
        /// The object's key by the answer's id.
        var answers: [String: String] = [:]
        var evaluations: Set<String> = []
    }

    static let base = "https://api.example.org/v2"
    static let token = "a.good-token"
    private let state = Mutex(
        (kept: State(), addresses: 0, quota: #"{"allowed":true,"used":1,"limit":3,"remaining":2}"#))
    private let seen = Mutex<[String]>([])
    private let storage: any HTTPExchanging
    /// Makes an address for a key. The count is that of earlier addresses.
    private let sign: @Sendable (_ key: String, _ count: Int) -> String
    /// Returns whether an object is there.
    private let isThere: @Sendable (_ key: String) async -> Bool

    init(
        storage: any HTTPExchanging, isThere: @escaping @Sendable (_ key: String) async -> Bool,
        sign: @escaping @Sendable (_ key: String, _ count: Int) -> String
    ) {
        self.storage = storage
        self.isThere = isThere
        self.sign = sign
    }

    var now: State { state.withLock { $0.kept } }
    var addressCount: Int { state.withLock { $0.addresses } }
    /// The method and path of each request to the API, and `PUT` for the storage.
    var requests: [String] { seen.withLock { $0 } }

    func answerQuota(_ json: String) { state.withLock { $0.quota = json } }
    func forget(answer: String) { state.withLock { _ = $0.kept.answers.removeValue(forKey: answer) } }

    func exchange(
        _ request: HTTPRequest, limits: HTTPLimits, sent: @escaping @Sendable (Int) -> Void
    ) async throws(HTTPFailure) -> HTTPResponse {
        guard request.url.hasPrefix(Self.base) else {
            seen.withLock { $0.append(request.method) }
            if request.headers.contains(where: { $0.name == "Authorization" }) {
                return Self.json(400, ["error": "the storage was shown the API's token"])
            }
            return try await storage.exchange(request, limits: limits, sent: sent)
        }
        let path = String(request.url.dropFirst(Self.base.count))
        seen.withLock { $0.append("\(request.method) \(path)") }
        guard path == "/health" || request.headers.contains(.init("Authorization", "Bearer \(Self.token)")) else {
            return Self.json(401, ["error": "unauthorized"])
        }
        switch (request.method, path.prefix { $0 != "?" }) {
        case ("GET", "/health"):
            return Self.json(200, ["status": "ok"])
        case ("GET", "/quota"):
            guard path == "/quota?user_id=user%201" else { return Self.json(400, ["error": "user_id is required"]) }
            return HTTPResponse(status: 200, body: Array(state.withLock { $0.quota }.utf8))
        case ("POST", "/generate-upload-url"):
            return generate(request)
        case ("POST", "/upload-complete"):
            return await complete(request)
        case ("POST", "/evaluate"):
            return evaluate(request)
        default:
            return Self.json(404, ["error": "not found"])
        }
    }

    private func generate(_ request: HTTPRequest) -> HTTPResponse {
        guard let body = Self.body(request, ["user_id", "test_id", "part_type", "question_id", "file_extension"]) else {
            return Self.json(400, ["error": "invalid request body"])
        }
        let folder = ["user_id", "test_id", "part_type"].map { body[$0]! }.joined(separator: "/")
        let key = "users/\(folder)/\(body["question_id"]!)\(body["file_extension"]!)"
        let count = state.withLock {
            $0.addresses += 1
            return $0.addresses - 1
        }
        // Alternates between the reference server's name for the field and its specification's.
        return Self.json(
            200, ["upload_url": sign(key, count), count % 2 == 0 ? "key" : "r2_key": key, "expires_in": 43_200])
    }

    private func complete(_ request: HTTPRequest) async -> HTTPResponse {
        let fields: Set = [
            "response_id", "key", "r2_key", "user_id", "test_id", "test_session_id", "template_id", "part_type",
            "question_id", "trigger_evaluation",
        ]
        guard let body = Self.body(request, fields) else { return Self.json(400, ["error": "invalid request body"]) }
        guard await isThere(body["key"]!) else { return Self.json(404, ["error": "no such object"]) }
        state.withLock { $0.kept.answers[body["response_id"]!] = body["key"]! }
        return Self.json(200, ["status": "ok"])
    }

    private func evaluate(_ request: HTTPRequest) -> HTTPResponse {
        guard let body = Self.body(request, ["session_id", "user_id", "template_id"]) else {
            return Self.json(400, ["error": "invalid request body"])
        }
        return state.withLock {
            $0.kept.evaluations.insert(body["session_id"]!).inserted
                ? Self.json(202, ["success": true, "message": "evaluation enqueued"])
                : Self.json(409, ["success": false, "error": "session is already being processed"])
        }
    }

    /// Returns the fields of the body as text, if they are exactly these.
    private static func body(_ request: HTTPRequest, _ names: Set<String>) -> [String: String]? {
        guard case .bytes(let bytes) = request.body,
            request.headers.contains(.init("Content-Type", "application/json")),
            let fields = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
            Set(fields.keys) == names
        else { return nil }
        return fields.mapValues { "\($0)" }
    }

    private static func json(_ status: Int, _ fields: [String: Any]) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: ["content-type": "application/json"],
            body: Array((try? JSONSerialization.data(withJSONObject: fields)) ?? Data()))
    }
}
