import Glibc

/// Asks again and again until there is an answer or the time is up (nil). Blocks the thread.
func poll<Answer>(
    until deadline: ContinuousClock.Instant, every pause: Duration = .milliseconds(2), _ ask: () throws -> Answer?
) rethrows -> Answer? {
    while true {
        if let answer = try ask() { return answer }
        if ContinuousClock.now >= deadline { return nil }
        usleep(UInt32(pause / .microseconds(1)))
    }
}
