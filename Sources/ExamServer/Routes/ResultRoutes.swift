import ExamCore
import ExamKit
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import ServiceLifecycle
import SystemSupport

/// What became of a session: its answers, what was measured of them, and scores where there is evidence for them.
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
        // A body that nobody reads would stand between this server and the news that the client is gone.
        if !request.hasBody, let seconds = PreferredWait.seconds(request.headers[values: .prefer]) {
            headers[.preferenceApplied] = "wait=\(seconds)"
            // Who watches for a client's going has read past this request: the connection is good for no other.
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

    /// Returns when the session's assessment is no longer waited for, at the latest after so many seconds; at once when the client or
    /// this server goes.
    private func wait(for session: UUID, _ owned: OwnedStore, _ seconds: Int, _ request: Request) async throws {
        do {
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                await cancelWhenGracefulShutdown { await self.end(of: session, owned, within: seconds) }
            }
        } catch is CancellationError {
            // Nobody is there any more to be told.
        }
    }

    private func end(of session: UUID, _ owned: OwnedStore, within seconds: Int) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in services.store.service.wakeUps(of: session) {
                    // A store that is away says so where the results are asked for.
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

/// `Prefer: wait=10` (RFC 7240, section 4.3): how long a client would wait for an answer that says more.
enum PreferredWait {
    /// What is waited at most, whatever is preferred.
    static let most = 30

    /// - Parameter fields: all `Prefer` headers; of several waits the first counts.
    /// - Returns: 0 to `most` seconds; nil where none is preferred.
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
