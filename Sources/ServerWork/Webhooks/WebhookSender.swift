import ExamCore
import ExamNode
package import ExamStore
import Foundation
import HTTPClient
import Logging
import ServiceLifecycle
import Synchronization
public import SystemSupport

/// Delivers events to endpoints. Each event is a job in the queue. Every node with the endpoints' settings works on the
/// queue, several events at a time. If a node dies after a delivery and before recording it, another node delivers the
/// event again under the same id. No event is lost.
struct WebhookSender: Service {
    let services: Services
    private let endpoints: [String: WebhookEndpoint]
    private let client: any HTTPExchanging
    private let resting = Resting()

    /// The number of simultaneous deliveries, so that slow receivers do not delay others.
    private static let lanes = 4
    /// The seconds after which another node takes over a dead node's delivery. It is longer than an attempt takes.
    private static let lease = 60.0
    /// The seconds for which an endpoint that did not answer is left alone, so that its events do not delay those of
    /// others.
    private static let rest = 30.0

    private final class Resting: Sendable {
        let until = Mutex<[String: Duration]>([:])
    }

    init(services: Services, endpoints: [WebhookEndpoint], client: any HTTPExchanging = CurlClient()) {
        self.services = services
        self.endpoints = Dictionary(endpoints.map { ($0.id, $0) }) { first, _ in first }
        self.client = client
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                for number in 1...Self.lanes {
                    group.addTask { await tell("\(services.settings.node)/webhooks \(number)") }
                }
            }
        }
    }

    private func tell(_ name: String) async {
        for await _ in services.store.service.wakeUps() {
            var isMore = true
            while isMore && !Task.isCancelled {
                // If the store is unavailable, this loop ends. The next wake-up begins it again.
                isMore = (try? await tellOnce(name)) ?? false
            }
            if Task.isCancelled { return }
        }
    }

    /// Delivers the next event.
    ///
    /// - Returns: false if no event is waiting.
    func tellOnce(_ name: String) async throws(StoreError) -> Bool {
        let service = services.store.service
        guard let job = try await service.claim(.tell, worker: name, seconds: Self.lease) else { return false }
        guard let event = try await service.eventToTell(by: job), let user = try await service.owner(of: job.session)
        else { return true }  // The session was erased meanwhile.
        guard let endpoint = endpoints[event.endpoint] else {
            try await service.putOff(job, seconds: 600)  // Another node may know the endpoint.
            return true
        }
        if let left = rest(of: endpoint.id) {
            try await service.putOff(job, seconds: left)
            return true
        }
        let request = endpoint.request(event, session: job.session, user: user, at: .now)
        let answer: Result<HTTPResponse, HTTPFailure>
        do throws(HTTPFailure) {
            answer = .success(try await client.exchange(request, limits: WebhookEndpoint.limits))
        } catch {
            answer = .failure(error)
        }
        if Task.isCancelled {
            // The task was cancelled during the delivery. The event may not have arrived, so it is delivered again.
            _ = try await service.giveBack(job)
            return false
        }
        try await end(job, event, WebhookOutcome(answer, of: endpoint.id))
        return true
    }

    private func end(_ job: Job, _ event: EventToTell, _ outcome: WebhookOutcome) async throws(StoreError) {
        let service = services.store.service
        switch outcome {
        case .told:
            _ = try await service.told(job)
            note("told", event, job, "webhook told")
        case .gone:
            let words = "\(event.endpoint) answered 410: it wants no more events"
            try await service.giveUp(job, words)
            note("given-up", event, job, "webhook given up", words)
        case .again(let words, let seconds): try await again(job, event, words, seconds)
        case .away(let words):
            resting.until.withLock { $0[event.endpoint] = SteadyClock.now + .seconds(Self.rest) }
            try await again(job, event, words, nil)
        }
    }

    private func again(
        _ job: Job, _ event: EventToTell, _ words: String, _ seconds: Double?
    ) async throws(StoreError) {
        let isDead = try await services.store.service.fail(job, words, retryIn: seconds) == .dead
        note(isDead ? "given-up" : "failed", event, job, isDead ? "webhook given up" : "webhook failed", words)
    }

    /// Returns the seconds until events are sent to an endpoint again. Nil if they are sent now.
    private func rest(of endpoint: String) -> Double? {
        let left = resting.until.withLock { ($0[endpoint] ?? .zero) - SteadyClock.now }
        return left > .zero ? left.inSeconds : nil
    }

    private func note(_ outcome: String, _ event: EventToTell, _ job: Job, _ words: String, _ what: String? = nil) {
        services.metrics.add(.webhooks, label: "outcome=\"\(outcome)\"")
        var metadata: Logger.Metadata = [
            "session": "\(job.session.name)", "endpoint": "\(event.endpoint)", "event": "\(event.event.rawValue)",
            "id": "\(event.id)",
        ]
        if let what { metadata["what"] = "\(what)" }
        services.logger.log(level: outcome == "told" ? .info : .warning, "\(words)", metadata: metadata)
    }
}

/// The endpoints for webhooks, as configured on a server.
public struct Webhooks: Sendable {
    let endpoints: [WebhookEndpoint]
    package let events: EventEndpoints

    /// Creates an empty list.
    public init() { (endpoints, events) = ([], [:]) }

    /// Reads the endpoints from a file.
    ///
    /// - Throws: `Problem` if `WebhookSettings.init(file:)` fails, or a secret is missing or invalid.
    public init(file path: String) throws(Problem) { try self.init(WebhookSettings(file: path), in: path.folder) }

    /// Returns the paths of the files with the endpoints' secrets.
    ///
    /// - Parameter path: the file of the endpoints.
    /// - Throws: the errors of `WebhookSettings.init(file:)`.
    package static func keyFiles(named path: String) throws(Problem) -> [String] {
        try WebhookSettings(file: path).endpoints.flatMap { [$0.key, $0.previousKey] }.compactMap {
            $0?.file?.path(in: path.folder)
        }
    }

    /// Creates the endpoints.
    ///
    /// - Parameter folder: the folder to which relative paths of secrets refer.
    /// - Throws: `Problem`: `malformed`, `missing`.
    public init(_ settings: WebhookSettings, in folder: String) throws(Problem) {
        if let mistake = settings.mistake { throw Problem(.malformed, mistake) }
        var endpoints: [WebhookEndpoint] = []
        for endpoint in settings.endpoints { endpoints.append(try WebhookEndpoint(endpoint, in: folder)) }
        self.endpoints = endpoints
        events = Dictionary(settings.endpoints.map { ($0.id, $0.events ?? Set(SessionEvent.allCases)) }) { first, _ in
            first
        }
    }
}
