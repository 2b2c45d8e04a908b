import ExamCore
import ExamStore
import Foundation
import HTTPClient
import SystemSupport

/// An endpoint, and the requests that deliver events to it.
struct WebhookEndpoint: Sendable {
    let id: String
    let address: String
    let isPrivate: Bool
    /// The current secret, then earlier ones: a receiver may know any of them.
    let secrets: [WebhookSecret]

    /// The time for a receiver, and the maximum size of its answer, which is not used.
    static let limits = {
        var limits = HTTPLimits()
        limits.total = .seconds(15)
        limits.responseBytes = 64 << 10
        return limits
    }()

    /// Creates an endpoint.
    ///
    /// - Parameter folder: the folder to which relative paths of secrets refer.
    /// - Throws: `Problem`: `missing`, `malformed`.
    init(_ settings: WebhookSettings.Endpoint, in folder: String) throws(Problem) {
        id = settings.id
        address = settings.address
        isPrivate = settings.private ?? false
        var secrets: [WebhookSecret] = []
        for key in [settings.key, settings.previousKey].compactMap({ $0 }) {
            secrets.append(try WebhookSecret(try key.read(for: settings.id, in: folder), of: settings.id))
        }
        self.secrets = secrets
    }

    /// Returns the request of one attempt. All attempts have the same body, which contains only ids, so nothing about
    /// an exam is sent.
    func request(_ event: EventToTell, session: UUID, user: UUID, at now: WallTime) -> HTTPRequest {
        struct Body: Encodable {
            var type: SessionEvent
            var timestamp: String
            var data: Facts

            struct Facts: Encodable {
                var session, user: LowercaseID
            }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let facts = Body(
            type: event.event, timestamp: event.at, data: .init(session: LowercaseID(session), user: LowercaseID(user)))
        // JSON can always represent the facts: they are only strings.
        let body = Array((try? encoder.encode(facts)) ?? Data())
        let signatures = secrets.map { $0.signature(id: event.id, time: now.secondsSince1970, body: body) }
        var request = HTTPRequest(
            "POST", address,
            headers: [
                ("Content-Type", "application/json"), ("webhook-id", event.id),
                ("webhook-timestamp", String(now.secondsSince1970)),
                ("webhook-signature", signatures.joined(separator: " ")),
            ], body: .bytes(body))
        request.isPublicOnly = !isPrivate
        return request
    }
}

/// The outcome of an attempt.
enum WebhookOutcome: Equatable {
    case told
    /// The event must be sent again after this many seconds. Nil for the queue's own delay.
    case again(String, after: Double?)
    /// The receiver is gone permanently.
    case gone
    /// The receiver did not answer. Its other events wait for a while.
    case away(String)

    /// Evaluates an answer.
    ///
    /// - Parameter endpoint: the endpoint's name, because its address may contain a secret.
    init(_ answer: Result<HTTPResponse, HTTPFailure>, of endpoint: String) {
        switch answer {
        case .success(let answer):
            switch answer.status {
            case 200..<300: self = .told
            case 410: self = .gone
            case 300..<400:
                self = .again("\(endpoint) answered \(answer.status): redirects are not followed", after: nil)
            default:
                let wait = RetryAfter.read(answer.headers).map(\.inSeconds)
                self = .again("\(endpoint) answered \(answer.status)", after: wait)
            }
        case .failure(let failure):
            let words: String =
                switch failure.kind {
                case .timeout: "did not answer in time"
                case .invalidURL: "is an address of a private network"
                case .untrusted: "has a certificate that is not trusted"
                case .malformed: "gave an invalid answer"
                default: "could not be reached"
                }
            self = .away("\(endpoint) \(words)")
        }
    }
}
