import Foundation
import Hummingbird
import SystemSupport

/// Limits a user's requests with a bucket that fills evenly and holds a minute's worth.
struct RateLimit: RouterMiddleware {
    let perMinute: Int
    private let buckets: TokenBuckets<UUID>

    init(perMinute: Int) {
        self.perMinute = perMinute
        buckets = TokenBuckets(most: perMinute, oneEvery: 60 / Double(perMinute))
    }

    func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        if let user = context.caller?.user, let wait = wait(for: user, at: SteadyClock.now) {
            throw APIProblem(
                .tooManyRequests, "too-many-requests", "Too many requests",
                "You can make \(perMinute) requests a minute. Try again in \(wait) s.", retryAfter: wait)
        }
        return try await next(request, context)
    }

    /// Counts a request.
    ///
    /// - Returns: the seconds to wait. Nil if the request may proceed.
    func wait(for user: UUID, at now: Duration) -> Int? { buckets.take(user, at: now) }
}
