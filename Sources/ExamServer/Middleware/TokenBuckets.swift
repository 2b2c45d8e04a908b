import ExamCore
import Synchronization

/// Limits how often something may be done for each key, with buckets that fill evenly.
final class TokenBuckets<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        var tokens: Double
        var at: Duration
    }

    /// The tokens of a full bucket.
    private let most: Double
    /// The tokens added each second.
    private let rate: Double
    private let all = Mutex<[Key: Bucket]>([:])

    /// - Parameters:
    ///   - most: the number that may come in a row.
    ///   - seconds: the time after which one more may come.
    init(most: Int, oneEvery seconds: Double) {
        self.most = Double(most)
        rate = 1 / seconds
    }

    /// Takes a token of a key.
    ///
    /// - Returns: the seconds until there is one. Nil if one was taken.
    func take(_ key: Key, at now: Duration) -> Int? {
        all.withLock { buckets in
            // Full buckets carry no information and are removed before there are many.
            if buckets.count > 10_000 {
                buckets = buckets.filter { (now - $0.value.at).inSeconds * rate + $0.value.tokens < most }
            }
            var bucket = buckets[key] ?? Bucket(tokens: most, at: now)
            bucket.tokens = min(most, bucket.tokens + (now - bucket.at).inSeconds * rate)
            bucket.at = now
            defer { buckets[key] = bucket }
            guard bucket.tokens < 1 else {
                bucket.tokens -= 1
                return nil
            }
            return max(1, Int(((1 - bucket.tokens) / rate).rounded(.up)))
        }
    }

    /// Returns a token that was taken.
    func giveBack(_ key: Key) {
        all.withLock { buckets in
            if let bucket = buckets[key] { buckets[key]?.tokens = min(most, bucket.tokens + 1) }
        }
    }
}
