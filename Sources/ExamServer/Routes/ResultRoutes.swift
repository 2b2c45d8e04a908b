import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// Routes for the results of a session: its answers, their measurements, and the scores for which there is evidence.
struct ResultRoutes {
    let services: Services

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/sessions/:session/results", use: results)
    }

    @Sendable private func results(
        _ request: Request, _ context: ServerContext
    ) async throws -> some ResponseGenerator {
        let id = try context.id("session", of: "session")
        let owned = try await SessionAccess(services: services).reading(id, .results, by: context.requireCaller())
        var headers: HTTPFields = [:]
        // An unread body would prevent this server from noticing that the client is gone.
        if !request.hasBody, let seconds = PreferredWait.seconds(request.headers[values: .prefer]) {
            headers[.preferenceApplied] = "wait=\(seconds)"
            // Watching for the client's departure reads beyond this request, so the connection cannot be used for
            // another.
            if try await isWaiting(for: id, owned) {
                try await wait(for: id, owned, seconds, request)
                headers[.connection] = "close"
            }
        }
        let results = try await SessionResults(services: services).results(of: id, owned)
        guard let results else { throw APIProblem.missing("session") }
        return Answer(results, headers: headers)
    }

    // MARK: - Waiting

    /// Waits until the session's assessment is complete, but at most this many seconds. Returns at once when the client
    /// disconnects or this server stops.
    private func wait(for session: UUID, _ owned: OwnedStore, _ seconds: Int, _ request: Request) async throws {
        do {
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                await cancelWhenGracefulShutdown { await self.end(of: session, owned, within: seconds) }
            }
        } catch is CancellationError {
            // The client has disconnected.
        }
    }

    private func end(of session: UUID, _ owned: OwnedStore, within seconds: Int) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in services.store.service.wakeUps(of: session) {
                    // If the store is unavailable, the following request for the results reports it.
                    if (try? await isWaiting(for: session, owned)) != true { return }
                }
            }
            group.addTask { try? await Task.sleep(for: .seconds(seconds)) }
            await group.next()
            group.cancelAll()
        }
    }

    private func isWaiting(for session: UUID, _ owned: OwnedStore) async throws -> Bool {
        guard let found = try await owned.session(session) else { return false }
        return services.assessment(of: found, try await services.store.service.marking(of: session)) == .waiting
    }
}

extension Request {
    fileprivate var hasBody: Bool {
        headers[.contentLength].map { $0 != "0" } ?? false || headers[.transferEncoding] != nil
    }
}

/// The header `Prefer: wait=10` (RFC 7240, section 4.3): the seconds that a client would wait for a more complete
/// answer.
enum PreferredWait {
    /// The maximum, regardless of the preference.
    static let most = 30

    /// Reads the seconds.
    ///
    /// - Parameter fields: all `Prefer` headers. If there are several waits, the first counts.
    /// - Returns: 0 to `most` seconds. Nil if there is no such preference.
    static func seconds(_ fields: [String]) -> Int? {
        for preference in fields.joined(separator: ",").split(separator: ",") {
            guard let found = preference.wholeMatch(of: /\s*(?i:wait)\s*=\s*"?([0-9]{1,9})"?\s*(;.*)?/) else {
                continue
            }
            return Int(found.1).map { min($0, most) }
        }
        return nil
    }
}

extension HTTPField.Name {
    static let prefer = HTTPField.Name("Prefer")!
    static let preferenceApplied = HTTPField.Name("Preference-Applied")!
}
