import Synchronization

/// A number that several threads count on.
public final class Count: Sendable {
    public init() {}

    private let number = Atomic(0)
    public var value: Int {
        get { number.load(ordering: .acquiring) }
        set { number.store(newValue, ordering: .releasing) }
    }
    /// One more; returns how many it is now.
    @discardableResult public func add() -> Int { number.add(1, ordering: .acquiringAndReleasing).newValue }
}
