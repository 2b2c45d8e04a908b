/// The waiting time of a failed job before its next attempt: between half and all of 6, 12, 24 s …, up to the longest
/// time of its kind. So jobs that failed together are not retried together, and a series of attempts always lasts at
/// least half of its longest time.
enum Backoff {
    /// Returns a random time in the upper half of 2^n · 3 s ("equal jitter", AWS Architecture Blog, 2015).
    static func seconds(
        after failures: Int, atMost longest: Double, chance: Double = .random(in: 0...1)
    ) -> Double {
        var ceiling = 3.0
        for _ in 0..<max(failures, 1) where ceiling < longest { ceiling *= 2 }
        return min(ceiling, longest) * (0.5 + 0.5 * chance)
    }
}
