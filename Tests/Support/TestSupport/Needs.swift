public import Testing

extension Trait where Self == ConditionTrait {
    /// Skips where something is in the way, and says what: `@Test(.needs(PostgresServer.obstacle))`.
    ///
    /// - Parameter obstacle: one plain sentence that ends with what would help; nil where nothing is in the way.
    public static func needs(
        _ obstacle: String?, sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        .enabled(if: obstacle == nil, "\(obstacle ?? "")", sourceLocation: sourceLocation)
    }

    /// Too long for `make test`; another test there touches the same promise.
    public static var onlyInCheck: Self { .enabled(if: Thoroughness.isCheck, "make check runs it") }

    /// Does nothing unless another test starts it, in a process of its own.
    ///
    /// - Parameter order: what that test says to it.
    public static func child(of order: String?) -> Self { .enabled(if: order != nil, "another test starts it") }
}
