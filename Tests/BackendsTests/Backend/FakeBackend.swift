import BackendAPI
import Foundation
import HTTPClient
import Synchronization
import SystemSupport

@testable import Backends

/// A backend that follows `BackendRoutes` exactly and refuses everything else.
final class FakeBackend: HTTPExchanging {
    struct State: Equatable {
        var sessions: [String: String] = [:]
        /// The recordings by session and upload.
        var recordings: [String: [UInt8]] = [:]
        var answers: [String: String] = [:]
        var completions: [String: String] = [:]
    }

    static let token = "a.good-token"
    let base: String
    private let state = Mutex(State())
    private let seen = Mutex<[HTTPRequest]>([])
    /// Changes each recording before the server sees it.
    let damage: @Sendable ([UInt8]) -> [UInt8]

    init(base: String = "https://exams.example.org/api", damage: @escaping @Sendable ([UInt8]) -> [UInt8] = { $0 }) {
        self.base = base
        self.damage = damage
    }

    var now: State { state.withLock { $0 } }
    var requests: [HTTPRequest] { seen.withLock { $0 } }

    func removeRecordings() { state.withLock { $0.recordings = [:] } }

    func put(recording: [UInt8], at key: String) { state.withLock { $0.recordings[key] = recording } }

    func exchange(
        _ request: HTTPRequest, limits: HTTPLimits, sent: @escaping @Sendable (Int) -> Void
    ) async throws(HTTPFailure) -> HTTPResponse {
        seen.withLock { $0.append(request) }
        guard request.url.hasPrefix(base + "/") else {
            throw HTTPFailure(.networkUnavailable, code: 6, "no such host")
        }
        let path = request.url.dropFirst(base.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        if path == ["health"] { return HTTPResponse(status: 200, body: Array(#"{"status":"ok"}"#.utf8)) }
        guard header(request, "Authorization") == "Bearer \(Self.token)" else {
            return problem(401, "unauthorized", "Sign in", "The token is not good any more")
        }
        guard path.count >= 3, path[0] == "v1", path[1] == "sessions", isID(path[2]), request.method == "PUT" else {
            return problem(404, "no-such-route", "Nothing is here", "")
        }
        let session = String(path[2])
        switch (path.count, path.last) {
        case (3, _):
            return row(request, ["id", "name", "format", "paper", "startedAt"], id: session) {
                $0.sessions[session] = $1
            }
        case (4, "completion"):
            guard now.sessions[session] != nil else { return missing("session") }
            return row(request, ["id", "session", "completedAt", "answers", "delivered", "outcome"], id: nil) {
                $0.completions[session] = $1
            }
        case (5, let upload?) where path[3] == "answers" && isID(upload):
            guard now.sessions[session] != nil else { return missing("session") }
            guard now.recordings["\(session)/\(upload)"] != nil else { return missing("recording") }
            let fields: Set = [
                "id", "session", "question", "part", "order", "attempt", "end", "duration", "speech", "recording",
            ]
            return row(request, fields, id: String(upload)) { $0.answers["\(session)/\(upload)"] = $1 }
        case (6, "recording") where path[3] == "answers" && isID(path[4]):
            guard now.sessions[session] != nil else { return missing("session") }
            return recording(request, "\(session)/\(path[4])", sent)
        default:
            return problem(404, "no-such-route", "Nothing is here", "")
        }
    }

    private func recording(
        _ request: HTTPRequest, _ key: String, _ sent: @Sendable (Int) -> Void
    ) -> HTTPResponse {
        guard case .file(let path, 0, let count) = request.body, let data = FileManager.default.contents(atPath: path),
            data.count >= count, let type = header(request, "Content-Type"), type.hasPrefix("audio/"),
            let digest = header(request, "Repr-Digest").flatMap(ReprDigest.init(field:))
        else { return problem(400, "bad-request", "This is not a recording", "") }
        let bytes = damage(Array(data.prefix(count)))
        sent(count)
        guard ReprDigest(sha256: SHA256.hexadecimal(of: bytes)) == digest else {
            return problem(
                422, "digest-mismatch", "Other bytes", "The bytes do not have the digest that came with them")
        }
        return state.withLock { state in
            if let there = state.recordings[key] {
                let digest = ReprDigest(sha256: SHA256.hexadecimal(of: there))!
                return HTTPResponse(status: there == bytes ? 204 : 409, headers: ["repr-digest": digest.field])
            }
            state.recordings[key] = bytes
            return HTTPResponse(status: 201, headers: ["repr-digest": digest.field])
        }
    }

    private func row(
        _ request: HTTPRequest, _ fields: Set<String>, id: String?, _ keep: (inout State, String) -> Void
    ) -> HTTPResponse {
        guard case .bytes(let bytes) = request.body, header(request, "Content-Type") == "application/json",
            let row = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any], Set(row.keys) == fields,
            id == nil || row["id"] as? String == id
        else { return problem(422, "bad-row", "This is not the row that was agreed on", "") }
        state.withLock { keep(&$0, String(decoding: bytes, as: UTF8.self)) }
        return HTTPResponse(status: 204)
    }

    private func missing(_ what: String) -> HTTPResponse {
        problem(409, "parent-missing", "Too early", "The \(what) is not here yet")
    }

    private func problem(_ status: Int, _ type: String, _ title: String, _ detail: String) -> HTTPResponse {
        let fields = ["type": "\(base)/problems/\(type)", "title": title, "detail": detail]
        return HTTPResponse(
            status: status, headers: ["content-type": "application/problem+json"], body: fields.json())
    }

    private func header(_ request: HTTPRequest, _ name: String) -> String? {
        request.headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    private func isID(_ text: Substring) -> Bool { UUID(uuidString: String(text))?.name == String(text) }
}
