public import Testing
@_exported public import Waiting

/// Waits for what happens elsewhere.
///
/// - Returns: whether it was so in time.
public func eventually(
    within seconds: Double = Patience.seconds, _ isSo: () async throws -> Bool
) async rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < deadline {
        if try await isSo() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return try await isSo()
}

/// Waits for what happens in other processes, and looks less often; the test ends where it does not come.
public func eventually(
    _ what: String, within seconds: Double = Patience.seconds, _ isSo: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + .seconds(seconds)
    var pauses = Patience.Pauses()
    while try await !isSo() {
        try #require(ContinuousClock.now < deadline, "not in \(seconds) s: \(what)")
        try await Task.sleep(for: pauses.next())
    }
}

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs. It says nothing of how fast the test has to be.
    public static var endsIfItHangs: Self { .timeLimit(.minutes(Patience.minutesOfATest)) }
}
