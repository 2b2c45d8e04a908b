import ExamCore
import Foundation
import Hummingbird
import Synchronization
import SystemSupport

/// Limits a user's requests with a bucket that fills evenly and holds a minute's worth.
struct RateLimit: RouterMiddleware {
    private final class Buckets: Sendable {
        struct Bucket {
            var tokens: Double
            var at: Duration
        }
        let all = Mutex<[UUID: Bucket]>([:])
    }

    let perMinute: Int
    private let buckets = Buckets()

    init(perMinute: Int) {
        self.perMinute = perMinute
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
    func wait(for user: UUID, at now: Duration) -> Int? {
        buckets.all.withLock { buckets in
            let (most, rate) = (Double(perMinute), Double(perMinute) / 60)
            // Full buckets carry no information and are removed before there are many.
            if buckets.count > 10_000 {
                buckets = buckets.filter { (now - $0.value.at).inSeconds * rate + $0.value.tokens < most }
            }
            var bucket = buckets[user] ?? Buckets.Bucket(tokens: most, at: now)
            bucket.tokens = min(most, bucket.tokens + (now - bucket.at).inSeconds * rate)
            bucket.at = now
            defer { buckets[user] = bucket }
            guard bucket.tokens < 1 else {
                bucket.tokens -= 1
                return nil
            }
            return Int(((1 - bucket.tokens) / rate).rounded(.up))
        }
    }
}
