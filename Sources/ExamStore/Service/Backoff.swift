/// How long a failed job waits: anything up to 6, 12, 24 s … its kind's longest, so that many failures do not come back together.
enum Backoff {
    /// C7's 2^n · 3 s as the ceiling, chance below it ("full jitter", AWS Architecture Blog, 2015).
    static func seconds(
        after failures: Int, atMost longest: Double = 600, chance: Double = .random(in: 0...1)
    ) -> Double {
        var ceiling = 3.0
        for _ in 0..<max(failures, 1) where ceiling < longest { ceiling *= 2 }
        // Never at once: whatever failed is given a moment.
        return max(1, min(ceiling, longest) * chance)
    }
}
