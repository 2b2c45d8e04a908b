/// How long a failed job waits before it is tried again: half of 6, 12, 24 s … its kind's longest at least, all of it at most. What failed
/// together so does not come back together, and a number of tries always lasts half of its longest time.
enum Backoff {
    /// C7's 2^n · 3 s as the ceiling, chance in its upper half ("equal jitter", AWS Architecture Blog, 2015).
    static func seconds(
        after failures: Int, atMost longest: Double, chance: Double = .random(in: 0...1)
    ) -> Double {
        var ceiling = 3.0
        for _ in 0..<max(failures, 1) where ceiling < longest { ceiling *= 2 }
        return min(ceiling, longest) * (0.5 + 0.5 * chance)
    }
}
