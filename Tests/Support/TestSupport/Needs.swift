public import Testing

extension Trait where Self == ConditionTrait {
    /// Skips a test because of an obstacle, and reports it: `@Test(.needs(PostgresServer.obstacle))`.
    ///
    /// - Parameter obstacle: One plain sentence that ends with a remedy; nil to run the test.
    public static func needs(
        _ obstacle: String?, sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        .enabled(if: obstacle == nil, "\(obstacle ?? "")", sourceLocation: sourceLocation)
    }

    /// Skips a test that takes too long for `make test`. Another test there covers the same promise.
    public static var onlyInCheck: Self { .enabled(if: Thoroughness.isCheck, "make check runs it") }

    /// Runs a test only if another test starts it in a separate process.
    ///
    /// - Parameter order: The other test's instructions.
    public static func child(of order: String?) -> Self { .enabled(if: order != nil, "another test starts it") }
}
