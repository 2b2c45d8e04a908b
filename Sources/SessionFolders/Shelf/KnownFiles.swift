import Synchronization
package import SystemSupport

/// Values that this process has read from files. One screen asks for the same exam several times.
///
/// Any thread may call it.
package final class KnownFiles<Value: Sendable>: Sendable {
    /// The most values to remember. After that it begins again.
    private let most = 500

    private let known = Mutex<[String: (state: FileState, value: Value)]>([:])

    package init() {}

    /// Returns the value of a name. Nil if its files have changed since it was read.
    package func value(of name: String, in state: FileState) -> Value? {
        guard let known = known.withLock({ $0[name] }), known.state == state else { return nil }
        return known.value
    }

    /// Remembers the value of a name.
    ///
    /// - Parameter state: The state of its files before they were read.
    package func remember(_ value: Value, of name: String, in state: FileState) {
        known.withLock {
            if $0.count >= most { $0.removeAll() }
            $0[name] = (state, value)
        }
    }

    /// Forgets the value of a name whose file is about to be replaced.
    package func forget(_ name: String) { known.withLock { $0[name] = nil } }
}
