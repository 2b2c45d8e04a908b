public import Testing
import Waiting

/// Waits for a condition. If it doesn't become true within `Patience.limit`, the test ends with a failure that names
/// it.
///
/// - Parameter what: The condition in words: "the session is processed".
public func eventually(
    _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ isSo: () async throws -> Bool
) async throws {
    let cameInTime = try await Patience.wait(isSo)
    try Task.checkCancellation()
    try #require(cameInTime, "not in \(Patience.seconds) s: \(what)", sourceLocation: sourceLocation)
}

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs. This is not a limit on the time that the test should take.
    public static var endsIfItHangs: Self { .timeLimit(.minutes(Patience.minutesOfATest)) }
}
