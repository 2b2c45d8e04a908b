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

/// Asks again until it is so; false when the time is up, which only a failure uses up.
public func within(_ time: Duration, _ isSo: () throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + time
    while ContinuousClock.now < end {
        if try isSo() { return true }
        try await Task.sleep(for: .milliseconds(5))
    }
    return try isSo()
}
