import Synchronization

/// The memory for data that clients haven't read yet: the bytes of all connections of this process, and large bodies
/// that were made for them.
public final class OutboundRoom: Sendable {
    /// The most bytes on all connections. Five hundred connections that read nothing hold less than this.
    static let mostWaiting = 48 << 20
    /// The most bytes of large bodies: a few reports with an hour of sound each.
    static let mostHeld = 192 << 20

    private struct State {
        var waiting = 0
        var held = 0
        /// The most bytes of both since the last call of `hasEmptied`.
        var most = 0

        mutating func note() { most = max(most, waiting + held) }
    }

    private let state = Mutex(State())

    /// Creates a room in which nothing waits.
    public init() {}

    /// Bytes that were written, but not yet taken by a client's system.
    package var waiting: Int { state.withLock { $0.waiting } }
    /// Bytes of large bodies that are being sent.
    package var held: Int { state.withLock { $0.held } }

    /// Adds bytes that were written, or subtracts bytes that left if the count is negative.
    ///
    /// - Returns: whether there is room for them.
    @discardableResult package func add(waiting count: Int) -> Bool {
        state.withLock { state in
            state.waiting += count
            state.note()
            return state.waiting <= Self.mostWaiting
        }
    }

    /// Reserves room for a large body until the returned value is released. Returns nil if no room is left.
    package func hold(_ count: Int) -> HeldRoom? {
        let isFree = state.withLock { state in
            // A body that is larger than the whole room may be sent alone.
            guard state.held == 0 || state.held + count <= Self.mostHeld else { return false }
            state.held += count
            state.note()
            return true
        }
        return isFree ? HeldRoom(count, in: self) : nil
    }

    /// The smallest burst, in bytes, that is worth a search for free pages.
    static let burst = 8 << 20

    /// Returns whether a burst of bytes has gone since the last call: at most half of the peak is left.
    package func hasEmptied() -> Bool {
        state.withLock { state in
            let left = state.waiting + state.held
            guard state.most >= Self.burst, left <= state.most / 2 else { return false }
            state.most = left
            return true
        }
    }

    fileprivate func release(_ count: Int) { state.withLock { $0.held -= count } }
}

/// Reserved room, freed together with this value, whether its body was sent or not.
package final class HeldRoom: Sendable {
    private let count: Int
    private let room: OutboundRoom

    fileprivate init(_ count: Int, in room: OutboundRoom) {
        self.count = count
        self.room = room
    }

    deinit { room.release(count) }
}
