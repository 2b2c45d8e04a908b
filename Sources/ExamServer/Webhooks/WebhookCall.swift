import ExamStore
import Foundation
import HTTPClient
import SystemSupport

/// One endpoint, and how it is told of an event.
struct WebhookEndpoint: Sendable {
    let id: String
    let address: String
    let isPrivate: Bool
    /// This one's first, then those before it: a receiver may know any of them.
    let secrets: [WebhookSecret]

    /// What a receiver has time for, and words of an answer that nobody reads.
    static let limits = {
        var limits = HTTPLimits()
        limits.total = .seconds(15)
        limits.responseBytes = 64 << 10
        return limits
    }()

    /// - Parameter folder: what paths of secrets count from, where they are not absolute.
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

    /// The request of one try. Its body is the same in all of them: ids only, so that nothing of an exam is on its way.
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
        // Texts alone: JSON holds them.
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

/// What became of a try.
enum WebhookOutcome: Equatable {
    case told
    /// It is tried again, after so many seconds; nil: by the queue's own delays.
    case again(String, after: Double?)
    /// The receiver is gone for good.
    case gone
    /// It did not answer: others that wait for it wait a while.
    case away(String)

    /// - Parameter endpoint: by its name; an address may have a secret in it.
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
                case .malformed: "gave an answer that is none"
                default: "could not be reached"
                }
            self = .away("\(endpoint) \(words)")
        }
    }
}
