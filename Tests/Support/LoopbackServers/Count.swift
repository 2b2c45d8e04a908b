import Synchronization

/// A counter for several threads.
public final class Count: Sendable {
    public init() {}

    private let number = Atomic(0)
    public var value: Int {
        get { number.load(ordering: .acquiring) }
        set { number.store(newValue, ordering: .releasing) }
    }
    /// Adds one, and returns the new number.
    @discardableResult public func add() -> Int { number.add(1, ordering: .acquiringAndReleasing).newValue }
}
